/**
 * From lines to cells: one grapheme each, a wide one with an empty cell after it. This is the gate for all text: what
 * takes no column, control characters among it, never becomes a cell.
 */
import type { Row } from 'neo-blessed/lib/widgets/screen.js'
import { graphemeEnd, graphemeWidth } from '../../text/width.ts'
import type { Line } from '../line.ts'
import { attributeOf, PLAIN } from './attributes.ts'

/** After a wide grapheme. */
export const REST = ''

/** Of one grapheme, in UTF-16. */
const MOST_UNITS = 32

/** What all characters from U+E0000 begin with: tags and selectors that nobody sees. */
const TAG = '\udb40'

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
    // Nothing below U+0300 joins what comes before it.
    if (code >= 0x20 && code < 0x7f && !(text.charCodeAt(at + 1) >= 0x300)) {
      column = put(row, column, text[at] ?? '', attribute)
      at++
      continue
    }
    const end = graphemeEnd(text, at)
    const grapheme = passed(text.slice(at, end))
    const columns = graphemeWidth(grapheme)
    at = end
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

/**
 * What may be drawn of a grapheme: nothing if it takes no column (a control character, something invisible), without the
 * tags that may ride on another, and with no more marks than a person can tell apart.
 */
export function passed(grapheme: string): string {
  if (graphemeWidth(grapheme) === 0) return ''
  const text = grapheme.includes(TAG) ? grapheme.replaceAll(/\udb40[\udc00-\udfff]/g, '') : grapheme
  return text.length > MOST_UNITS ? text.slice(0, MOST_UNITS).replace(/[\ud800-\udbff]$/, '') : text
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

/** Clears what is left of the wide graphemes of which something that was put from `from` to `to` took one half. */
export function mend(row: Row, { from, to }: { from: number; to: number }): void {
  const before = row[from - 1]
  if (before && before[1] !== REST && graphemeWidth(before[1]) === 2) put(row, from - 1, ' ', before[0])
  const behind = row[to]
  if (behind?.[1] === REST) put(row, to, ' ', behind[0])
}

/**
 * A row without cells is blank: most rows of a first frame are, and cells are made only for those that are not. A row
 * that has some has all of them.
 */
export function fillRow(row: Row, columns: number): void {
  while (row.length < columns) row.push([PLAIN, ' '])
}

export function blankRows(count: number): Row[] {
  return Array.from({ length: count }, () => Object.assign([], { dirty: false }))
}

export function blankRow(row: Row): void {
  for (const cell of row) {
    cell[0] = PLAIN
    cell[1] = ' '
  }
}
