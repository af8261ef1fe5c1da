/** Finds by how many rows a text has moved, so that the terminal can move it. */
import type { Line } from '../line.ts'
import { isSameLine } from '../spans.ts'

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
      const old = before[row + shift]
      if (line && old && line.length > 0 && isSameLine(line, old)) rows++
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
