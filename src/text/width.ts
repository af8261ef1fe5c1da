/**
 * Text as a terminal shows it: in graphemes (what a person takes for one character), each zero, one or two columns
 * wide. The table is our own, since Intl.Segmenter needs 8 ms to start and, in Node 20, seconds for a long text; it
 * is read when the first character outside Latin comes.
 *
 * Graphemes are those of UAX #29, except for conjuncts of Indic scripts and for prepended marks, which terminals do not
 * join either. Offsets are UTF-16 code units.
 */
import { HIDDEN, MARK, PICTURE, SPACING, WIDE } from './width-table.ts'

/** A tab is drawn as so many spaces, wherever it is. */
export const TAB_COLUMNS = 4

const [narrow, wide, mark, spacing, hidden] = [1, 2, 3, 4, 5] as const
const KIND = 7
const IS_PICTURE = 8
const ZWJ = 0x200d
const VS16 = '\ufe0f'

interface Table {
  ranges: readonly [kind: number, starts: number[], ends: number[]][]
  /** Of the first plane, once a character has been looked up; 0 before. */
  known: Uint8Array
}

let read: Table | undefined

function table(): Table {
  if (!read) {
    const sources = [
      [wide, WIDE],
      [mark, MARK],
      [spacing, SPACING],
      [hidden, HIDDEN],
      [IS_PICTURE, PICTURE],
    ] as const
    read = {
      ranges: sources.map(([kind, source]) => [kind, ...rangesOf(source)]),
      known: new Uint8Array(0x10000),
    }
  }
  return read
}

function rangesOf(source: string): [starts: number[], ends: number[]] {
  const starts: number[] = []
  const ends: number[] = []
  let end = 0
  for (const range of source.split(' ')) {
    const [distance = '', length = '0'] = range.split('+')
    const start = end + Number.parseInt(distance, 36)
    end = start + Number.parseInt(length, 36)
    starts.push(start)
    ends.push(end)
  }
  return [starts, ends]
}

function isWithin(code: number, starts: readonly number[], ends: readonly number[]): boolean {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] ?? 0) < code) low = middle + 1
    else high = middle
  }
  return (starts[low] ?? Number.POSITIVE_INFINITY) <= code
}

function lookUp(code: number): number {
  let kind = 0
  for (const [bits, starts, ends] of table().ranges) if (isWithin(code, starts, ends)) kind |= bits
  return (kind & KIND) === 0 ? kind | narrow : kind
}

function kindOf(code: number): number {
  if (code < 0xa0) return code < 0x20 || code >= 0x7f ? hidden : narrow
  if (isOwnSign(code)) return narrow
  if (code > 0xffff) return lookUp(code)
  const { known } = table()
  const kind = known[code] || lookUp(code)
  known[code] = kind
  return kind
}

/** `·`, `…`, `›`, lines: the first frame holds some, and does without reading the table (1 ms). */
const isOwnSign = (code: number): boolean =>
  (code >= 0x2500 && code < 0x2580) || code === 0xb7 || code === 0x2026 || code === 0x203a

const isPicture = (code: number): boolean => code >= 0xa9 && (kindOf(code) & IS_PICTURE) !== 0
const isRegional = (code: number): boolean => code >= 0x1f1e6 && code <= 0x1f1ff
const isModifier = (code: number): boolean => code >= 0x1f3fb && code <= 0x1f3ff
const isJamo = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x11ff) ||
  (code >= 0xa960 && code <= 0xa97c) ||
  (code >= 0xac00 && code <= 0xd7fb)
const unitsOf = (code: number): number => (code > 0xffff ? 2 : 1)

/** Marks, modifiers and joiners: they belong to whatever is before them. */
function isExtending(code: number): boolean {
  if (code < 0x300) return false
  const kind = kindOf(code) & KIND
  return kind === mark || kind === spacing || isModifier(code)
}

/** Part of a Hangul syllable: leading consonant, vowel, final, or a syllable without or with a final. */
function syllablePart(code: number): 'L' | 'V' | 'T' | 'LV' | 'LVT' | undefined {
  if (!isJamo(code)) return undefined
  if (code >= 0xac00 && code <= 0xd7a3) return (code - 0xac00) % 28 === 0 ? 'LV' : 'LVT'
  if (code < 0x1160 || (code >= 0xa960 && code <= 0xa97c)) return 'L'
  return code < 0x11a8 || (code >= 0xd7b0 && code <= 0xd7c6) ? 'V' : 'T'
}

function joinsSyllable(before: number, code: number): boolean {
  const part = syllablePart(code)
  const previous = syllablePart(before)
  if (!part || !previous) return false
  if (previous === 'L') return part !== 'T'
  return part === 'T' || (part === 'V' && (previous === 'V' || previous === 'LV'))
}

/** The offset after the grapheme that starts at `at`. */
export function graphemeEnd(text: string, at: number): number {
  const first = text.codePointAt(at) ?? 0
  let end = at + unitsOf(first)
  const next = text.charCodeAt(end)
  // Nothing below U+0300 joins what is before it, except for the newline of CRLF.
  if (!(next >= 0x300)) return first === 0x0d && next === 0x0a ? end + 1 : end
  if (kindOf(first) === hidden && !isJamo(first)) return end
  let before = first
  let inPicture = isPicture(first)
  let isFlagOpen = isRegional(first)
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0
    const isSequence = inPicture && before === ZWJ && isPicture(code)
    const isFlag = isFlagOpen && isRegional(code)
    if (!(isSequence || isFlag || isExtending(code) || joinsSyllable(before, code))) break
    inPicture = isSequence || (inPicture && before !== ZWJ && (kindOf(code) & KIND) !== spacing)
    isFlagOpen = false
    before = code
    end += unitsOf(code)
  }
  return end
}

/** The offset at which the grapheme starts that ends at `at`; 0 at the start of the text. */
export function graphemeStart(text: string, at: number): number {
  let start = at
  do start = characterBefore(text, start)
  while (start > 0 && mayJoin(text, start))
  for (;;) {
    const end = graphemeEnd(text, start)
    if (end >= at) return start
    start = end
  }
}

function characterBefore(text: string, at: number): number {
  const isPair = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff
  return Math.max(0, at - (isPair ? 2 : 1))
}

function mayJoin(text: string, at: number): boolean {
  const code = text.codePointAt(at) ?? 0
  return code === 0x0a || isExtending(code) || isRegional(code) || isPicture(code) || isJamo(code)
}

/** The graphemes of a text, in order. */
export function* graphemes(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = graphemeEnd(text, at)
    yield text.slice(at, end)
    at = end
  }
}

/**
 * Columns of one grapheme: 0 (a control character), 1, 2, or those of a tab. Where terminals disagree (emoji with a
 * selector, sequences with joiners) it is what the newest ones do: whoever draws must say where the next grapheme is.
 */
export function graphemeWidth(grapheme: string): number {
  const first = grapheme.codePointAt(0) ?? 0
  if (first === 0x09) return TAB_COLUMNS
  if (grapheme.length === unitsOf(first)) return columnsOf(first)
  if (grapheme.includes(VS16) && (isPicture(first) || grapheme.endsWith('\u20e3'))) return 2
  let columns = 0
  for (const character of grapheme) columns += columnsOf(character.codePointAt(0) ?? 0)
  return Math.min(columns, 2)
}

function columnsOf(code: number): number {
  const kind = kindOf(code) & KIND
  if (kind === wide) return 2
  return kind === narrow || kind === spacing ? 1 : 0
}

/** Columns of a text without newlines. */
export function displayWidth(text: string): number {
  let columns = 0
  for (let at = 0; at < text.length; ) {
    const end = graphemeEnd(text, at)
    columns += widthBetween(text, at, end)
    at = end
  }
  return columns
}

/** Most graphemes are one printable ASCII character: nothing is cut out for these. */
function widthBetween(text: string, start: number, end: number): number {
  const code = text.charCodeAt(start)
  return end === start + 1 && code >= 0x20 && code < 0x7f ? 1 : graphemeWidth(text.slice(start, end))
}

/** As much of the start of a text as fits into `width` columns; what is cut ends in `mark`, if that fits. */
export function cut(text: string, width: number, { mark: sign = '' }: { mark?: string } = {}): string {
  const ending = displayWidth(sign) <= width ? sign : ''
  const room = width - displayWidth(ending)
  let columns = 0
  let fitting = 0
  for (let at = 0; at < text.length; ) {
    const end = graphemeEnd(text, at)
    columns += widthBetween(text, at, end)
    if (columns > width) return text.slice(0, fitting) + ending
    if (columns <= room) fitting = end
    at = end
  }
  return text
}
