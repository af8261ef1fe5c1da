/**
 * What the `ollama` package takes for fetch and its Response: one request on our own transport. The package prints
 * to the console when bytes surprise it, knows nothing of aborts before the first token and hides errors' details;
 * so it is only ever shown what it understands: a good status and whole lines of valid JSON. Everything else has
 * become a `RunError` before.
 */
import type { IncomingMessage } from 'node:http'
import {
  connectionFailure,
  errorLineFailure,
  httpFailure,
  isPage,
  type Place,
  pageFailure,
  redirectFailure,
  strangerFailure,
  streamFailure,
  timeoutFailure,
} from './failures.ts'
import { LineTooLong, splitLines } from './lines.ts'
import { isRecord } from './record.ts'
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
  let chunks: AsyncGenerator<Uint8Array> | undefined
  let response: IncomingMessage | undefined
  let released = false

  function onDeadline(ms: number): void {
    controller.abort(timeoutFailure(ms, activity === undefined ? 'connecting' : 'waiting', place))
  }

  async function* read(from: IncomingMessage): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of from) {
        activity = performance.now()
        yield chunk as Uint8Array
      }
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason
      throw connectionFailure(error, 'reading', place)
    }
  }

  async function send(url: string, init: FetchInit) {
    response = await transport(
      {
        url: new URL(url),
        method: init.method ?? 'GET',
        headers: { ...init.headers, 'Accept-Encoding': 'identity' },
        body: init.body,
      },
      { signal: controller.signal, place, onSent: () => (activity = performance.now()) },
    )
    activity = performance.now()
    await refuse(response)
    chunks = read(response)
    const body = chunks
    return {
      ok: true,
      body: { getReader: () => readerOf(checkedLines(body, { bound, place })) },
      json: () => readJson(body, { bound, place }),
    }
  }

  /** Throws unless the head promises an answer in JSON. */
  async function refuse(answer: IncomingMessage): Promise<void> {
    const { statusCode: status = 0, headers } = answer
    if (status >= 300 && status < 400) throw redirectFailure(status, headers.location, place)
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') throw streamFailure('encoded', place, encoding)
    const isGood = status >= 200 && status < 300
    if (isGood && !/html/i.test(headers['content-type'] ?? '')) return
    const body = await readError(answer, timeout)
    if (isGood) throw pageFailure(status, body, place)
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
      if (chunks && response) void drain(chunks, response)
    },
    close(reason) {
      if (released) return
      unlink()
      controller.abort(reason)
    },
  }
}

/** Waits for the end of a finished answer, so that its connection can serve again; more bytes or none: it is closed. */
async function drain(chunks: AsyncGenerator<Uint8Array>, response: IncomingMessage): Promise<void> {
  const timer = setTimeout(() => response.destroy(), GRACE)
  try {
    if (!(await chunks.next()).done) response.destroy()
  } catch {
    // The answer was complete; how its connection ends matters to nobody.
  }
  clearTimeout(timer)
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

interface BodyOptions {
  bound: number
  place: Place
}

/** Lines that the package can read; whatever is none, and an end without a final record, becomes a `RunError`. */
async function* checkedLines(
  chunks: AsyncIterable<Uint8Array>,
  { bound, place }: BodyOptions,
): AsyncGenerator<Uint8Array, undefined> {
  let count = 0
  let done = false
  try {
    for await (const { text, whole } of splitLines(chunks, bound)) {
      const value = parseLine(text)
      if (value === undefined && isPage(text)) throw pageFailure(200, text, place)
      if (value === undefined && !whole) throw streamFailure('cut_line', place)
      if (value === undefined) throw streamFailure('no_json', place, text)
      if ('error' in value) throw errorLineFailure(value.error, place)
      count += 1
      done ||= value.done === true
      yield Buffer.from(`${text}\n`)
    }
  } catch (error) {
    if (error instanceof LineTooLong) throw streamFailure('too_long', place, `${bound} bytes`)
    throw error
  }
  if (!done) throw streamFailure(count === 0 ? 'empty' : 'unfinished', place)
  return undefined
}

function readerOf(lines: AsyncGenerator<Uint8Array, undefined>) {
  return { read: () => lines.next(), releaseLock() {} }
}

async function readJson(chunks: AsyncIterable<Uint8Array>, { bound, place }: BodyOptions) {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > bound) throw streamFailure('too_long', place, `${bound} bytes`)
    parts.push(chunk)
  }
  const text = Buffer.concat(parts).toString('utf8').trim()
  const value = parseLine(text)
  if (value === undefined) throw isPage(text) ? pageFailure(200, text, place) : strangerFailure(text, place)
  return value
}

function parseLine(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
