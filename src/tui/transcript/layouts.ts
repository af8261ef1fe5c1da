/** The rows of cells, kept while they are seen: laid out again when the width, the look or the cell changes. */
import { type Cell, isSameCell, type Look } from '../cells/cell.ts'
import { cellLines, isTicking } from '../cells/lines.ts'
import type { Line } from '../line.ts'
import type { Markdown } from '../markdown/markdown.ts'
import { keepEqual } from './rows.ts'

export interface ViewOptions {
  width: number
  /** Rows. */
  height: number
  look: Omit<Look, 'markdown'>
}

export interface Layout<Shown> {
  cell: Cell
  rows: Line[]
  epoch: number
  version: number
  now: number
  unfolded: boolean
  /** When it was last asked for. */
  frame: number
  /** Whatever the owner makes of the rows. */
  shown?: Shown
}

/** Laid-out rows that are kept, besides those in view. */
const ROWS_KEPT = 2_000

export class Layouts<Shown> {
  #layouts = new Map<number, Layout<Shown>>()
  #options: ViewOptions | undefined
  #markdown: Markdown | undefined
  #opened = new WeakSet<Cell>()
  #frame = 0
  /** Counts what changes all layouts: the width, the look. */
  epoch = 0

  /** Absent until it is loaded. */
  get markdown(): Markdown | undefined {
    return this.#markdown
  }

  useMarkdown(markdown: Markdown): void {
    this.#markdown = markdown
    this.epoch++
  }

  /** What the next frame is laid out for. */
  begin(options: ViewOptions): void {
    const before = this.#options
    this.#options = options
    this.#frame++
    const { width, look } = options
    const isSame =
      before?.width === width &&
      before.look.unfolded === look.unfolded &&
      before.look.words === look.words &&
      before.look.unfoldKey === look.unfoldKey
    if (!isSame) this.epoch++
  }

  /** `begin` comes first. */
  of(index: number, cell: Cell): Layout<Shown> {
    const before = this.#layouts.get(index)
    const version = cell.type === 'reply' || cell.type === 'tool' ? (this.#markdown?.version ?? 0) : 0
    const { look } = this.#options as ViewOptions
    const now = isTicking(cell) ? look.now : 0
    const unfolded = look.unfolded || this.#opened.has(cell)
    const isFresh =
      before !== undefined &&
      isSameCell(before.cell, cell) &&
      before.epoch === this.epoch &&
      before.version === version &&
      before.unfolded === unfolded &&
      before.now === now
    if (isFresh) {
      before.frame = this.#frame
      return before
    }
    const rows = this.#rows(index, cell, unfolded)
    if (before) keepEqual(before.rows, rows)
    const layout = { cell, rows, epoch: this.epoch, version, now, unfolded, frame: this.#frame }
    this.#layouts.set(index, layout)
    return layout
  }

  /** All of a cell, as it would be unfolded. */
  whole(index: number, cell: Cell): readonly Line[] {
    const layout = this.of(index, cell)
    return layout.unfolded ? layout.rows : this.#rows(index, cell, true)
  }

  isOpen(cell: Cell): boolean {
    return this.#opened.has(cell)
  }

  /** Shows all of a cell, or folds it. */
  open(cell: Cell, isOpen: boolean): void {
    if (isOpen) this.#opened.add(cell)
    else this.#opened.delete(cell)
  }

  /** What was not seen lately is laid out again when it is. */
  forget(): void {
    let kept = 0
    for (const { rows } of this.#layouts.values()) kept += rows.length
    if (kept <= ROWS_KEPT) return
    for (const [index, { frame }] of this.#layouts) if (frame !== this.#frame) this.#layouts.delete(index)
  }

  clear(): void {
    this.#layouts.clear()
  }

  #rows(index: number, cell: Cell, unfolded: boolean): Line[] {
    const { width, look } = this.#options as ViewOptions
    const lines = cellLines(cell, Math.max(1, width), { ...look, unfolded, markdown: this.#markdown })
    return lines.length === 0 || index === 0 || cell.joined ? lines : [[], ...lines]
  }
}
