/** The bytes of one frame: where the terminal's cursor is, what it writes in, and the shortest way on. */
import { PLAIN } from './attributes.ts'
import type { Palette } from './palette.ts'

export class Pen {
  readonly #palette: Palette
  #out = ''
  /** -1: nobody knows. */
  #row = -1
  #column = -1
  #attribute = PLAIN
  #rows = 0

  constructor(palette: Palette) {
    this.#palette = palette
  }

  get out(): string {
    return this.#out
  }

  /** Rows that have been written to, counted at each arrival in one. */
  get rows(): number {
    return this.#rows
  }

  get isPlain(): boolean {
    return this.#codes(this.#attribute) === ''
  }

  /** A sequence that leaves cursor and attribute alone. */
  raw(sequence: string): void {
    this.#out += sequence
  }

  to(row: number, column: number): void {
    const ahead = column - this.#column
    if (row !== this.#row) this.#out += position(row, column)
    else if (this.#column < 0 || ahead < 0) this.#out += `\x1b[${column === 0 ? '' : column + 1}G`
    else if (ahead > 0) this.#out += `\x1b[${ahead === 1 ? '' : ahead}C`
    if (row !== this.#row) this.#rows++
    this.#row = row
    this.#column = column
  }

  /** Columns to the right in the same row; undefined when the cursor is elsewhere. */
  distanceTo(row: number, column: number): number | undefined {
    return row === this.#row && this.#column >= 0 && column >= this.#column
      ? column - this.#column
      : undefined
  }

  /** Whether it can be written without another sequence before it. */
  fits(attribute: number, grapheme: string): boolean {
    return (
      this.#codes(attribute) === this.#codes(this.#attribute) ||
      (grapheme === ' ' && this.#palette.isInkless(attribute) && this.#palette.isInkless(this.#attribute))
    )
  }

  write(grapheme: string, attribute: number, columns: number): void {
    if (!this.fits(attribute, grapheme)) this.#change(attribute)
    this.#out += grapheme
    this.#column += columns
  }

  /** For graphemes that terminals do not agree on: in its two columns, whatever the terminal thinks, and lost then. */
  writeRisky(grapheme: string, attribute: number, columns: number): void {
    if (!this.fits(attribute, grapheme)) this.#change(attribute)
    // Both cells are its own, whatever it covers; stepping back by two would go wrong at the right edge.
    this.#out += columns === 2 ? `  \x1b[${this.#column + 1}G${grapheme}` : grapheme
    this.#column = -1
  }

  /** Spaces from the cursor to the end of the row. */
  erase(): void {
    // With a background the terminal would fill the row with it.
    if (!this.#palette.isInkless(this.#attribute)) this.plain()
    this.#out += '\x1b[K'
  }

  plain(): void {
    if (!this.isPlain) this.#out += '\x1b[m'
    this.#attribute = PLAIN
  }

  /** Moves the rows of the region that is set, by so many up (down: negative). */
  shift(top: number, rows: number): void {
    this.to(top, 0)
    const count = Math.abs(rows) === 1 ? '' : Math.abs(rows)
    // Every terminal deletes and inserts lines; scrolling by a number is not known to the Linux console.
    this.#out += `\x1b[${count}${rows > 0 ? 'M' : 'L'}`
  }

  #codes(attribute: number): string {
    return this.#palette.codes(attribute)
  }

  #change(attribute: number): void {
    const codes = this.#codes(attribute)
    this.#out += this.isPlain ? `\x1b[${codes}m` : codes === '' ? '\x1b[m' : `\x1b[0;${codes}m`
    this.#attribute = attribute
  }
}

export function position(row: number, column: number): string {
  const place = column === 0 ? (row === 0 ? '' : `${row + 1}`) : `${row + 1};${column + 1}`
  return `\x1b[${place}H`
}
