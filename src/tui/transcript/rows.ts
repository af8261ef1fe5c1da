/** Rows of a cell that were laid out again: which of them are the same as before, and where a place has gone. */
import type { Line } from '../line.ts'
import { isSameLine, widthOf } from '../spans.ts'

/** Lines that did not change stay the same objects, by which whoever draws them sees what moved. */
export function keepEqual(before: readonly Line[], rows: Line[]): void {
  const most = Math.min(before.length, rows.length)
  for (let index = 0; index < most; index++) {
    const old = before[index]
    const line = rows[index]
    if (old && line && isSameLine(old, line)) rows[index] = old
  }
}

/** Spaces are not counted: where a line is broken they come and go. */
export function charactersBefore(rows: readonly Line[], line: number): number {
  let count = 0
  for (const row of rows.slice(0, line)) count += charactersIn(row)
  return count
}

/** The last row that has no more than so many characters before it. */
export function lineAt(rows: readonly Line[], characters: number): number {
  let count = 0
  for (const [index, row] of rows.entries()) {
    count += charactersIn(row)
    if (count > characters) return index
  }
  return Math.max(0, rows.length - 1)
}

function charactersIn(line: Line): number {
  let count = 0
  for (const { text } of line) {
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== 0x20) count++
  }
  return count
}

/** To the right edge, so that the person's own words are seen from afar. */
export function banded(rows: readonly Line[], width: number): readonly Line[] {
  return rows.map(line => {
    if (line.length === 0) return line
    const own = line.map(span => (span.style === 'plain' ? { ...span, style: 'own' as const } : span))
    const rest = width - widthOf(line)
    return rest > 0 ? [...own, { text: ' '.repeat(rest), style: 'own' as const }] : own
  })
}
