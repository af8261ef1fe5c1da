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

/** A clock for decoding: each call waits until its tokens are due. Infinitely fast still takes a turn of the loop. */
export function pace(rate: number, signal: AbortSignal): (tokens: number) => Promise<void> {
  let due = performance.now()
  return async tokens => {
    due = Math.max(due, performance.now() - 50) + (tokens * 1000) / rate
    const ms = due - performance.now()
    await (ms < 1 ? nextTurn() : sleep(ms, signal))
  }
}
