/**
 * The conversation as it is scrolled through: an append-only list of cells and a place in it. Only what is seen is laid
 * out, and nothing ever asks how high the whole is, so a frame costs the same after 100 lines and after 100,000.
 *
 * The view follows the end, or it stays at the line where the person left it, whatever comes below.
 */
import { type Cell, isSameCell, type Look } from '../cells/cell.ts'
import { cellLines, isTicking } from '../cells/lines.ts'
import type { Line } from '../line.ts'
import type { Markdown } from '../markdown/markdown.ts'
import { charactersBefore, keepEqual, lineAt } from './rows.ts'
import { findIn, markMatches, type Query, queryOf, sourceOf } from './search.ts'

export interface ViewOptions {
  width: number
  /** Rows. */
  height: number
  look: Omit<Look, 'markdown'>
}

export interface View {
  /** The rows from the top; fewer than `height` only where the conversation is shorter. Equal lines are the same ones. */
  lines: readonly Line[]
  /** There is more out of sight. */
  above: boolean
  below: boolean
}

/** A row: of a cell, counted with the blank line before it. */
interface Place {
  cell: number
  line: number
}

/** Where the person scrolled to. In another width the line is found again by the characters before it. */
interface Anchor extends Place {
  epoch: number
  characters: number
}

interface Layout {
  cell: Cell
  rows: Line[]
  epoch: number
  version: number
  now: number
  /** When it was last asked for. */
  frame: number
  marked?: { search: Search; rows: readonly Line[] }
}

interface Search {
  query: Query
  found: Place | undefined
}

/** Laid-out rows that are kept, beside those in view. */
const ROWS_KEPT = 2_000
/** Rows that stay in sight when a page is turned. */
const PAGE_OVERLAP = 2

export class Transcript {
  #settled: Cell[] = []
  #live: readonly Cell[] = []
  #markdown: Markdown | undefined
  #options: ViewOptions | undefined
  /** Counts what changes all layouts: the width, the look. */
  #epoch = 0
  #frame = 0
  #layouts = new Map<number, Layout>()
  #anchor: Anchor | undefined
  #search: Search | undefined

  /** Replies are drawn as Markdown from now on. */
  useMarkdown(markdown: Markdown): void {
    this.#markdown = markdown
    this.#epoch++
  }

  /** Cells that will not change any more. */
  append(...cells: readonly Cell[]): void {
    for (const cell of cells) this.#settled.push(cell)
  }

  /** The cells that still change, in place of those before; they stand at the end. */
  setLive(cells: readonly Cell[]): void {
    this.#live = cells
  }

  clear(): void {
    this.#settled = []
    this.#live = []
    this.#layouts.clear()
    this.#anchor = undefined
    this.#search = undefined
  }

  /** The cells from the newest back. */
  *newestFirst(): Generator<Cell> {
    for (let index = this.#count - 1; index >= 0; index--) yield this.#cell(index)
  }

  view(options: ViewOptions): View {
    this.#take(options)
    this.#frame++
    let shown = this.#viewFrom(this.#top())
    if (!shown.below && this.#anchor) {
      this.#anchor = undefined
      shown = this.#viewFrom(this.#top())
    }
    this.#forget()
    return shown
  }

  get following(): boolean {
    return this.#anchor === undefined
  }

  /** Down by so many rows, up by as many where negative. The end is followed once it is reached. */
  scroll(rows: number): void {
    if (this.#options) this.#goTo(this.#moved(this.#top(), rows))
  }

  page(direction: 1 | -1): void {
    this.scroll(direction * Math.max(1, (this.#options?.height ?? 0) - PAGE_OVERLAP))
  }

  toTop(): void {
    if (this.#options) this.#goTo({ cell: 0, line: 0 })
  }

  toEnd(): void {
    this.#anchor = undefined
  }

  /**
   * Shows the newest place where a text stands, or from the one found last the next `older` or `newer` one; false, and
   * everything stays as it is, where there is none. Upper and lower case are the same unless the text has upper case.
   * What is folded is not found. An empty text ends the search.
   */
  find(text: string, { from = 'end' }: { from?: 'end' | 'older' | 'newer' } = {}): boolean {
    const query = queryOf(text)
    const start = from === 'end' ? undefined : this.#search?.found
    this.#search = query && { query, found: start }
    if (!query || !this.#options) return false
    const found = this.#nextMatch(query, { start, step: from === 'newer' ? 1 : -1 })
    if (!found) return false
    this.#search = { query, found }
    this.#bringIntoView(found)
    return true
  }

  get #count(): number {
    return this.#settled.length + this.#live.length
  }

  #cell(index: number): Cell {
    const cell = this.#settled[index] ?? this.#live[index - this.#settled.length]
    if (!cell) throw new RangeError(`the transcript has no cell ${index}`)
    return cell
  }

  #take(options: ViewOptions): void {
    const before = this.#options
    this.#options = options
    const { width, look } = options
    const isSame =
      before?.width === width && before.look.unfolded === look.unfolded && before.look.words === look.words
    if (!isSame) this.#epoch++
  }

  #rows(index: number): readonly Line[] {
    const layout = this.#layout(index)
    const search = this.#search
    if (!search) return layout.rows
    if (layout.marked?.search !== search) {
      const current = search.found?.cell === index ? search.found.line : undefined
      layout.marked = { search, rows: markMatches(layout.rows, search.query, current) }
    }
    return layout.marked.rows
  }

  #layout(index: number): Layout {
    const cell = this.#cell(index)
    const before = this.#layouts.get(index)
    const version = cell.type === 'reply' ? (this.#markdown?.version ?? 0) : 0
    const { width, look } = this.#options as ViewOptions
    const now = isTicking(cell) ? look.now : 0
    const isFresh =
      before !== undefined &&
      isSameCell(before.cell, cell) &&
      before.epoch === this.#epoch &&
      before.version === version &&
      before.now === now
    if (isFresh) {
      before.frame = this.#frame
      return before
    }
    const lines = cellLines(cell, Math.max(1, width), { ...look, markdown: this.#markdown })
    const rows = lines.length === 0 || index === 0 || cell.joined ? lines : [[], ...lines]
    if (before) keepEqual(before.rows, rows)
    const layout = { cell, rows, epoch: this.#epoch, version, now, frame: this.#frame }
    this.#layouts.set(index, layout)
    return layout
  }

  /** What was not seen lately is laid out again when it is. */
  #forget(): void {
    let kept = 0
    for (const { rows } of this.#layouts.values()) kept += rows.length
    if (kept <= ROWS_KEPT) return
    for (const [index, { frame }] of this.#layouts) if (frame !== this.#frame) this.#layouts.delete(index)
  }

  #viewFrom(top: Place): View {
    const { height } = this.#options as ViewOptions
    const lines: Line[] = []
    let { cell, line } = top
    for (; cell < this.#count && lines.length < height; cell++, line = 0) {
      const rows = this.#rows(cell)
      const end = Math.min(rows.length, line + height - lines.length)
      for (let at = line; at < end; at++) lines.push(rows[at] ?? [])
      if (end < rows.length) return { lines, above: isBehind(top, START), below: true }
    }
    return { lines, above: isBehind(top, START), below: this.#hasRowsFrom(cell) }
  }

  #hasRowsFrom(index: number): boolean {
    for (let cell = index; cell < this.#count; cell++) if (this.#rows(cell).length > 0) return true
    return false
  }

  /** The first row in view. */
  #top(): Place {
    const anchor = this.#anchor
    if (!anchor) return this.#topOfEnd()
    if (anchor.cell >= this.#count) return this.#topOfEnd()
    const { rows } = this.#layout(anchor.cell)
    if (anchor.epoch !== this.#epoch) {
      // A blank first row holds as many characters before it as the second.
      if (anchor.line > 0) anchor.line = lineAt(rows, anchor.characters)
      anchor.epoch = this.#epoch
    }
    return { cell: anchor.cell, line: Math.min(anchor.line, Math.max(0, rows.length - 1)) }
  }

  /** The first row in view when the last one is. */
  #topOfEnd(): Place {
    return this.#moved({ cell: this.#count, line: 0 }, -(this.#options?.height ?? 0))
  }

  #moved({ cell, line }: Place, rows: number): Place {
    let index = cell
    let at = line + rows
    while (at < 0 && index > 0) at += this.#rows(--index).length
    if (at < 0) return START
    while (index < this.#count && at >= this.#rows(index).length) at -= this.#rows(index++).length
    return { cell: index, line: index < this.#count ? at : 0 }
  }

  #goTo(place: Place): void {
    if (!isBehind(this.#topOfEnd(), place)) {
      this.#anchor = undefined
      return
    }
    const characters = charactersBefore(this.#layout(place.cell).rows, place.line)
    this.#anchor = { ...place, epoch: this.#epoch, characters }
  }

  /** `start` is not looked at again. */
  #nextMatch(query: Query, { start, step }: { start: Place | undefined; step: 1 | -1 }): Place | undefined {
    const { words } = (this.#options as ViewOptions).look
    const isPast = (line: number): boolean =>
      start === undefined || (step === 1 ? line > start.line : line < start.line)
    for (let cell = start?.cell ?? this.#count - 1; cell >= 0 && cell < this.#count; cell += step) {
      if (!query.mayStandIn(sourceOf(this.#cell(cell), words))) continue
      const lines = findIn(this.#layout(cell).rows, query).map(({ line }) => line)
      const line = (step === 1 ? lines : lines.reverse()).find(at => cell !== start?.cell || isPast(at))
      if (line !== undefined) return { cell, line }
    }
    return undefined
  }

  /** Stays where it is if the place is in view; else shows it with as much before it as fits into a third. */
  #bringIntoView(place: Place): void {
    const { height } = this.#options as ViewOptions
    const top = this.#top()
    const isInView = !isBehind(top, place) && isBehind(this.#moved(top, height), place)
    if (!isInView) this.#goTo(this.#moved(place, -Math.floor(height / 3)))
  }
}

const START: Place = { cell: 0, line: 0 }

function isBehind(place: Place, other: Place): boolean {
  return place.cell > other.cell || (place.cell === other.cell && place.line > other.line)
}
