/** An answer with another status than 2xx, and the words that it holds, however they are wrapped. */
import { isRecord } from '../../text/record.ts'

/** The `cause` of the `RunError` that such an answer becomes; its message is the body as it came. */
export class HttpFailure extends Error {
  readonly status: number
  /** What `Retry-After` asks for, in ms. */
  readonly retryAfter: number | undefined
  constructor(status: number, body: string, retryAfter?: number) {
    super(body)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** More wrappings than this are no error message but somebody's joke. */
const MOST_WRAPPINGS = 8

/**
 * The words of an error: Ollama sends `{"error": "…"}`; since 0.30 that text may be llama-server's own answer,
 * `{"error": {"message": "…"}}` as JSON once more.
 */
export function errorWords(error: unknown): string {
  let words = error
  for (let depth = 0; depth < MOST_WRAPPINGS; depth += 1) {
    const inner = typeof words === 'string' ? parse(words) : words
    if (!isRecord(inner)) break
    words = inner.error ?? inner.message ?? words
  }
  if (typeof words === 'string') return words
  return words === undefined || words === null ? '' : JSON.stringify(words)
}

/** Where Ollama wants the person to sign in, if its error says so. */
export function signinAddress(body: string): string | undefined {
  const parsed = parse(body)
  return isRecord(parsed) && typeof parsed.signin_url === 'string' ? parsed.signin_url : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `Retry-After` in ms: seconds or a date; undefined when it is neither. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
