/**
 * What the `ollama` package takes for fetch and its Response: one request on our own transport. The package prints
 * to the console when bytes surprise it, knows nothing of aborts before the first token and hides errors' details;
 * so it is only ever shown what it understands: a good status and whole lines of valid JSON. Everything else has
 * become a `RunError` before.
 */
import type { IncomingMessage } from 'node:http'
import { type BodyOptions, LineBody } from './body.ts'
import {
  connectionFailure,
  httpFailure,
  isPage,
  type Place,
  pageFailure,
  redirectFailure,
  strangerFailure,
  streamFailure,
  timeoutFailure,
} from './failures.ts'
import { parseRecord } from './record.ts'
import { HttpFailure, retryAfter } from './reply.ts'
import type { Transport } from './transport.ts'

/** Bytes of an error's body that are read; the rest says nothing more. */
const ERROR_BOUND = 64 * 1024

/** How long (ms) a server may take to end a finished answer before its connection is given up. */
const GRACE = 1000

export interface ConnectionOptions {
  signal: AbortSignal | undefined
  place: Place
  /** Longest line or body, in bytes. */
  bound: number
  /** What is sent in place of the body that the package writes. */
  body?: string
  /** The whole exchange may take this long (ms); undefined: as long as it likes. */
  deadline?: number | undefined
  /** Reading the body of an error may take this long (ms). */
  timeout: number
}

export interface Connection {
  readonly fetch: typeof fetch
  /** When the last byte came or the request left (`performance.now()`); undefined before. */
  readonly activity: () => number | undefined
  /** The answer is complete: the connection may serve again once the server has ended it. */
  readonly release: () => void
  /** Closes the connection unless it was released; what still waits for it is rejected with `reason`. */
  readonly close: (reason?: Error) => void
}

interface FetchInit {
  method?: string
  headers: Record<string, string>
  body?: string
}

/** A connection for one request of the package. */
export function createConnection(transport: Transport, options: ConnectionOptions): Connection {
  const { signal, place, bound, deadline, timeout } = options
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

  async function send(url: string, init: FetchInit) {
    const answer = await transport(
      {
        url,
        method: init.method ?? 'GET',
        headers: { ...init.headers, 'Accept-Encoding': 'identity' },
        body: options.body ?? init.body,
      },
      { signal: controller.signal, place, onSent: touch },
    )
    response = answer
    touch()
    if (!isPromising(answer)) await refuse(answer)
    const reading = { bound, place, onBytes: touch, because }
    return {
      ok: true,
      body: { getReader: () => readerOf(new LineBody(answer, reading)) },
      json: () => readJson(answer, reading),
    }
  }

  /** Throws what an answer is that does not promise JSON. */
  async function refuse(answer: IncomingMessage): Promise<void> {
    const { statusCode: status = 0, headers } = answer
    if (status >= 300 && status < 400) throw redirectFailure(status, headers.location, place)
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') throw streamFailure('encoded', place, encoding)
    const body = await readError(answer, timeout)
    if (isGood(answer)) throw pageFailure(status, body, place)
    throw httpFailure(new HttpFailure(status, body, retryAfter(headers['retry-after'], Date.now())), place)
  }

  const unlink = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }

  return {
    // The package calls nothing of a Response but what `send` returns.
    fetch: send as unknown as typeof fetch,
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

function readerOf(lines: LineBody) {
  return { read: () => lines.read(), releaseLock() {} }
}

async function readJson(answer: IncomingMessage, { bound, place, onBytes, because }: BodyOptions) {
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
  if (length > bound) throw streamFailure('too_long', place, `${bound} bytes`)
  const text = Buffer.concat(parts).toString('utf8').trim()
  const value = parseRecord(text)
  if (value === undefined) throw isPage(text) ? pageFailure(200, text, place) : strangerFailure(text, place)
  return value
}
