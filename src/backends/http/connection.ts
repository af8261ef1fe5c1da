/**
 * One request on our own transport, from its first byte to its last: an answer is handed out only when its head promises
 * what was asked for; everything else has become a `RunError` before.
 */
import type { IncomingMessage } from 'node:http'
import type { RunError } from '../../protocol/errors.ts'
import { parseRecord } from '../../text/record.ts'
import {
  connectionFailure,
  isPage,
  type Place,
  pageFailure,
  redirectFailure,
  streamFailure,
  timeoutFailure,
} from './failures.ts'
import { HttpFailure, retryAfter } from './reply.ts'
import type { Transport } from './transport.ts'

/** Bytes of an error's body that are read; the rest says nothing more. */
const ERROR_BOUND = 64 * 1024
/** How long (ms) they may take. */
const ERROR_PATIENCE = 10_000

/** How long (ms) a server may take to end a finished answer before its connection is given up. */
const GRACE = 1000

export interface ConnectionOptions {
  signal: AbortSignal | undefined
  place: Place
  /** Longest line or body, in bytes. */
  bound: number
  /** What the server's own kind makes of an answer with an error status, and of one that is no JSON object. */
  refusal: Refusal
  /** The whole exchange may take this long (ms); undefined: as long as it likes. */
  deadline?: number | undefined
  /** Reading the body of an error may take this long (ms), if it is not longer than gopi's own patience with one. */
  timeout: number
}

export interface Refusal {
  http(failure: HttpFailure, place: Place): RunError
  stranger(words: string, place: Place): RunError
}

/** How a body is read. */
export interface Reading {
  /** Longest line or body, in bytes. */
  bound: number
  place: Place
  /** Bytes have come. */
  onBytes(): void
  /** What a failure really is: the reason of an abort comes before what it does to the connection. */
  because(error: unknown): unknown
}

export interface Outgoing {
  url: string
  /** Default: GET. */
  method?: string
  headers: Record<string, string>
  body?: string | undefined
}

export interface Connection {
  /** Resolves with an answer whose body may be read. Rejects with `RunError`, or the signal's reason. */
  readonly open: (outgoing: Outgoing) => Promise<IncomingMessage>
  readonly reading: Reading
  /** The whole of an answer. Rejects with `RunError`. */
  readonly json: (answer: IncomingMessage) => Promise<Record<string, unknown>>
  /** When the last byte came or the request left (`performance.now()`); undefined before. */
  readonly activity: () => number | undefined
  /** The answer is complete: the connection may serve again once the server has ended it. */
  readonly release: () => void
  /** Closes the connection unless it was released; what still waits for it is rejected with `reason`. */
  readonly close: (reason?: Error) => void
}

/** A connection for one request. */
export function createConnection(transport: Transport, options: ConnectionOptions): Connection {
  const { signal, place, bound, deadline, timeout, refusal } = options
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal?.reason)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = deadline === undefined ? undefined : setTimeout(onDeadline, deadline, deadline)
  let activity: number | undefined
  let response: IncomingMessage | undefined
  let released = false

  function onDeadline(ms: number): void {
    controller.abort(timeoutFailure(ms, activity === undefined ? 'connecting' : 'waiting', place))
  }

  const touch = () => {
    activity = performance.now()
  }
  const because = (error: unknown): unknown =>
    controller.signal.aborted ? controller.signal.reason : connectionFailure(error, 'reading', place)

  const reading: Reading = { bound, place, onBytes: touch, because }

  async function open({ url, method = 'GET', headers, body }: Outgoing): Promise<IncomingMessage> {
    const answer = await transport.exchange(
      { url, method, headers: { ...headers, 'Accept-Encoding': 'identity' }, body },
      { signal: controller.signal, place, onSent: touch },
    )
    response = answer
    touch()
    if (!isPromising(answer)) await refuse(answer)
    return answer
  }

  /** Throws what an answer is that does not promise JSON. */
  async function refuse(answer: IncomingMessage): Promise<void> {
    const { statusCode: status = 0, headers } = answer
    if (status >= 300 && status < 400) throw redirectFailure(status, headers.location, place)
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') throw streamFailure('encoded', place, encoding)
    const body = await readError(answer, Math.min(timeout, ERROR_PATIENCE))
    if (isGood(answer)) throw pageFailure(status, body, place)
    throw refusal.http(new HttpFailure(status, body, retryAfter(headers['retry-after'], Date.now())), place)
  }

  const unlink = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }

  return {
    open,
    reading,
    json: answer => readJson(answer, reading, refusal),
    activity: () => activity,
    release() {
      released = true
      unlink()
      if (response) letEnd(response)
    },
    close(reason) {
      if (released) return
      unlink()
      controller.abort(reason)
    },
  }
}

const isGood = ({ statusCode: status = 0 }: IncomingMessage): boolean => status >= 200 && status < 300

/** Whether the head promises an answer in JSON. */
function isPromising(answer: IncomingMessage): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = answer.headers
  return isGood(answer) && encoding === 'identity' && !/html/i.test(type)
}

/** Waits for the end of a finished answer, so that its connection can serve again; more bytes or none: it is closed. */
function letEnd(response: IncomingMessage): void {
  if (response.readableEnded) return
  const give = () => response.destroy()
  const timer = setTimeout(give, GRACE)
  response.once('data', give)
  response.once('close', () => clearTimeout(timer))
  response.resume()
}

/** The beginning of an error's body: as much as comes within `timeout` ms, whatever happens to the rest. */
async function readError(response: IncomingMessage, timeout: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(), timeout)
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      if (text.length > ERROR_BOUND) break
    }
  } catch {
    // The status says enough.
  }
  clearTimeout(timer)
  return text
}

async function readJson(
  answer: IncomingMessage,
  { bound, place, onBytes, because }: Reading,
  refusal: Refusal,
): Promise<Record<string, unknown>> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      onBytes()
      length += chunk.length
      if (length > bound) break
      parts.push(chunk)
    }
  } catch (error) {
    throw because(error)
  }
  if (length > bound) throw streamFailure('too_long', place, bound)
  const text = Buffer.concat(parts).toString('utf8').trim()
  const value = parseRecord(text)
  if (value === undefined) throw isPage(text) ? pageFailure(200, text, place) : refusal.stranger(text, place)
  return value
}
