/** Waiting that a signal can end. Nothing here throws: who waits looks at the signal afterwards. */
import { setImmediate as nextTurn, setTimeout as sleepFor } from 'node:timers/promises'

/** Resolves after `ms`, or at once when the signal fires. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0 && !signal.aborted) await sleepFor(ms, undefined, { signal }).catch(() => undefined)
}

/** Resolves when the promise has settled or the signal fires, whichever is first. */
export function settle(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', end)
    promise.then(end, end)
  })
}

/** Times a generation: the first token comes with the end of the prefill, each further one is due 1/rate later. */
export interface Pace {
  /** Resolves when so many more tokens are due. Infinitely fast still takes a turn of the event loop. */
  tokens(count: number): Promise<void>
  /** Milliseconds since the first token. */
  elapsed(): number
}

/** `rate` in tokens a second. */
export function startPace(rate: number, signal: AbortSignal): Pace {
  let first: number | undefined
  let due = 0
  return {
    async tokens(count) {
      const now = performance.now()
      // A gate may have held the reply for long: what was not generated meanwhile is not caught up.
      due =
        first === undefined
          ? now + ((count - 1) * 1000) / rate
          : Math.max(due, now - 50) + (count * 1000) / rate
      first ??= now
      await (due - now < 1 ? nextTurn() : sleep(due - now, signal))
    },
    elapsed: () => (first === undefined ? 0 : performance.now() - first),
  }
}
