/** A tool call: while it runs its last output, then a summary; a change with its diff. */

import { reveal } from '../../text/sanitize.ts'
import { type FinishedTool, subjectOf, toolLine } from '../../text/tool-line.ts'
import { cut, displayWidth } from '../../text/width.ts'
import type { Line } from '../line.ts'
import { changeLines } from './diff.ts'
import { textLines } from './text.ts'

export interface RunningTool {
  name: string
  arguments: Record<string, unknown>
  /** What it said so far. */
  output: string
}

export interface CellLook {
  /** Everything is shown. */
  unfolded: boolean
  /** The words for lines out of sight, in the person's language: `12 more lines`. */
  more: (lines: number) => string
}

const LIVE_LINES = 8
const DIFF_LINES = 24

/** `ms` is how long it has been running. */
export function runningToolLines(tool: RunningTool & { ms: number }, width: number, look: CellLook): Line[] {
  const words = reveal(`${tool.name} ${subjectOf(tool.arguments)}`.trim())
  const head = headLine({ sign: '●', style: 'accent', words, ms: tool.ms }, width)
  const all = bodyLines(look.unfolded ? tool.output : lastLines(tool.output, LIVE_LINES * width * 2), width)
  return [head, ...(look.unfolded ? all : all.slice(-LIVE_LINES))]
}

/** `ms` is how long it took. */
export function finishedToolLines(
  tool: FinishedTool & { ms: number },
  width: number,
  look: CellLook,
): Line[] {
  const [sign = '', ...words] = toolLine(tool).split(' ')
  const head = headLine(
    { sign, style: tool.is_error ? 'danger' : 'success', words: words.join(' '), ms: tool.ms },
    width,
  )
  const diff = diffOf(tool.details)
  if (diff !== undefined) return [head, ...folded(changeLines(diff, width), look)]
  return look.unfolded ? [head, ...bodyLines(tool.content, width)] : [head]
}

interface Head {
  sign: string
  style: 'accent' | 'success' | 'danger'
  words: string
  ms: number
}

/** The time gives way first, then the end of the words. */
function headLine({ sign, style, words, ms }: Head, width: number): Line {
  const time = ` ${(ms / 1000).toFixed(1)} s`
  const room = width - displayWidth(sign) - 1
  const fitsTime = room - time.length >= Math.min(displayWidth(words), room / 2)
  const shown = cut(words.replaceAll(/[\n\t]/g, ' '), fitsTime ? room - time.length : room, { mark: '…' })
  const line: Line = [
    { text: `${sign} `, style },
    { text: shown, style: 'plain' },
  ]
  return fitsTime ? [...line, { text: time, style: 'muted' }] : line
}

function bodyLines(text: string, width: number): Line[] {
  const trimmed = text.replace(/\n$/, '')
  if (trimmed === '') return []
  return textLines(trimmed, width, { style: 'muted', first: { text: '  ', style: 'plain' } })
}

/** Enough of the end for what is shown of it: nothing that was cut off is wrapped again with every piece. */
function lastLines(text: string, most: number): string {
  return text.length > most ? text.slice(-most) : text
}

function folded(lines: Line[], { unfolded, more }: CellLook): Line[] {
  // One line more costs as much as the words for it.
  if (unfolded || lines.length <= DIFF_LINES + 1) return lines
  const hidden = lines.length - DIFF_LINES
  return [...lines.slice(0, DIFF_LINES), [{ text: `  ⋯ ${more(hidden)}`, style: 'muted' }]]
}

function diffOf(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('diff' in details)) return undefined
  return typeof details.diff === 'string' && details.diff !== '' ? details.diff : undefined
}
