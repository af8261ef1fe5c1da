/**
 * The conversation as it is scrolled through: an append-only list of cells and a place in it. Only what is seen is laid
 * out, and nothing ever asks how high the whole is, so a frame costs the same after 100 lines and after 100,000.
 *
 * The view follows the end, or it stays at the line where the person left it, whatever comes below.
 */
import type { Cell } from '../cells/cell.ts'
import { textOfCell } from '../cells/copied.ts'
import type { Walk } from '../effect.ts'
import type { Line } from '../line.ts'
import type { Markdown } from '../markdown/markdown.ts'
import { type Layout, Layouts, type ViewOptions } from './layouts.ts'
import { type Found, Matches } from './matches.ts'
import { isBehind, type Place, START } from './place.ts'
import { banded, charactersBefore, lineAt } from './rows.ts'
import { findIn, markMatches, queryOf, sourceOf } from './search.ts'

export interface View {
  /** The rows from the top; fewer than `height` only where the conversation is shorter. Equal lines are the same ones. */
  lines: readonly Line[]
  /** There is more out of sight. */
  above: boolean
  below: boolean
}

/** Where the person scrolled to. In another width the line is found again by the characters before it. */
interface Anchor extends Place {
  epoch: number
  characters: number
}

/** As rows are seen: with what is looked for, the outline's mark, and the band of the person's own words. */
interface Shown {
  search: Matches | undefined
  current: number | undefined
  isFocused: boolean
  rows: readonly Line[]
}

/** Rows that stay in sight when a page is turned. */
const PAGE_OVERLAP = 2

export class Transcript {
  #settled: Cell[] = []
  #live: readonly Cell[] = []
  #options: ViewOptions | undefined
  #layouts = new Layouts<Shown>()
  #anchor: Anchor | undefined
  #search: Matches | undefined
  /** It was unfolded to show what was found in it. */
  #shownAll: Cell | undefined
  /** The cell that is marked. */
  #focus: number | undefined

  get markdown(): Markdown | undefined {
    return this.#layouts.markdown
  }

  /** Replies are drawn as Markdown from now on. */
  useMarkdown(markdown: Markdown): void {
    this.#layouts.useMarkdown(markdown)
  }

  /** Cells that will not change any more. */
  append(...cells: readonly Cell[]): void {
    for (const cell of cells) this.#settled.push(cell)
  }

  /** Takes the last reply's blocks away. */
  unsay(): void {
    while (this.#settled.at(-1)?.type === 'reply') this.#settled.pop()
    const end = this.#settled.length
    // What was found or marked there is gone.
    this.#search = undefined
    if (this.#anchor && this.#anchor.cell >= end) this.#anchor = undefined
    if (this.#focus !== undefined && this.#focus >= end) this.#focus = undefined
  }

  /** The cells that still change, in place of those before; they are at the end. */
  setLive(cells: readonly Cell[]): void {
    this.#live = cells
  }

  clear(): void {
    this.#settled = []
    this.#live = []
    this.#layouts.clear()
    this.#anchor = undefined
    this.#search = undefined
    this.#shownAll = undefined
    this.#focus = undefined
  }

  /** The cells from the newest back. */
  *newestFirst(): Generator<Cell> {
    for (let index = this.#count - 1; index >= 0; index--) yield this.#cell(index)
  }

  view(options: ViewOptions): View {
    this.#options = options
    this.#layouts.begin(options)
    let shown = this.#viewFrom(this.#top())
    if (!shown.below && this.#anchor) {
      this.#anchor = undefined
      shown = this.#viewFrom(this.#top())
    }
    this.#layouts.forget()
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
   * Shows the newest place where a text is, in folded text too, and marks them all; undefined, and nothing is scrolled,
   * where there is none. Upper and lower case are the same unless the text has upper case. An empty text ends the search.
   */
  find(text: string): Found | undefined {
    const query = queryOf(text)
    this.#search = undefined
    if (!query || !this.#options) {
      // What was found stays in sight.
      this.#shownAll = undefined
      return undefined
    }
    const { words } = this.#options.look
    this.#search = new Matches(query, {
      cells: this.#count,
      matchesIn: index => {
        const cell = this.#cell(index)
        if (!query.mayStandIn(sourceOf(cell, words))) return 0
        return findIn(this.#layouts.whole(index, cell), query).length
      },
    })
    return this.findNext('older')
  }

  /** From what was found last to the next one; past the last it begins anew. */
  findNext(to: 'older' | 'newer'): Found | undefined {
    if (this.#shownAll) this.#layouts.open(this.#shownAll, false)
    this.#shownAll = undefined
    const search = this.#search
    if (!search?.step(to) || !search.current) return undefined
    const { cell, nth, among } = search.current
    const isFolded = findIn(this.#layout(cell).rows, search.query).length < among
    if (isFolded) this.#shownAll = this.#cell(cell)
    if (this.#shownAll) this.#layouts.open(this.#shownAll, true)
    const line = findIn(this.#layout(cell).rows, search.query)[nth]?.line ?? 0
    this.#bringIntoView({ cell, line })
    return search.found
  }

  /**
   * Marks the next prompt, or cell, from the one that is marked, else from the end, and shows it. Past the last one nothing
   * is marked any more. False: there is none.
   */
  focus({ to, by }: Walk): boolean {
    if (!this.#options) return false
    const isWanted = (cell: Cell) => (to === 'prompt' ? cell.type === 'user' : cell.type !== 'took')
    const end = this.#settled.length
    for (let at = (this.#focus ?? end) + by; at >= 0 && at < end; at += by) {
      if (!isWanted(this.#cell(at)) || this.#layout(at).rows.length === 0) continue
      this.#focus = at
      this.#bringIntoView({ cell: at, line: 0 }, to === 'prompt' ? 0 : undefined)
      return true
    }
    if (by < 0 && this.#focus !== undefined) return true
    if (by > 0) this.toEnd()
    return false
  }

  focusNothing(): void {
    this.#focus = undefined
  }

  /** Shows all of the marked cell, or folds it again. */
  unfoldFocused(): void {
    if (this.#focus === undefined) return
    const cell = this.#cell(this.#focus)
    this.#layouts.open(cell, !this.#layouts.isOpen(cell))
    this.#bringIntoView({ cell: this.#focus, line: 0 })
  }

  get focusedText(): string | undefined {
    return this.#focus === undefined ? undefined : textOfCell(this.#cell(this.#focus))
  }

  get #count(): number {
    return this.#settled.length + this.#live.length
  }

  #cell(index: number): Cell {
    const cell = this.#settled[index] ?? this.#live[index - this.#settled.length]
    if (!cell) throw new RangeError(`the transcript has no cell ${index}`)
    return cell
  }

  #rows(index: number): readonly Line[] {
    const layout = this.#layout(index)
    const search = this.#search
    const isFocused = index === this.#focus
    const current = search?.current?.cell === index ? search.current.nth : undefined
    const { shown } = layout
    if (shown?.search === search && shown?.current === current && shown?.isFocused === isFocused)
      return shown.rows
    const marked = search ? markMatches(layout.rows, search.query, current) : layout.rows
    const { width } = this.#options as ViewOptions
    const seen = layout.cell.type === 'user' ? banded(marked, width) : marked
    const rows = isFocused ? markFirst(seen) : seen
    layout.shown = { search, current, isFocused, rows }
    return rows
  }

  #layout(index: number): Layout<Shown> {
    return this.#layouts.of(index, this.#cell(index))
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
    if (anchor.epoch !== this.#layouts.epoch) {
      // A blank first row holds as many characters before it as the second.
      if (anchor.line > 0) anchor.line = lineAt(rows, anchor.characters)
      anchor.epoch = this.#layouts.epoch
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
    this.#anchor = { ...place, epoch: this.#layouts.epoch, characters }
  }

  /**
   * Stays where it is if the place is in view; else shows it with as much before it as fits into a third. `above`: rows
   * before it, wherever it was.
   */
  #bringIntoView(place: Place, above?: number): void {
    const { height } = this.#options as ViewOptions
    const top = this.#top()
    const isInView = !isBehind(top, place) && isBehind(this.#moved(top, height), place)
    if (!isInView || above !== undefined) this.#goTo(this.#moved(place, -(above ?? Math.floor(height / 3))))
  }
}

/** The first row that shows something stands out. */
function markFirst(rows: readonly Line[]): readonly Line[] {
  const first = rows.findIndex(line => line.length > 0)
  return rows.map((line, index) =>
    index === first ? line.map(span => ({ ...span, style: 'selected' })) : line,
  )
}
