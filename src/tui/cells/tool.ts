/** A tool call: while it runs its last output, then what came of it; a change with its diff. */

import { checklist } from '../../text/checklist.ts'
import { fieldsOf } from '../../text/record.ts'
import { reveal } from '../../text/sanitize.ts'
import { type FinishedTool, hasMark, linesWritten, subjectOf, toolParts } from '../../text/tool-line.ts'
import { cut, displayWidth } from '../../text/width.ts'
import type { Line, Span } from '../line.ts'
import { cutSpans, wrapSpans } from '../spans.ts'
import type { Look, RunningTool } from './cell.ts'
import { foldedChangeLines } from './diff.ts'
import { inkLines } from './ink.ts'
import { lastRows, moreLine } from './text.ts'

const LIVE_LINES = 8
/** Unfolded. A tool that runs may say anything, for hours. */
const LIVE_LINES_UNFOLDED = 64
const DIFF_LINES = 24
/** Of a finished command's output, folded; of what failed. */
const COMMAND_LINES = 3
const FAILURE_LINES = 6
/** ms. */
const WORTH_TELLING = 50

const RUNS = { sign: '●', style: 'accent' } as const
const WAITS = { sign: '○', style: 'muted' } as const

/** `ms` is how long it has been running, `limitMs` how long it may; without `ms` it waits for its leave. */
export function runningToolLines(
  { tool, ms, limitMs }: { tool: RunningTool; ms: number | undefined; limitMs?: number },
  width: number,
  look: Look,
): Line[] {
  const { words } = look
  const call = reveal(`${tool.name} ${subjectOf(tool.arguments, words.tool)}`.trim())
  const whole = Math.floor((ms ?? 0) / 1000) * 1000
  const time = whole === 0 ? '' : limitMs === undefined ? words.time(whole) : words.ofLimit(whole, limitMs)
  const head = headLine({ ...(ms === undefined ? WAITS : RUNS), call, outcome: '', time, mark: '' }, width)
  // Of an agent that works its newest line.
  const folded = typeof tool.arguments.agent === 'string' ? 1 : LIVE_LINES
  const most = look.unfolded ? LIVE_LINES_UNFOLDED : folded
  return [head, ...bodyLines(lastLines(tool.output, width, most), width).slice(-most)]
}

/** Enough of the end, from the beginning of a line. */
function lastLines(output: string, width: number, rows: number): string {
  const end = lastRows(output, width, rows)
  return end.length < output.length ? end.slice(end.indexOf('\n') + 1) : end
}

/** `ms` is how long it took, where that is known. */
export function finishedToolLines(tool: FinishedTool & { ms?: number }, width: number, look: Look): Line[] {
  const { sign, call, outcome } = toolParts(tool, look.words)
  const facts = fieldsOf(tool.details)
  const style = tool.is_error ? 'danger' : 'success'
  const time = tool.ms === undefined || tool.ms < WORTH_TELLING ? '' : look.words.time(tool.ms)
  const mark = typeof facts.sandbox === 'string' ? look.words.footer.sandbox : ''
  const head = headLine({ sign, style, call, outcome, time, mark }, width)
  const { diff } = facts
  if (typeof diff === 'string' && diff !== '')
    return [head, ...foldedChangeLines(diff, width, { most: DIFF_LINES, look, path: pathOf(tool.arguments) })]
  const list = checklist(tool.details)
  if (list) return [head, ...bodyLines(list.join('\n'), width)]
  const told = toldOf(tool, look)
  return [head, ...outputLines(tool, width, { ...look, told, isTold: isWholeIn(head, told) })]
}

/** What the model was told; of a failure the first line as its row says it. */
function toldOf({ is_error, content }: FinishedTool, { words }: Look): string {
  if (!is_error) return content
  const [first = '', ...others] = content.trim().split('\n')
  return [words.tool.failed(first), ...others].join('\n')
}

const isWholeIn = (row: Line, content: string): boolean =>
  row.some(({ text }) => text.includes(inOneRow(content.trim())))

/** Of a command its end, of a failure that one row cannot tell a little more; unfolded all there is. */
function outputLines(
  tool: FinishedTool,
  width: number,
  look: Look & { told: string; isTold: boolean },
): Line[] {
  const steps = stepsOf(tool.details)
  if (look.unfolded) return bodyLines([...steps, tool.content].join('\n'), width)
  const { ended } = fieldsOf(tool.details)
  const written = linesWritten(tool)
  const { told } = look
  const isLong = told.trim().includes('\n') || displayWidth(told) > width / 2
  if (!written && !(tool.is_error && ended === undefined && isLong && !look.isTold)) return []
  const shown = written ?? told.trimEnd().split('\n')
  const most = tool.is_error ? FAILURE_LINES : COMMAND_LINES
  const hidden = shown.length - most > 1 ? shown.length - most : 0
  const more = hidden > 0 ? [moreLine(hidden, look)] : []
  if (!written) return [...more, ...bodyLines(shown.slice(hidden).join('\n'), width).slice(0, FAILURE_LINES)]
  // A colour may have been set before what is shown.
  const rows = shown.length === 0 ? [] : inkLines(shown.join('\n'), 'muted').slice(-(shown.length - hidden))
  return [...more, ...rows.map(row => [INDENT, ...cutSpans(row, Math.max(1, width - INDENT.text.length))])]
}

const pathOf = ({ path }: Record<string, unknown>): string | undefined =>
  typeof path === 'string' ? path : undefined

/** What an agent called. */
const stepsOf = (details: unknown): string[] => {
  const { steps } = fieldsOf(details)
  return Array.isArray(steps) ? steps.map(step => `· ${step}`) : []
}

interface Head {
  sign: string
  style: 'accent' | 'muted' | 'success' | 'danger'
  call: string
  /** These are empty where there is nothing to tell. */
  outcome: string
  time: string
  mark: string
}

/** The mark and the time give way first, then the end of the call; what came of it stays as long as it can. */
function headLine({ sign, style, call, outcome, time, mark }: Head, width: number): Line {
  const room = width - displayWidth(sign) - 1
  const words = inOneRow(call)
  const wanted = Math.min(displayWidth(words), Math.ceil(room / 2))
  const result = outcome === '' ? '' : `${hasMark(outcome) ? ' ' : ' · '}${inOneRow(outcome)}`
  const tails = [
    [result, after(time), after(mark)],
    [result, after(time), ''],
    [result, '', ''],
    [cut(result, Math.max(0, room - wanted), { mark: '…' }), '', ''],
  ]
  const [end = '', when = '', where = ''] =
    tails.find(tail => displayWidth(tail.join('')) + wanted <= room) ?? []
  const shown = cut(words, room - displayWidth(end + when + where), { mark: '…' })
  const spans: Span[] = [
    { text: `${sign} `, style },
    { text: shown, style: 'plain' },
    { text: end, style: style === 'danger' ? 'danger' : hasMark(outcome) ? 'plain' : 'muted' },
    { text: when + where, style: 'muted' },
  ]
  return spans.filter(({ text }) => text !== '')
}

const inOneRow = (text: string): string => text.replaceAll(/[\n\t]/g, ' ')

const after = (words: string): string => (words === '' ? '' : ` · ${words}`)

const INDENT: Span = { text: '  ', style: 'plain' }

function bodyLines(text: string, width: number): Line[] {
  const trimmed = text.replace(/\n$/, '')
  if (trimmed === '') return []
  return inkLines(trimmed, 'muted')
    .flatMap(line => wrapSpans(line, Math.max(1, width - INDENT.text.length)))
    .map(line => [INDENT, ...line])
}
