/** Which failures are tried again, when, and how often. A request that the server has taken is never among them. */
import { RunError } from '../../protocol/errors.ts'
import type { Told } from '../../protocol/sayings.ts'
import { type Place, retryNotice } from './failures.ts'
import { HttpFailure } from './reply.ts'

export interface RetryOptions {
  /** Waits (ms) before asking again after a refused connection: Ollama may be starting. */
  refused: readonly number[]
  /** Waits (ms) after 429, 502, 503, 504 and 529. */
  busy: readonly number[]
}

export const DEFAULT_RETRY: RetryOptions = { refused: [300, 500], busy: [1000, 2000, 4000, 8000] }

/** Longest wait (ms) that a server's `Retry-After` may ask for. */
const PATIENCE = 30_000

const BUSY_STATUS = new Set([429, 502, 503, 504, 529])

/** `notice` is what the person is told before the wait. */
export interface Retry {
  wait: number
  notice?: Told
}

/** The plan of one request: ask it after each failure; undefined means that the failure stands. */
export function planRetries(options: RetryOptions, place: Place): (error: unknown) => Retry | undefined {
  const refused = options.refused.values()
  const busy = options.busy.values()
  return error => {
    const cause = error instanceof RunError ? error.cause : undefined
    if (cause instanceof HttpFailure) {
      const wait = BUSY_STATUS.has(cause.status) ? busy.next().value : undefined
      if (wait === undefined) return undefined
      const asked = Math.min(Math.max(wait, cause.retryAfter ?? 0), PATIENCE)
      return { wait: asked, notice: retryNotice(cause, asked, place) }
    }
    const wait =
      (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED' ? refused.next().value : undefined
    return wait === undefined ? undefined : { wait }
  }
}

/** Waits `ms`; throws the signal's reason at once when it fires. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
