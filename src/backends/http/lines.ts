/**
 * Bytes into lines. Split at the byte, decoded by the line, so that a character which arrives in two packets stays
 * one; bounded, so that a line which never ends cannot eat the memory.
 */

/** Longest line that a model server may send, in bytes. */
export const LINE_BOUND = 16 * 1024 * 1024

/** A line grew beyond the bound. */
export class LineTooLong extends Error {}

const NEWLINE = 0x0a

export class LineSplitter {
  readonly #bound: number
  #pending: Uint8Array[] = []
  #pendingBytes = 0

  /** `bound`: of a line, in bytes. */
  constructor(bound: number) {
    this.#bound = bound
  }

  /**
   * Yields each line that the chunk completes, without its end, empty ones left out. Throws `LineTooLong` as soon as a
   * line exceeds the bound.
   */
  *push(chunk: Uint8Array): Generator<string> {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (this.#pendingBytes + end - start > this.#bound) throw new LineTooLong()
      const text = this.#take(chunk.subarray(start, end))
      start = end + 1
      if (text !== '') yield text
    }
    const rest = chunk.subarray(start)
    this.#pendingBytes += rest.length
    if (this.#pendingBytes > this.#bound) throw new LineTooLong()
    if (rest.length > 0) this.#pending.push(rest)
  }

  /** What comes after the last newline; empty when nothing does. */
  finish(): string {
    return this.#take(new Uint8Array(0))
  }

  #take(part: Uint8Array): string {
    const bytes =
      this.#pending.length === 0
        ? Buffer.from(part.buffer, part.byteOffset, part.byteLength)
        : Buffer.concat([...this.#pending, part])
    this.#pending = []
    this.#pendingBytes = 0
    // trim() removes a byte order mark and the carriage return of CRLF as well.
    return bytes.toString('utf8').trim()
  }
}
