/** Styled text in columns. */
import { cut, displayWidth, TAB_COLUMNS } from '../text/width.ts'
import { rowsOf } from '../text/wrap.ts'
import type { Line, Span } from './line.ts'

export const textOfLine = (line: Line): string => line.map(({ text }) => text).join('')

export function widthOf(line: Line): number {
  const text = textOfLine(line)
  return isAscii(text) ? text.length : displayWidth(text)
}

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Whether two lines look the same. */
export const isSameLine = (one: Line, other: Line): boolean =>
  one === other ||
  (one.length === other.length &&
    one.every((span, index) => {
      const { text, style, marks = 0 } = other[index] ?? {}
      return span.text === text && span.style === style && (span.marks ?? 0) === marks
    }))

export const withoutTabs = (text: string): string => text.replaceAll('\t', ' '.repeat(TAB_COLUMNS))

/** The next piece of a line, with spaces up to the tab stops as a terminal would have them. */
export function tabbed(text: string, line: Line): string {
  const [first = '', ...others] = text.split('\t')
  let column = others.length === 0 ? 0 : widthOf(line) + displayWidth(first)
  return others.reduce((shown, piece) => {
    const gap = TAB_COLUMNS - (column % TAB_COLUMNS)
    column += gap + displayWidth(piece)
    return shown + ' '.repeat(gap) + piece
  }, first)
}

/** Broken where a plain text would be; every piece keeps its style. */
export function wrapSpans(line: Line, width: number): Line[] {
  const text = textOfLine(line)
  if (text.length <= width && isAscii(text)) return [line]
  return rowsOf(text, width).map(({ start, end }) => sliceSpans(line, start, end))
}

/** From one offset of the line's text to another. */
export function sliceSpans(line: Line, start: number, end: number): Line {
  const spans: Span[] = []
  let at = 0
  for (const span of line) {
    if (at >= end) break
    const text = span.text.slice(Math.max(0, start - at), Math.max(0, end - at))
    if (text !== '') spans.push({ ...span, text: withoutTabs(text) })
    at += span.text.length
  }
  return spans
}

/** As much as fits; where something is missing, `…` stands at the end. */
export function cutSpans(line: Line, width: number): Line {
  if (widthOf(line) <= width) return line
  const shown = cut(textOfLine(line), width, { mark: '…' })
  const kept = shown.endsWith('…') ? shown.length - 1 : shown.length
  return [...sliceSpans(line, 0, kept), { text: shown.slice(kept), style: 'muted' }]
}
