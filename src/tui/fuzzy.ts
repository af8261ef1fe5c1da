/**
 * Fuzzy matching: the characters of what was typed, in their order, with anything between them. Made for tens of
 * thousands of paths at every key: most are ruled out by one comparison of bits, nothing is allocated for the others,
 * and the last part of a path, its name, comes before the rest of it: where enough names fit, no path is searched.
 */

export interface Hit {
  text: string
  /** Where it is among the texts. */
  index: number
  score: number
}

const NO_MATCH = Number.NEGATIVE_INFINITY

const RUN = 8
const WORD_START = 10
const NAME_START = 20
const WHOLE_NAME = 60
/** More than the letters of a path can be worth without those of its name. */
const IN_NAME = 1000
/** What each character between two found ones costs, up to `MOST_GAP` of them. */
const GAP = 1
const MOST_GAP = 6
/** Each character of a text costs this: of two the shorter one is meant. */
const LENGTH = 0.05

/** What fits more texts piecemeal is not yet what is meant: no more such fits are looked at, so that a key stays quick. */
const ENOUGH = 8_000

export class Haystack {
  #texts: string[] = []
  #lower: string[] = []
  /** Where the last part of a path starts; 0 in what is no path. */
  #names: number[] = []
  /** Which characters a text has, and which of them its name. */
  #has: number[] = []
  #nameHas: number[] = []

  constructor(texts: readonly string[] = []) {
    this.add(texts)
  }

  get size(): number {
    return this.#texts.length
  }

  add(texts: readonly string[]): void {
    for (const text of texts) {
      const lower = lowerOf(text)
      const name = text.lastIndexOf('/', text.length - 2) + 1
      this.#texts.push(text)
      this.#lower.push(lower)
      this.#names.push(name)
      this.#has.push(bitsOf(lower, 0))
      this.#nameHas.push(bitsOf(lower, name))
    }
  }

  /**
   * The best fits, best first, at most `most` of them; among equals the earlier one. `extra` is added to the score of
   * a text, for what is known about it besides its letters. Nothing typed fits everything, shorter texts better.
   */
  best(needle: string, { most, extra }: { most: number; extra?: ReadonlyMap<string, number> }): Hit[] {
    const wanted = lowerOf(needle)
    const ranking = new Ranking(most, extra)
    // A name holds no slash except at its end.
    if (!wanted.slice(0, -1).includes('/')) this.#searchNames(wanted, ranking)
    if (ranking.hits.length < most) this.#searchPaths(wanted, ranking)
    return ranking.hits
  }

  #searchNames(wanted: string, ranking: Ranking): void {
    const needed = bitsOf(wanted, 0)
    const inside = IN_NAME + mostOfWhole(wanted)
    let piecemeal = 0
    for (let index = 0; index < this.#texts.length; index++) {
      if (((this.#nameHas[index] ?? 0) & needed) !== needed) continue
      const lower = this.#lower[index] ?? ''
      const text = this.#texts[index] ?? ''
      const name = this.#names[index] ?? 0
      const at = lower.indexOf(wanted, name)
      if (at === name || (at > name && ranking.takes(text, inside))) {
        ranking.offer(text, index, IN_NAME + scoreName(wanted, { text, lower, name, at }))
      } else if (at < 0 && piecemeal < ENOUGH) {
        const score = scorePieces(wanted, { text, lower, from: name })
        if (score === NO_MATCH) continue
        piecemeal++
        ranking.offer(text, index, IN_NAME + score)
      }
    }
  }

  /** The paths that fit, but not by their names. */
  #searchPaths(wanted: string, ranking: Ranking): void {
    const needed = bitsOf(wanted, 0)
    const whole = mostOfWhole(wanted)
    let piecemeal = 0
    for (let index = 0; index < this.#texts.length; index++) {
      const name = this.#names[index] ?? 0
      if (name === 0 || ((this.#has[index] ?? 0) & needed) !== needed) continue
      const lower = this.#lower[index] ?? ''
      const text = this.#texts[index] ?? ''
      const at = lower.indexOf(wanted)
      if (at >= 0) {
        if (at >= name || !ranking.takes(text, whole) || lower.indexOf(wanted, name) >= 0) continue
        ranking.offer(text, index, scoreWhole(wanted, { text, lower, at }))
      } else if (piecemeal < ENOUGH && endOf(wanted, lower, name) < 0) {
        const score = scorePieces(wanted, { text, lower, from: 0 })
        if (score === NO_MATCH) continue
        piecemeal++
        ranking.offer(text, index, score)
      }
    }
  }
}

/** The best so far. */
class Ranking {
  readonly hits: Hit[] = []
  #most: number
  #extra: ReadonlyMap<string, number>
  #mostExtra: number

  constructor(most: number, extra: ReadonlyMap<string, number> = new Map()) {
    this.#most = most
    this.#extra = extra
    this.#mostExtra = Math.max(0, ...extra.values())
  }

  /** False: even if its letters were worth so much, it would not be among them. */
  takes(text: string, letters: number): boolean {
    if (this.hits.length < this.#most) return true
    return letters - text.length * LENGTH + this.#mostExtra > (this.hits.at(-1)?.score ?? NO_MATCH)
  }

  offer(text: string, index: number, letters: number): void {
    if (!this.takes(text, letters)) return
    const extra = this.#extra.size > 0 ? (this.#extra.get(text) ?? 0) : 0
    const score = letters - text.length * LENGTH + extra
    let at = this.hits.length
    while (at > 0 && (this.hits[at - 1]?.score ?? NO_MATCH) < score) at--
    this.hits.splice(at, 0, { text, index, score })
    if (this.hits.length > this.#most) this.hits.pop()
  }
}

interface Place {
  text: string
  lower: string
}

/** In one piece: better at the start of the name, best when it is the whole name, whatever its ending. */
function scoreName(wanted: string, { text, lower, name, at }: Place & { name: number; at: number }): number {
  if (wanted === '') return 0
  const score = scoreWhole(wanted, { text, lower, at })
  if (at > name) return score
  const end = at + wanted.length
  const isWhole = end === lower.length || (lower[end] === '.' && lower.indexOf('.', end + 1) < 0)
  return score + NAME_START + (isWhole ? WHOLE_NAME : 0)
}

function scoreWhole(wanted: string, place: Place & { at: number }): number {
  return RUN * (wanted.length - 1) + wordStart(place.text, wholeAt(wanted, place))
}

const mostOfWhole = (wanted: string): number => RUN * (wanted.length - 1) + WORD_START

function scorePieces(wanted: string, { text, lower, from }: Place & { from: number }): number {
  const last = endOf(wanted, lower, from)
  if (last < 0) return NO_MATCH
  let score = 0
  let after = last + 1
  for (let left = wanted.length - 1; left >= 0; left--) {
    // From the end backwards: the shortest stretch that has it all.
    const at = lower.lastIndexOf(wanted[left] ?? '', after - 1)
    const gap = after - at - 1
    if (left < wanted.length - 1) score += gap === 0 ? RUN : -Math.min(gap, MOST_GAP) * GAP
    score += wordStart(text, at)
    after = at
  }
  return after === from ? score + NAME_START : score
}

/** The place of the last character when each is taken as early as it can be; -1: some are missing. */
function endOf(wanted: string, lower: string, from: number): number {
  let at = from - 1
  for (let index = 0; index < wanted.length; index++) {
    at = lower.indexOf(wanted[index] ?? '', at + 1)
    if (at < 0) return -1
  }
  return at
}

/** Where it is in one piece (`at`: the first time), at the start of a word if it does so anywhere. */
function wholeAt(wanted: string, { text, lower, at }: Place & { at: number }): number {
  for (let place = at; place >= 0; place = lower.indexOf(wanted, place + 1)) {
    if (wordStart(text, place) > 0) return place
  }
  return at
}

function wordStart(text: string, at: number): number {
  if (at === 0) return WORD_START
  const before = text.charCodeAt(at - 1)
  return !isWord(before) || (isUpper(text.charCodeAt(at)) && !isUpper(before)) ? WORD_START : 0
}

const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a

const isWord = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || isUpper(code) || (code >= 0x30 && code <= 0x39) || code > 0x7f

/** In lower case, unless that is longer (İ): then places would not be those of the text. */
function lowerOf(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

/** A bit for each letter; what is left shares six. */
function bitsOf(lower: string, from: number): number {
  let bits = 0
  for (let at = from; at < lower.length; at++) {
    const code = lower.charCodeAt(at)
    bits |= 1 << (code >= 0x61 && code <= 0x7a ? code - 0x61 : 26 + (code % 6))
  }
  return bits
}

/** The offsets of a match's characters, for showing it; none when there is no match. */
export function placesOf(needle: string, text: string): number[] {
  const wanted = lowerOf(needle)
  const lower = lowerOf(text)
  for (const from of new Set([text.lastIndexOf('/', text.length - 2) + 1, 0])) {
    const at = lower.indexOf(wanted, from)
    if (at >= 0) {
      const whole = wholeAt(wanted, { text, lower, at })
      return Array.from(wanted, (_, index) => whole + index)
    }
    const last = endOf(wanted, lower, from)
    if (last < 0) continue
    const places: number[] = []
    for (let left = wanted.length - 1, after = last + 1; left >= 0; left--) {
      after = lower.lastIndexOf(wanted[left] ?? '', after - 1)
      places.unshift(after)
    }
    return places
  }
  return []
}
