/**
 * Cells are what the transcript is made of: from a value and a width, lines. Whatever text they are given passes the
 * sanitiser here, so no span holds a control character. From 8 columns on no line is wider than asked.
 */
import { sanitize } from '../../text/sanitize.ts'
import { displayWidth, TAB_COLUMNS } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import type { Line, Span, Style } from '../line.ts'

export interface TextLook {
  style: Style
  /** Before the first line; the others are indented as far. */
  first?: Span
}

/** A text, wrapped. */
export function textLines(text: string, width: number, { style, first }: TextLook): Line[] {
  const indent = first ? displayWidth(first.text) : 0
  const rows = wrap(sanitize(text), Math.max(1, width - indent))
  return rows.map((row, index) => {
    const span: Span = { text: withoutTabs(row), style }
    if (!first) return [span]
    return [index === 0 ? first : { text: ' '.repeat(indent), style: 'plain' }, span]
  })
}

export const withoutTabs = (text: string): string => text.replaceAll('\t', ' '.repeat(TAB_COLUMNS))

/** What the person said, as it was typed. */
export function userLines({ text }: { text: string }, width: number): Line[] {
  return textLines(text, width, { style: 'strong', first: { text: '› ', style: 'accent' } })
}

export interface Notice {
  level: 'note' | 'warning' | 'error'
  message: string
}

const NOTICE_STYLE = { note: 'muted', warning: 'warning', error: 'danger' } as const

export function noticeLines({ level, message }: Notice, width: number): Line[] {
  const style = NOTICE_STYLE[level]
  return textLines(message, width, { style, first: { text: level === 'error' ? '✗ ' : '· ', style } })
}
