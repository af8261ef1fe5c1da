/** A row of the transcript: of a cell, counted with the blank line before it. */
export interface Place {
  cell: number
  line: number
}

export const START: Place = { cell: 0, line: 0 }

export function isBehind(place: Place, other: Place): boolean {
  return place.cell > other.cell || (place.cell === other.cell && place.line > other.line)
}
