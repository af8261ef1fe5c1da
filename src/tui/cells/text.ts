/**
 * Cells are what the transcript is made of: from a value and a width, lines. Whatever text they are given passes the
 * sanitiser here, so no span holds a control character. From 8 columns on no line is wider than asked.
 */
import { sanitize } from '../../text/sanitize.ts'
import { inThousands } from '../../text/truncate.ts'
import { displayWidth } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import type { Line, Span, Style } from '../line.ts'
import { withoutTabs } from '../spans.ts'
import { rateText } from '../stage-line.ts'
import type { Compaction, Look, Notice, Thinking, Took } from './cell.ts'

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

export interface Fold {
  /** Lines that are shown. */
  most: number
  /** Lines that were not even laid out. */
  beyond?: number
}

/** The words for lines that are out of sight. */
export function moreLine(lines: number, { words, unfoldKey = '' }: Look): Line {
  const text = unfoldKey === '' ? words.moreLines(lines) : words.moreLinesKey(lines, unfoldKey)
  return [{ text: `  … ${text}`, style: 'muted' }]
}

/** Long ones are cut at their end, with the words for it. */
export function folded(lines: Line[], look: Look, { most, beyond = 0 }: Fold): Line[] {
  const count = lines.length + beyond
  // One line more costs as much as the words for it.
  if (look.unfolded || count <= most + 1) return lines
  return [...lines.slice(0, most), moreLine(count - most, look)]
}

/** More than these are folded to those, and to the end: there stands what was said about a text that was pasted. */
const MOST_USER_LINES = 10
const USER_LINES = 3
const LAST_USER_LINES = 2

/** What the person said, as it was typed. */
export function userLines({ text }: { text: string }, width: number, look: Look): Line[] {
  const all = text.split('\n')
  const shown = look.unfolded ? all : all.slice(0, MOST_USER_LINES + 1)
  const first = { text: '› ', style: 'ownSign' } as const
  const lines = textLines(shown.join('\n'), width, { style: 'own', first })
  const beyond = all.length - shown.length
  const count = lines.length + beyond
  if (look.unfolded || count <= MOST_USER_LINES) return lines
  const end = lastRows(text.trimEnd().split('\n').at(-1) ?? '', width, LAST_USER_LINES)
  const rows = textLines(end, width, { style: 'own', first: { text: '  ', style: 'plain' } })
  const last = rows.slice(-LAST_USER_LINES)
  const more = moreLine(count - USER_LINES - last.length, look)
  const muted = more.map(span => ({ ...span, style: 'ownMuted' as const }))
  return [...lines.slice(0, USER_LINES), muted, ...last]
}

const NOTICE_STYLE = { note: 'muted', warning: 'warning', error: 'danger' } as const

export function noticeLines({ level, message }: Notice, width: number): Line[] {
  const style = NOTICE_STYLE[level]
  return sanitize(message)
    .split('\n')
    .flatMap((line, index) => {
      const sign = index > 0 ? '  ' : level === 'error' ? '✗ ' : '· '
      const [columns = ''] = COLUMNS.exec(line) ?? []
      const before = displayWidth(columns) <= width / 2 ? columns : ''
      return textLines(line.slice(before.length), width, { style, first: { text: sign + before, style } })
    })
}

/** What stands before the last column of a line: where it is wrapped, it goes on below that. */
const COLUMNS = /^ *(?:\S+(?: \S+)* {2,}){0,3}/

const MUTED = { style: 'muted', first: { text: '· ', style: 'muted' } } as const
const INDENTED = { style: 'muted', first: { text: '  ', style: 'plain' } } as const

/** Of thinking that goes on, as much is shown as can be read along. */
const THINKING_LINES = 24

export function thinkingLines({ text, ms, since }: Thinking, width: number, look: Look): Line[] {
  const { thinking, thought } = look.words.cells
  // Of a conversation that goes on another day it is not known how long it took.
  const title =
    since !== undefined
      ? `${thinking} … ${look.words.time(wholeSeconds(look.now - since))}`
      : ms === undefined
        ? thinking
        : thought(ms)
  const head = textLines(title, width, MUTED)
  if (!look.unfolded) return head
  const shown = since !== undefined ? lastRows(text, width, THINKING_LINES) : text
  const body = textLines(shown.trim(), width, INDENTED)
  return [...head, ...(since !== undefined ? body.slice(-THINKING_LINES) : body)]
}

const wholeSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000) * 1000)

/** Enough of the end for so many rows: nothing that is out of sight is wrapped again with every piece. */
export function lastRows(text: string, width: number, rows: number): string {
  return text.slice(-2 * rows * width)
}

export function compactionLines(
  { summary, tokenBefore, tokenAfter, waitedMs = 0 }: Compaction,
  width: number,
  { unfolded, words }: Look,
): Line[] {
  const head = textLines(words.cells.compacted(tokenBefore, tokenAfter, waitedMs), width, MUTED)
  return unfolded && summary !== '' ? [...head, ...textLines(summary.trim(), width, INDENTED)] : head
}

/** Under a whole answer, or where a run was cut. */
export function tookLines(took: Took, width: number, { words, showTokens }: Look): Line[] {
  const { ms, isStopped = false, reused, read, isEstimated, rate = 0, miss } = took
  const { footer, cells } = words
  const about = isEstimated ? '≈' : ''
  const figures = [
    footer.reused(`${about}${inThousands(reused)}`),
    footer.read(`${about}${inThousands(read)}`),
    ...(rate > 0 ? [footer.perSecond(rateText(rate))] : []),
  ]
  const parts = [
    isStopped ? cells.stoppedAfter(ms) : cells.took(ms),
    ...(showTokens === false ? [] : figures),
    ...(miss ? [words.say(miss)] : []),
  ]
  return textLines(parts.join(' · '), width, MUTED)
}
