/** Finds by how many rows a text has moved, so that the terminal can move it. */
import type { Line } from '../line.ts'

/** Moving costs some bytes and a look at every row: it has to spare the writing of so many. */
const WORTH = 2

interface Region {
  top: number
  bottom: number
}

/** Rows that the content of [top, bottom) has moved up by (down: negative); 0 when moving it spares nothing. */
export function findShift(
  before: readonly (Line | undefined)[],
  after: readonly Line[],
  { top, bottom }: Region,
): number {
  const height = bottom - top
  /** Rows with something on them that are found `shift` rows below. */
  const spared = (shift: number): number => {
    const from = Math.max(top, top - shift)
    const to = Math.min(bottom, bottom - shift)
    let rows = 0
    for (let row = from; row < to; row++) {
      const line = after[row]
      if (line && line.length > 0 && isSame(line, before[row + shift])) rows++
    }
    return rows
  }

  const staying = spared(0)
  if (staying + WORTH > height) return 0
  let best = 0
  let most = staying + WORTH - 1
  for (let distance = 1; distance < height - 1; distance++) {
    // No farther shift can spare more.
    if (height - distance <= most) break
    for (const shift of [distance, -distance]) {
      const rows = spared(shift)
      if (rows > most) [best, most] = [shift, rows]
    }
  }
  return best
}

/** Whether two lines look the same. */
export function isSame(line: Line, other: Line | undefined): boolean {
  if (line === other) return true
  if (other === undefined || line.length !== other.length) return false
  return line.every((span, at) => {
    const twin = other[at]
    return (
      twin !== undefined &&
      span.text === twin.text &&
      span.style === twin.style &&
      (span.marks ?? 0) === (twin.marks ?? 0)
    )
  })
}
