/** A unified diff with its line numbers, old ones for what went and new ones for what came or stayed. */
import { reveal } from '../../text/sanitize.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import type { Line, Style } from '../line.ts'
import { withoutTabs } from '../spans.ts'
import type { Look } from './cell.ts'
import { folded } from './text.ts'

interface DiffRow {
  /** Undefined for what is no line of the file: the gap between hunks, a note of the diff. */
  number?: number
  sign: ' ' | '+' | '-'
  text: string
}

const STYLES = { ' ': 'plain', '+': 'added', '-': 'removed' } as const satisfies Record<string, Style>

/** What would be invisible is written out, since a person may have to judge it. */
export function changeLines(diff: string, width: number): Line[] {
  const rows = rowsOfDiff(diff)
  const gutter = gutterOf(rows, width)
  return rows.flatMap(row => rowLines(row, width, { gutter }))
}

/** The same, but of a long one no more is laid out than is shown. */
export function foldedChangeLines(
  diff: string,
  width: number,
  { most, look }: { most: number; look: Look },
): Line[] {
  if (look.unfolded) return changeLines(diff, width)
  const all = rowsOfDiff(diff)
  const rows = all.slice(0, most + 1)
  const gutter = gutterOf(rows, width)
  const lines = rows.flatMap(row => rowLines(row, width, { gutter }))
  return folded(lines, look, { most, beyond: all.length - rows.length })
}

/** Columns of the numbers; none where they would take the room, since the text counts more. */
function gutterOf(rows: readonly DiffRow[], width: number): number {
  const digits = String(Math.max(0, ...rows.map(({ number = 0 }) => number))).length
  return digits + 1 <= width / 4 ? digits + 1 : 0
}

function rowLines({ number, sign, text }: DiffRow, width: number, { gutter }: { gutter: number }): Line[] {
  if (number === undefined) return [[{ text: cut(`${' '.repeat(gutter)}  ${text}`, width), style: 'muted' }]]
  return wrap(reveal(text), Math.max(1, width - gutter - 2)).map((row, index) => [
    { text: (index === 0 ? `${number} ` : '').padStart(gutter).slice(0, gutter), style: 'muted' },
    { text: `${index === 0 ? sign : ' '} ${withoutTabs(row)}`, style: STYLES[sign] },
  ])
}

function rowsOfDiff(diff: string): DiffRow[] {
  const rows: DiffRow[] = []
  let before = 0
  let after = 0
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    const text = line.slice(1)
    if (hunk) {
      before = Number(hunk[1])
      after = Number(hunk[2])
      if (rows.length > 0) rows.push({ sign: ' ', text: '⋯' })
    } else if (line.startsWith('+')) rows.push({ number: after++, sign: '+', text })
    else if (line.startsWith('-')) rows.push({ number: before++, sign: '-', text })
    else if (line.startsWith(' ')) {
      rows.push({ number: after++, sign: ' ', text })
      before++
    } else if (line.startsWith('\\')) rows.push({ sign: ' ', text: text.trim() })
  }
  return rows
}
