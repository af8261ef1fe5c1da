/**
 * Bytes into lines. Split at the byte, decoded by the line, so that a character which arrives in two packets stays
 * one; bounded, so that a line which never ends cannot eat the memory.
 */

/** Longest line that a model server may send, in bytes. */
export const LINE_BOUND = 16 * 1024 * 1024

/** A line grew beyond the bound. */
export class LineTooLong extends Error {}

const NEWLINE = 0x0a

/**
 * Yields each line without its end, empty ones left out, as soon as its last byte is there; then what stands after
 * the last newline with `whole: false`. Throws `LineTooLong` as soon as a line exceeds `bound` bytes.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  bound: number,
): AsyncGenerator<{ text: string; whole: boolean }> {
  let pending: Uint8Array[] = []
  let pendingBytes = 0
  const take = (part: Uint8Array): string => {
    const bytes =
      pending.length === 0
        ? Buffer.from(part.buffer, part.byteOffset, part.byteLength)
        : Buffer.concat([...pending, part])
    pending = []
    pendingBytes = 0
    // trim() removes a byte order mark and the carriage return of CRLF as well.
    return bytes.toString('utf8').trim()
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (pendingBytes + end - start > bound) throw new LineTooLong()
      const text = take(chunk.subarray(start, end))
      start = end + 1
      if (text !== '') yield { text, whole: true }
    }
    const rest = chunk.subarray(start)
    pendingBytes += rest.length
    if (pendingBytes > bound) throw new LineTooLong()
    if (rest.length > 0) pending.push(rest)
  }
  const text = take(new Uint8Array(0))
  if (text !== '') yield { text, whole: false }
}
