/**
 * From lines to cells: one grapheme each, a wide one with an empty cell behind it. This is the gate for all text: what
 * takes no column, control characters among it, never becomes a cell.
 */
import type { Row } from 'neo-blessed/lib/widgets/screen.js'
import { graphemeEnd, graphemeWidth, TAB_COLUMNS } from '../../text/width.ts'
import type { Line } from '../line.ts'
import { attributeOf, PLAIN } from './attributes.ts'

/** Behind a wide grapheme. */
export const REST = ''

/** UTF-16 units of one grapheme: letters with more marks than a person can tell apart are cut. */
const GRAPHEME_LIMIT = 32

/** Writes the line into the columns from `from` up to `to`; what it does not reach is blank. */
export function putLine(row: Row, line: Line, { from, to }: { from: number; to: number }): void {
  let column = from
  for (const { text, style, marks } of line) {
    column = putText(row, text, { from: column, to, attribute: attributeOf(style, marks) })
  }
  while (column < to) column = put(row, column, ' ', PLAIN)
}

interface Place {
  from: number
  to: number
  attribute: number
}

function putText(row: Row, text: string, { from, to, attribute }: Place): number {
  let column = from
  for (let at = 0; at < text.length && column < to; ) {
    const code = text.charCodeAt(at)
    // Nothing below U+0300 joins what stands before it.
    if (code >= 0x20 && code < 0x7f && !(text.charCodeAt(at + 1) >= 0x300)) {
      column = put(row, column, text[at] ?? '', attribute)
      at++
      continue
    }
    const end = graphemeEnd(text, at)
    const grapheme = text.slice(at, Math.min(end, at + GRAPHEME_LIMIT))
    at = end
    const columns = grapheme === '\t' ? TAB_COLUMNS : graphemeWidth(grapheme)
    if (columns === 0) continue
    if (grapheme === '\t' || column + columns > to) {
      const stop = Math.min(to, column + columns)
      while (column < stop) column = put(row, column, ' ', attribute)
    } else {
      column = put(row, column, grapheme, attribute)
      if (columns === 2) column = put(row, column, REST, attribute)
    }
  }
  return column
}

/** → the next column. */
function put(row: Row, column: number, grapheme: string, attribute: number): number {
  const cell = row[column]
  if (cell && (cell[1] !== grapheme || cell[0] !== attribute)) {
    cell[0] = attribute
    cell[1] = grapheme
    row.dirty = true
  }
  return column + 1
}

/** Blanks what is left of the wide graphemes of which something that was put from `from` to `to` took one half. */
export function mend(row: Row, { from, to }: { from: number; to: number }): void {
  const before = row[from - 1]
  if (before && before[1] !== REST && graphemeWidth(before[1]) === 2) put(row, from - 1, ' ', before[0])
  const behind = row[to]
  if (behind?.[1] === REST) put(row, to, ' ', behind[0])
}

export function blankRow(row: Row): void {
  for (const cell of row) {
    cell[0] = PLAIN
    cell[1] = ' '
  }
}
