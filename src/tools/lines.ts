/** A range of lines out of a file of any size, read in pieces: memory stays bounded by what is asked for. */
import type { FileHandle } from 'node:fs/promises'

export interface LineRange {
  /** The first line, counted from 1. */
  from: number
  /** At most so many lines, */
  lines: number
  /** and at most so many bytes of them (but always one line). */
  bytes: number
  /** Bytes that are kept of one line. */
  lineBytes: number
}

export interface Line {
  /** Without its line end, which may be `\n` or `\r\n`; the beginning alone if it was longer than `lineBytes`. */
  bytes: Buffer
  /** Bytes of the whole line. */
  length: number
}

export interface Lines {
  found: Line[]
  /** Lines in the file. */
  total: number
  /** `total` is reckoned from the size: the file goes on for more than was worth counting. */
  estimated: boolean
}

const pieceSize = 256 * 1024
/** How far after the range lines are still counted one by one. */
const countedBehind = 64 * 1024 * 1024
const newline = 10
const carriageReturn = 13

/** Reads from the file's beginning. `size` is the file's size in bytes, for the estimate. */
export async function readLines(
  handle: FileHandle,
  range: LineRange,
  { size, signal }: { size: number; signal: AbortSignal },
): Promise<Lines> {
  const piece = Buffer.allocUnsafe(pieceSize)
  const collector = collect(range)
  let number = 1
  let position = 0
  let behind = 0
  let last = newline
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(piece, 0, pieceSize, position)
    if (bytesRead === 0) break
    position += bytesRead
    last = piece[bytesRead - 1] ?? newline
    number = collector.done
      ? number + countNewlines(piece, 0, bytesRead)
      : scan(piece.subarray(0, bytesRead), number, collector)
    if (collector.done && (behind += bytesRead) > countedBehind && position < size) {
      return { found: collector.found, total: Math.round((number / position) * size), estimated: true }
    }
  }
  if (last !== newline && number >= range.from) collector.end()
  return { found: collector.found, total: last === newline ? number - 1 : number, estimated: false }
}

interface Collector {
  readonly from: number
  readonly found: Line[]
  readonly done: boolean
  /** A part of the current line. */
  add(part: Buffer): void
  /** The current line is over. */
  end(): void
}

function collect({ from, lines, bytes, lineBytes }: LineRange): Collector {
  const found: Line[] = []
  let parts: Buffer[] = []
  let kept = 0
  let length = 0
  let total = 0
  let done = false
  return {
    from,
    found,
    get done() {
      return done
    },
    add(part) {
      length += part.length
      if (kept >= lineBytes) return
      const copy = Buffer.from(part.subarray(0, lineBytes - kept))
      kept += copy.length
      parts.push(copy)
    },
    end() {
      if (done) return
      const whole = Buffer.concat(parts)
      const isCrlf = whole.length === length && whole.at(-1) === carriageReturn
      const line = isCrlf ? { bytes: whole.subarray(0, -1), length: length - 1 } : { bytes: whole, length }
      parts = []
      kept = 0
      length = 0
      total += line.bytes.length
      done = total > bytes && found.length > 0
      if (!done) found.push(line)
      done ||= found.length === lines
    },
  }
}

/** Hands the lines of the range to the collector; returns the number of the line in which the piece ends. */
function scan(piece: Buffer, first: number, collector: Collector): number {
  let number = first
  let start = 0
  while (number < collector.from) {
    const end = piece.indexOf(newline, start)
    if (end < 0) return number
    start = end + 1
    number++
  }
  while (!collector.done) {
    const end = piece.indexOf(newline, start)
    collector.add(piece.subarray(start, end < 0 ? piece.length : end))
    if (end < 0) return number
    collector.end()
    start = end + 1
    number++
  }
  return number + countNewlines(piece, start, piece.length)
}

function countNewlines(piece: Buffer, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) if (piece[at] === newline) count++
  return count
}
