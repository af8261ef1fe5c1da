import type { FileHandle } from 'node:fs/promises'
import * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import type { SeenFile } from '../protocol/messages.ts'
import { characterStart, count, plural, size } from '../text/truncate.ts'
import { defineTool } from './define.ts'
import { maxHashed } from './ledger.ts'
import { type Line, readLines } from './lines.ts'
import { openRegular } from './open.ts'
import { pathParameter } from './path.ts'
import { decodeUtf8, notUtf8, refuseBinary } from './plain-text.ts'

export interface ReadDetails {
  path: string
  /** The lines that were shown, counted from 1; `to` is `from - 1` when there were none. */
  from: number
  to: number
  /** Lines in the file. */
  total: number
  seen: SeenFile
}

const maxBytes = 64 * 1024
const maxLineLength = 2000
/** UTF-8 takes at most three bytes for one UTF-16 unit; the last character may be cut. */
const maxLineBytes = 3 * (maxLineLength + 1)
/** Room for the notice, in bytes. */
const noticeBytes = 100

/**
 * Lines are shown as `12<tab>text`: of the clear ways to number lines it costs the fewest tokens. `\r` before a line
 * end and a byte-order mark are not shown; edit does without them too.
 */
export const read = defineTool({
  name: 'read',
  mends: 'files',
  parameters: z.object({
    path: pathParameter(),
    offset: z.optional(z.int().check(z.minimum(0), z.describe('first line, from 1'))),
    limit: z.optional(z.int().check(z.minimum(1), z.describe('number of lines'))),
  }),
  description: 'Read a text file. Lines come as number, tab, text.',
  narrow: 'Use offset and limit.',

  access: ({ path }) => [{ read: path }],

  async execute({ path, offset, limit }, context) {
    const { signal, limits, budget, files } = context
    const { handle, shown, real, stats } = await openRegular(path, context)
    try {
      const from = Math.max(1, offset ?? 1)
      const lines = Math.min(limit ?? limits.read_max_lines, limits.read_max_lines)
      await refuseBinary(handle, shown, stats.size)
      // Before the lines: what changes in between is found out, not missed.
      const content = await wholeOf(handle, stats.size)
      const range = { from, lines, bytes: maxBytes, lineBytes: maxLineBytes }
      const { found, total, estimated } = await readLines(handle, range, { size: stats.size, signal })
      const printed = print(found, { from, shown, room: budget - noticeBytes })
      const to = from + printed.length - 1
      const saw = (): ReadDetails => ({
        path: shown,
        from,
        to,
        total,
        seen: files.saw({ real, stats, content }),
      })
      if (total === 0) return { output: `${shown} is empty.`, details: saw() }
      if (printed.length === 0) {
        throw new ToolError(`offset ${count(from)} is past the end: ${shown} has ${plural(total, 'line')}.`)
      }
      if (to < total) {
        const all = estimated ? `about ${count(total)}` : count(total)
        printed.push(`Showing lines ${count(from)}–${count(to)} of ${all}. Use offset=${to + 1}.`)
      }
      return { output: printed.join('\n'), details: saw() }
    } finally {
      await handle.close()
    }
  },
})

async function wholeOf(handle: FileHandle, bytes: number): Promise<Buffer | undefined> {
  if (bytes > maxHashed) return undefined
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(bytes), 0, bytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** The numbered lines, as many as `room` bytes take, but at least one. */
function print(
  found: Line[],
  { from, shown, room }: { from: number; shown: string; room: number },
): string[] {
  const printed: string[] = []
  let left = room
  for (const [at, line] of found.entries()) {
    const text = `${from + at}\t${decode(line, { shown, number: from + at })}`
    left -= Buffer.byteLength(text) + 1
    if (left < 0 && printed.length > 0) break
    printed.push(text)
  }
  return printed
}

function decode({ bytes, length }: Line, { shown, number }: { shown: string; number: number }): string {
  const isCut = bytes.length < length
  const text = decodeUtf8(isCut ? bytes.subarray(0, lastCharacterEnd(bytes)) : bytes)
  if (text === undefined) throw notUtf8(`${shown} is not UTF-8 text (line ${count(number)})`)
  if (text.includes('\0')) throw new ToolError(`${shown} is a binary file; read shows text only.`)
  const plain = number === 1 ? text.replace(/^\ufeff/, '') : text
  if (!isCut && plain.length <= maxLineLength) return plain
  const shownPart = plain.slice(0, maxLineLength).replace(/[\ud800-\udbff]$/, '')
  return `${shownPart}… [line cut: ${size(length)}]`
}

/** The end of the last whole character of a line that was cut somewhere. */
function lastCharacterEnd(bytes: Buffer): number {
  return characterStart(bytes, bytes.length - 1)
}
