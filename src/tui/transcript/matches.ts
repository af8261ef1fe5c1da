/** The places where a text stands, from the newest on: looked for as far as somebody goes, and counted so far. */
import type { Query } from './search.ts'

/** The how many-th match of all that a whole cell has. */
export interface Match {
  cell: number
  nth: number
  /** All that the cell has. */
  among: number
}

/** `3 of 17`, the newest being the first; `isMore`: so many at least. */
export interface Found {
  at: number
  of: number
  isMore: boolean
}

/** So many are counted at once: nobody reads more of a text that is everywhere. */
const COUNTED = 1_000

export class Matches {
  readonly query: Query
  #known: Match[] = []
  #more: Generator<Match>
  #isAll = false
  #at = -1

  /** `matchesIn`: how many matches a whole cell has. */
  constructor(query: Query, { cells, matchesIn }: { cells: number; matchesIn(cell: number): number }) {
    this.query = query
    this.#more = newestFirst(cells, matchesIn)
  }

  get current(): Match | undefined {
    return this.#known[this.#at]
  }

  get found(): Found {
    return { at: this.#at + 1, of: this.#known.length, isMore: !this.#isAll }
  }

  /** To the next older one, or the next newer one; past the last it begins anew. False: there is none. */
  step(to: 'older' | 'newer'): boolean {
    const next = this.#at + (to === 'older' ? 1 : -1)
    this.#know(Math.max(COUNTED, next + 1))
    const { length } = this.#known
    if (length === 0) return false
    this.#at = (next + length) % length
    return true
  }

  #know(count: number): void {
    while (!this.#isAll && this.#known.length < count) {
      const { value, done } = this.#more.next()
      if (done) this.#isAll = true
      else this.#known.push(value)
    }
  }
}

function* newestFirst(cells: number, matchesIn: (cell: number) => number): Generator<Match> {
  for (let cell = cells - 1; cell >= 0; cell--) {
    const among = matchesIn(cell)
    for (let nth = among - 1; nth >= 0; nth--) yield { cell, nth, among }
  }
}
