/**
 * Watching a chat request in which nothing happens. Loading, reading a long prompt and writing a tool call send
 * nothing for minutes, so silence alone never ends a request: the person is told, and the server is asked whether it
 * still has the model.
 */
import type { ModelEvent } from '../backend.ts'
import { type ModelPlace, silenceNotice, streamFailure } from './failures.ts'

export interface SilenceOptions {
  place: ModelPlace
  /** Silence (ms) after which the person is told, and told again. */
  timeout: number
  /** When the last byte came (`performance.now()`); undefined before the request has left. */
  activity: () => number | undefined
  /** Whether the model is loaded now. undefined: the server tells nobody. */
  isLoaded?: ((signal: AbortSignal) => Promise<boolean>) | undefined
  /** Ends the request with this error. */
  fail: (error: Error) => void
}

/** A model that is missing is looked for once more (after at most this many ms): it may be between two loads. */
const SECOND_LOOK = 10_000

/**
 * Passes `events` on, with a `notice` for every `timeout` of silence. Calls `fail` when the model is no longer
 * loaded: it was listed while this request waited, or had begun to answer, and two looks do not find it.
 * The caller closes what `events` waits for.
 */
export async function* watchSilence(
  events: AsyncGenerator<ModelEvent>,
  options: SilenceOptions,
): AsyncGenerator<ModelEvent> {
  const watch = startWatch(options)
  let next = events.next()
  try {
    for (;;) {
      const first = await watch.firstOf(next)
      if ('type' in first) {
        yield first
      } else if (first.done) {
        return
      } else {
        yield first.value
        next = events.next()
      }
    }
  } finally {
    watch.stop()
  }
}

type Result = IteratorResult<ModelEvent>

function startWatch({ place, timeout, activity, isLoaded, fail }: SilenceOptions) {
  const stopped = new AbortController()
  /** Set while somebody waits: a consumer that takes its time is no silence, and may outlive the model. */
  let tell: ((notice: ModelEvent) => void) | undefined
  let hasAnswered = false
  let wasListed = false
  let misses = 0
  /** Length of the silence (ms) at which the next look is due. */
  let due = timeout
  let timer = setTimeout(check, timeout)

  function silence(): number {
    const last = activity()
    return tell === undefined || last === undefined ? 0 : performance.now() - last
  }

  async function check(): Promise<void> {
    const silent = silence()
    if (silent < timeout) due = timeout
    const wait = silent < due ? due - silent : await look()
    if (!stopped.signal.aborted) timer = setTimeout(check, wait)
  }

  /** Tells what the server says, unless something has come meanwhile. Resolves with the ms until the next look. */
  async function look(): Promise<number> {
    const isListed = await isLoaded?.(stopped.signal).catch(() => undefined)
    const silent = silence()
    if (silent < due) return timeout
    wasListed ||= isListed === true
    misses = isListed === false ? misses + 1 : 0
    const isGone = misses > 1 && (wasListed || hasAnswered)
    if (isGone) fail(streamFailure('gone', place, silent))
    else tell?.({ type: 'notice', ...silenceNotice(silent, isListed, place) })
    const wait = misses === 1 ? Math.min(timeout, SECOND_LOOK) : timeout
    due = silent + wait
    return wait
  }

  return {
    /** What comes first: the next event, or a notice. */
    async firstOf(next: Promise<Result>): Promise<Result | ModelEvent> {
      const first = await new Promise<Result | ModelEvent>((resolve, reject) => {
        tell = resolve
        next.then(resolve, reject)
      })
      tell = undefined
      hasAnswered ||= !('type' in first)
      return first
    },
    stop() {
      clearTimeout(timer)
      // With a reason: without one an error is made, stack and all, that nobody reads.
      stopped.abort('over')
    },
  }
}
