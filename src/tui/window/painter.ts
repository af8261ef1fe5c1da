/**
 * Takes the terminal from what it shows to what it is to show, in as few bytes as possible. Takes the place of
 * blessed's own `draw`, which loses emoji, italics and bytes.
 */
import type { Cell, Row } from 'neo-blessed/lib/widgets/screen.js'
import { PLAIN } from './attributes.ts'
import { blankRow, fillRow, REST } from './cells.ts'
import { drawable, isRisky, type Joins, NO_JOINS } from './glyph.ts'
import type { Palette } from './palette.ts'
import { Pen, position } from './pen.ts'

/** In a cell of which nobody knows what the terminal shows. */
export const UNKNOWN = '\0'

const SYNCHRONIZED = ['\x1b[?2026h', '\x1b[?2026l'] as const
const [SAVE, RESTORE] = ['\x1b7', '\x1b8'] as const
const [SHOW, HIDE] = ['\x1b[?25h', '\x1b[?25l'] as const

/** So many unchanged cells are written again rather than jumped over. */
const CHEAP_GAP = 3

export interface Cursor {
  row: number
  column: number
}

export interface Shift {
  top: number
  bottom: number
  /** Up; down: negative. */
  rows: number
}

export interface PaintOptions {
  shift?: Shift | undefined
  cursor: Cursor | undefined
}

export class Painter {
  palette: Palette
  joins: Joins = NO_JOINS
  #isLost = true
  #region: { top: number; bottom: number } | undefined
  #cursor: Cursor | undefined
  /** What the terminal goes back to when it restores the cursor. */
  #saved: Cursor | undefined

  constructor(palette: Palette) {
    this.palette = palette
  }

  /** Nothing is known of what the terminal shows. */
  lose(): void {
    this.#isLost = true
  }

  /** → one write, or nothing. Afterwards `shown` is as `lines`. A shift has happened in both of them already. */
  paint(lines: readonly Row[], shown: readonly Row[], { shift, cursor }: PaintOptions): string {
    const pen = new Pen(this.palette)
    const isAnew = this.#isLost
    if (isAnew) this.#clear(pen, shown)
    else if (shift) this.#shift(pen, shift)
    for (const [row, cells] of lines.entries()) {
      if (!cells.dirty && !isAnew) continue
      cells.dirty = false
      const before = shown[row]
      if (!before || cells.length === 0) continue
      fillRow(before, cells.length)
      this.#paintRow(pen, row, { cells, shown: before })
    }
    // One place of a row arrives as one read; what is moved or spread might be seen half done.
    const isLarge = isAnew || shift !== undefined || pen.rows > 1
    this.#place(pen, cursor)
    return isLarge ? SYNCHRONIZED.join(pen.out) : pen.out
  }

  #clear(pen: Pen, shown: readonly Row[]): void {
    for (const row of shown) blankRow(row)
    pen.raw('\x1b[r\x1b[m\x1b[2J')
    this.#isLost = false
    this.#region = undefined
    this.#saved = undefined
    this.#cursor = undefined
    pen.raw(HIDE)
  }

  #shift(pen: Pen, { top, bottom, rows }: Shift): void {
    // It stays set: all that is written otherwise says where.
    if (this.#region?.top !== top || this.#region.bottom !== bottom) pen.raw(`\x1b[${top + 1};${bottom}r`)
    this.#region = { top, bottom }
    pen.shift(top, rows)
  }

  #paintRow(
    pen: Pen,
    row: number,
    { cells, shown }: { cells: readonly Cell[]; shown: readonly Cell[] },
  ): void {
    let end = cells.length
    while (end > 0 && this.#isBlank(cells[end - 1])) end--
    for (let column = 0; column < end; ) {
      const cell = cells[column]
      const old = shown[column]
      if (!cell || !old) return
      const columns = cells[column + 1]?.[1] === REST ? 2 : 1
      if (!this.#looksSame(cell, old)) {
        this.#approach(pen, row, { column, cells })
        this.#write(pen, cell, columns)
        // A terminal that draws it wider than it should has written over the next one.
        if (pen.distanceTo(row, column + columns) === undefined) forget(shown[column + columns])
        setCell(old, cell[0], cell[1])
        if (columns === 2) setCell(shown[column + 1], cell[0], REST)
      }
      column += columns
    }
    if (shown.every((cell, column) => column < end || this.#isBlank(cell))) return
    pen.to(row, end)
    pen.erase()
    for (const cell of shown.slice(end)) setCell(cell, PLAIN, ' ')
  }

  /** To the cell, over a few unchanged ones when that is shorter than a jump. */
  #approach(pen: Pen, row: number, { column, cells }: { column: number; cells: readonly Cell[] }): void {
    const gap = pen.distanceTo(row, column) ?? 0
    const between = gap > 0 && gap <= CHEAP_GAP ? cells.slice(column - gap, column) : []
    if (between.every(([attribute, text]) => isAscii(text) && pen.fits(attribute, text))) {
      for (const [attribute, text] of between) pen.write(text, attribute, 1)
    }
    pen.to(row, column)
  }

  #write(pen: Pen, [attribute, grapheme]: Cell, columns: number): void {
    if (isAscii(grapheme)) pen.write(grapheme, attribute, 1)
    else if (isRisky(grapheme, columns)) {
      pen.writeRisky(drawable(grapheme, this.joins), attribute, columns)
    } else pen.write(grapheme, attribute, columns)
  }

  /** Puts the cursor where it belongs, the shortest way. */
  #place(pen: Pen, cursor: Cursor | undefined): void {
    const before = this.#cursor
    this.#cursor = cursor
    if (!cursor) {
      pen.plain()
      if (before) pen.raw(HIDE)
      return
    }
    if (pen.out === '' && isAt(before, cursor)) return
    // Restoring brings back the plain attribute, too.
    if (isAt(this.#saved, cursor)) pen.raw(RESTORE)
    else {
      pen.plain()
      pen.raw(position(cursor.row, cursor.column) + SAVE)
    }
    this.#saved = cursor
    if (!before) pen.raw(SHOW)
  }

  #isBlank(cell: Cell | undefined): boolean {
    return cell?.[1] === ' ' && this.palette.isInkless(cell[0])
  }

  #looksSame(cell: Cell, old: Cell): boolean {
    if (cell[1] !== old[1]) return false
    if (cell[0] === old[0]) return true
    if (cell[1] === ' ' && this.#isBlank(cell) && this.#isBlank(old)) return true
    return this.palette.codes(cell[0]) === this.palette.codes(old[0])
  }
}

/** Printable, so it may be sent as it is. */
const isAscii = (text: string): boolean => text.length === 1 && text >= ' ' && text <= '~'

const isAt = (place: Cursor | undefined, { row, column }: Cursor): boolean =>
  place?.row === row && place.column === column

function setCell(cell: Cell | undefined, attribute: number, grapheme: string): void {
  if (!cell) return
  cell[0] = attribute
  cell[1] = grapheme
}

function forget(cell: Cell | undefined): void {
  if (cell) cell[1] = UNKNOWN
}
