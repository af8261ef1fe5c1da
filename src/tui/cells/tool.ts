/** A tool call: while it runs its last output, then a summary; a change with its diff. */

import { reveal } from '../../text/sanitize.ts'
import { type FinishedTool, subjectOf, toolLine } from '../../text/tool-line.ts'
import { cut, displayWidth } from '../../text/width.ts'
import type { Line } from '../line.ts'
import type { Look, RunningTool } from './cell.ts'
import { changeLines } from './diff.ts'
import { folded, lastRows, textLines } from './text.ts'

const LIVE_LINES = 8
/** Unfolded. A tool that runs may say anything, for hours. */
const LIVE_LINES_UNFOLDED = 64
const DIFF_LINES = 24

/** `ms` is how long it has been running. */
export function runningToolLines(tool: RunningTool & { ms: number }, width: number, look: Look): Line[] {
  const words = reveal(`${tool.name} ${subjectOf(tool.arguments, look.words.tool)}`.trim())
  const head = headLine({ sign: '●', style: 'accent', words, ms: tool.ms }, width)
  const most = look.unfolded ? LIVE_LINES_UNFOLDED : LIVE_LINES
  return [head, ...bodyLines(lastRows(tool.output, width, most), width).slice(-most)]
}

/** `ms` is how long it took, where that is known. */
export function finishedToolLines(tool: FinishedTool & { ms?: number }, width: number, look: Look): Line[] {
  const [sign = '', ...words] = toolLine(tool, look.words.tool).split(' ')
  const head = headLine(
    {
      sign,
      style: tool.is_error ? 'danger' : 'success',
      words: words.join(' '),
      ...(tool.ms !== undefined && { ms: tool.ms }),
    },
    width,
  )
  const diff = diffOf(tool.details)
  if (diff !== undefined) return [head, ...folded(changeLines(diff, width), DIFF_LINES, look)]
  return look.unfolded ? [head, ...bodyLines(tool.content, width)] : [head]
}

interface Head {
  sign: string
  style: 'accent' | 'success' | 'danger'
  words: string
  ms?: number
}

/** The time gives way first, then the end of the words. */
function headLine({ sign, style, words, ms }: Head, width: number): Line {
  const time = ms === undefined ? '' : ` ${(ms / 1000).toFixed(1)} s`
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

function diffOf(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('diff' in details)) return undefined
  return typeof details.diff === 'string' && details.diff !== '' ? details.diff : undefined
}
