/** Rows of a cell that were laid out again: which of them are the same as before, and where a place has gone. */
import type { Line } from '../line.ts'

/** Lines that did not change stay the same objects, by which whoever draws them sees what moved. */
export function keepEqual(before: readonly Line[], rows: Line[]): void {
  const most = Math.min(before.length, rows.length)
  for (let index = 0; index < most; index++) {
    const old = before[index]
    const line = rows[index]
    if (old && line && isSameLine(old, line)) rows[index] = old
  }
}

function isSameLine(one: Line, other: Line): boolean {
  return (
    one.length === other.length &&
    one.every((span, index) => {
      const { text, style, marks } = other[index] ?? {}
      return span.text === text && span.style === style && span.marks === marks
    })
  )
}

/** Blanks are not counted: where a line is broken they come and go. */
export function charactersBefore(rows: readonly Line[], line: number): number {
  let count = 0
  for (const row of rows.slice(0, line)) count += charactersIn(row)
  return count
}

/** The last row before which stand no more than so many characters. */
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
