/** Long lines in narrow columns: broken at spaces, between wide characters, and inside a word only where it must be. */
import { displayWidth, graphemeEnd, graphemeWidth } from './width.ts'

/**
 * One row of a text, by offsets: what is between `start` and `end` is shown. The spaces at which a line was broken
 * are between `end` and the next row's `start`, and so does a newline.
 */
export interface Row {
  start: number
  end: number
}

/** What no row starts with in Chinese and Japanese. */
const CLOSING = '、。，．：；？！）］｝〉》」』】〕〗”’…ー'
/** What no row ends with. */
const OPENING = '（［｛〈《「『【〔〖“‘'

/**
 * The rows of a text in `width` columns, at least one. No row is wider, except for a wide character where there is one
 * column only.
 */
export function rowsOf(text: string, width: number): Row[] {
  const rows: Row[] = []
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    addLine(rows, text, { start, end, width })
    start = end + 1
  }
  return rows
}

/** The rows themselves. */
export function wrap(text: string, width: number): string[] {
  return rowsOf(text, width).map(({ start, end }) => text.slice(start, end))
}

interface Break {
  end: number
  next: number
  /** Columns of the row up to `next`. */
  columns: number
}

function addLine(rows: Row[], text: string, { start, end, width }: Row & { width: number }): void {
  let rowStart = start
  let columns = 0
  let possible: Break | undefined
  let before = ''
  for (let at = start; at < end; ) {
    const next = graphemeEnd(text, at)
    const grapheme = text.slice(at, next)
    const own = graphemeWidth(grapheme)
    if (isBlank(grapheme)) {
      possible = { end: isBlank(before) && possible ? possible.end : at, next, columns: columns + own }
    } else {
      if (mayPart(before, grapheme)) possible = { end: at, next: at, columns }
      while (columns + own > width && at > rowStart) {
        const { end: rowEnd, next: nextStart, columns: used } = possible ?? { end: at, next: at, columns }
        rows.push({ start: rowStart, end: rowEnd })
        rowStart = nextStart
        columns -= used
        possible = undefined
      }
    }
    columns += own
    before = grapheme
    at = next
  }
  rows.push({ start: rowStart, end: rowEndOf(text, { start: rowStart, end, width, columns }) })
}

/** Spaces at the end of a line that do not fit stay out of sight. */
function rowEndOf(
  text: string,
  { start, end, width, columns }: Row & { width: number; columns: number },
): number {
  let last = end
  for (let left = columns; left > width && last > start && isBlank(text[last - 1] ?? ''); last--) {
    left -= displayWidth(text[last - 1] ?? '')
  }
  return last
}

const isBlank = (grapheme: string): boolean => grapheme === ' ' || grapheme === '\t'

/** Wide characters need no space between them to be parted, except for those that hold on to a neighbour. */
function mayPart(before: string, after: string): boolean {
  if (isPlain(before) && isPlain(after)) return false
  if (before === '' || isBlank(before) || CLOSING.includes(after) || OPENING.includes(before)) return false
  return isWide(before) || isWide(after)
}

/** Most text is; by itself nothing below U+1100 is wide. */
const isPlain = (grapheme: string): boolean => grapheme.length === 1 && grapheme < '\u1100'

const isWide = (grapheme: string): boolean => graphemeWidth(grapheme) === 2
