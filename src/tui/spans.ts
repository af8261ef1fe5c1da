/** Styled text in columns. */
import { displayWidth, TAB_COLUMNS } from '../text/width.ts'
import { rowsOf } from '../text/wrap.ts'
import type { Line, Span } from './line.ts'

export const textOfLine = (line: Line): string => line.map(({ text }) => text).join('')

export function widthOf(line: Line): number {
  const text = textOfLine(line)
  return isAscii(text) ? text.length : displayWidth(text)
}

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

export const withoutTabs = (text: string): string => text.replaceAll('\t', ' '.repeat(TAB_COLUMNS))

/** Broken where a plain text would be; every piece keeps its style. */
export function wrapSpans(line: Line, width: number): Line[] {
  const text = textOfLine(line)
  if (text.length <= width && isAscii(text)) return [line]
  return rowsOf(text, width).map(({ start, end }) => sliceSpans(line, start, end))
}

/** From one offset of the line's text to another. */
function sliceSpans(line: Line, start: number, end: number): Line {
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
