/**
 * The body of an answer, line by line. Bytes are taken as they come and wait here as lines that the `ollama` package can
 * read: between the last of a reply and whoever waits for it there is one promise, and no stream of streams.
 */
import type { IncomingMessage } from 'node:http'
import { parseRecord } from '../../text/record.ts'
import type { Reading } from '../http/connection.ts'
import { isPage, pageFailure, streamFailure } from '../http/failures.ts'
import { LineSplitter, LineTooLong } from '../http/lines.ts'
import { errorLineFailure } from './failures.ts'

/** Lines that may wait before the server is made to wait. */
const MOST_WAITING = 256

type Line = IteratorResult<Uint8Array, undefined>

const ended: Line = { done: true, value: undefined }

/** Whatever is no line that can be read, and an end without a final record, becomes a `RunError`. */
export class LineBody {
  readonly #response: IncomingMessage
  readonly #options: Reading
  readonly #splitter: LineSplitter
  #lines: Uint8Array[] = []
  #waiting: { resolve(line: Line): void; reject(error: unknown): void } | undefined
  #count = 0
  /** The final record has come. */
  #done = false
  #end: { failure: unknown } | undefined

  constructor(response: IncomingMessage, options: Reading) {
    this.#response = response
    this.#options = options
    this.#splitter = new LineSplitter(options.bound)
    response.on('data', (chunk: Uint8Array) => this.#attempt(() => this.#take(chunk)))
    response.on('end', () => this.#attempt(() => this.#finish()))
    response.on('error', error => this.#over(options.because(error)))
    response.on('close', () => this.#over(options.because(new Error('the answer was closed'))))
  }

  /** The next line with its newline, then `done`. Rejects with what is wrong, once the lines before it were read. */
  read(): Promise<Line> {
    const line = this.#lines.shift()
    if (line) {
      if (this.#lines.length === 0) this.#response.resume()
      return Promise.resolve({ done: false, value: line })
    }
    if (this.#end)
      return this.#end.failure === undefined ? Promise.resolve(ended) : Promise.reject(this.#end.failure)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  #attempt(step: () => void): void {
    if (this.#end) return
    try {
      step()
    } catch (error) {
      const { bound, place } = this.#options
      this.#over(error instanceof LineTooLong ? streamFailure('too_long', place, bound) : error)
    }
  }

  #take(chunk: Uint8Array): void {
    this.#options.onBytes()
    for (const text of this.#splitter.push(chunk)) this.#hand(this.#checked(text, true))
    if (this.#lines.length > MOST_WAITING) this.#response.pause()
  }

  #finish(): void {
    const rest = this.#splitter.finish()
    if (rest !== '') this.#hand(this.#checked(rest, false))
    if (!this.#done) throw streamFailure(this.#count === 0 ? 'empty' : 'unfinished', this.#options.place)
    this.#over(undefined)
  }

  #checked(text: string, whole: boolean): Uint8Array {
    const { place } = this.#options
    const value = parseRecord(text)
    if (value === undefined && isPage(text)) throw pageFailure(200, text, place)
    if (value === undefined && !whole) throw streamFailure('cut_line', place)
    if (value === undefined) throw streamFailure('no_json', place, text)
    if ('error' in value) throw errorLineFailure(value.error, place)
    this.#count += 1
    // Of a reply, or of a download.
    this.#done ||= value.done === true || value.status === 'success'
    return Buffer.from(`${text}\n`)
  }

  #hand(value: Uint8Array): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) waiting.resolve({ done: false, value })
    else this.#lines.push(value)
  }

  #over(failure: unknown): void {
    this.#end ??= { failure }
    const waiting = this.#waiting
    this.#waiting = undefined
    if (failure === undefined) waiting?.resolve(ended)
    else waiting?.reject(failure)
  }
}
