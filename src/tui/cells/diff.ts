/** A unified diff with its line numbers, old ones for what went and new ones for what came or stayed. */
import { reveal } from '../../text/sanitize.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import type { Line, Style } from '../line.ts'
import { withoutTabs } from '../spans.ts'

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
  const digits = String(Math.max(0, ...rows.map(({ number = 0 }) => number))).length
  // The text counts more than the numbers.
  const gutter = digits + 1 <= width / 4 ? digits + 1 : 0
  const room = Math.max(1, width - gutter - 2)
  return rows.flatMap(({ number, sign, text }): Line[] => {
    if (number === undefined)
      return [[{ text: cut(`${' '.repeat(gutter)}  ${text}`, width), style: 'muted' }]]
    return wrap(reveal(text), room).map((row, index) => [
      { text: (index === 0 ? `${number} ` : '').padStart(gutter).slice(0, gutter), style: 'muted' },
      { text: `${index === 0 ? sign : ' '} ${withoutTabs(row)}`, style: STYLES[sign] },
    ])
  })
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
