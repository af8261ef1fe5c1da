/**
 * Tables in columns that fit the width, cells wrapped; where the columns would be too narrow to read, rows as lists of
 * `head: value`. The columns are made by the first rows alone, so that a long table looks the same in parts.
 */
import { BOLD, type Line, type Span } from '../line.ts'
import { widthOf, wrapSpans } from '../spans.ts'
import { TABLE_ROWS } from './block.ts'
import type { Alignment } from './marks.ts'
import type { Table } from './parts.ts'

type Cell = readonly Line[]

const SEPARATOR: Span = { text: ' │ ', style: 'muted' }
/** Narrower, a column cannot be read. */
const NARROWEST = 6

export function tableLines({ alignments, skip, rows }: Table, width: number): Line[] {
  const [head = [], ...body] = rows
  const shown = body.slice(skip ?? 0)
  const columns = columnWidths([head, ...body.slice(0, TABLE_ROWS)], width)
  if (!columns) return shown.flatMap(row => listLines(head, row, width))
  const lines = shown.flatMap(row => rowLines(row, columns, alignments))
  if (skip !== undefined) return lines
  const rule = columns.map(columnWidth => '─'.repeat(columnWidth)).join('─┼─')
  return [...rowLines(head.map(bold), columns, alignments), [{ text: rule, style: 'muted' }], ...lines]
}

/** As wide as their widest line; where that is too much, wide ones share what narrow ones leave. */
function columnWidths(rows: readonly (readonly Cell[])[], width: number): number[] | undefined {
  const count = rows[0]?.length ?? 0
  const natural = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map(row => Math.max(0, ...(row[column] ?? []).map(widthOf)))),
  )
  let room = width - SEPARATOR.text.length * (count - 1)
  const widths = [...natural]
  const byWidth = natural.map((columns, index) => ({ columns, index })).sort((a, b) => a.columns - b.columns)
  for (const [done, { columns, index }] of byWidth.entries()) {
    const share = Math.floor(room / (count - done))
    const given = Math.min(columns, share)
    if (given < Math.min(columns, NARROWEST)) return undefined
    widths[index] = given
    room -= given
  }
  return widths
}

function rowLines(
  row: readonly Cell[],
  columns: readonly number[],
  alignments: readonly Alignment[],
): Line[] {
  const cells = columns.map((columnWidth, column) =>
    (row[column] ?? []).flatMap(line => wrapSpans(line, columnWidth)),
  )
  const height = Math.max(1, ...cells.map(lines => lines.length))
  return Array.from({ length: height }, (_, at) =>
    columns.flatMap((columnWidth, column): Span[] => {
      const isLast = column === columns.length - 1
      const line = cells[column]?.[at] ?? []
      const cell = padded(line, columnWidth, { alignment: alignments[column] ?? 'left', isLast })
      return column === 0 ? cell : [SEPARATOR, ...cell]
    }),
  )
}

function padded(
  line: Line,
  width: number,
  { alignment, isLast }: { alignment: Alignment; isLast: boolean },
): Span[] {
  const blanks = Math.max(0, width - widthOf(line))
  const before = alignment === 'right' ? blanks : alignment === 'center' ? Math.floor(blanks / 2) : 0
  return [...blank(before), ...line, ...blank(isLast ? 0 : blanks - before)]
}

const blank = (columns: number): Span[] =>
  columns > 0 ? [{ text: ' '.repeat(columns), style: 'plain' }] : []

function listLines(head: readonly Cell[], row: readonly Cell[], width: number): Line[] {
  return row.flatMap((cell, column) => {
    const name = bold(head[column] ?? []).flatMap((line, index) => (index === 0 ? line : [SPACE, ...line]))
    const value = cell.flatMap((line, index) => (index === 0 ? line : [SPACE, ...line]))
    const sign: Span = { text: column === 0 ? '• ' : '  ', style: 'muted' }
    const colon: Span[] = name.length > 0 ? [{ text: ': ', style: 'muted' }] : []
    return wrapSpans([...name, ...colon, ...value], width - 2).map((line, index) => [
      index === 0 ? sign : { text: '  ', style: 'plain' as const },
      ...line,
    ])
  })
}

const SPACE: Span = { text: ' ', style: 'plain' }

const bold = (cell: Cell): Cell =>
  cell.map(line => line.map(span => ({ ...span, marks: (span.marks ?? 0) | BOLD })))
