/** A tool call: while it runs its last output, then a summary; a change with its diff. */

import { reveal } from '../../text/sanitize.ts'
import { type FinishedTool, subjectOf, toolLine } from '../../text/tool-line.ts'
import { cut, displayWidth } from '../../text/width.ts'
import type { Line } from '../line.ts'
import type { Look, RunningTool } from './cell.ts'
import { foldedChangeLines } from './diff.ts'
import { lastRows, textLines } from './text.ts'

const LIVE_LINES = 8
/** Unfolded. A tool that runs may say anything, for hours. */
const LIVE_LINES_UNFOLDED = 64
const DIFF_LINES = 24
/** ms. */
const WORTH_TELLING = 50

/** `ms` is how long it has been running. */
export function runningToolLines(tool: RunningTool & { ms: number }, width: number, look: Look): Line[] {
  const words = reveal(`${tool.name} ${subjectOf(tool.arguments, look.words.tool)}`.trim())
  const time = tool.ms < 1000 ? '' : look.words.time(Math.floor(tool.ms / 1000) * 1000)
  const head = headLine({ sign: '●', style: 'accent', words, time }, width)
  const most = look.unfolded ? LIVE_LINES_UNFOLDED : LIVE_LINES
  return [head, ...bodyLines(lastRows(tool.output, width, most), width).slice(-most)]
}

/** `ms` is how long it took, where that is known. */
export function finishedToolLines(tool: FinishedTool & { ms?: number }, width: number, look: Look): Line[] {
  const [sign = '', ...words] = toolLine(tool, look.words.tool).split(' ')
  const style = tool.is_error ? 'danger' : 'success'
  const time = tool.ms === undefined || tool.ms < WORTH_TELLING ? '' : look.words.time(tool.ms)
  const head = headLine({ sign, style, words: words.join(' '), time }, width)
  const diff = diffOf(tool.details)
  if (diff !== undefined) return [head, ...foldedChangeLines(diff, width, { most: DIFF_LINES, look })]
  return look.unfolded ? [head, ...bodyLines(tool.content, width)] : [head]
}

interface Head {
  sign: string
  style: 'accent' | 'success' | 'danger'
  words: string
  /** Empty where there is nothing to tell. */
  time: string
}

/** The time gives way first, then the end of the words. */
function headLine({ sign, style, words, time }: Head, width: number): Line {
  const room = width - displayWidth(sign) - 1
  const timeRoom = time === '' ? 0 : displayWidth(time) + 1
  const fitsTime = room - timeRoom >= Math.min(displayWidth(words), room / 2)
  const shown = cut(words.replaceAll(/[\n\t]/g, ' '), fitsTime ? room - timeRoom : room, { mark: '…' })
  const line: Line = [
    { text: `${sign} `, style },
    { text: shown, style: 'plain' },
  ]
  return fitsTime && time !== '' ? [...line, { text: ` ${time}`, style: 'muted' }] : line
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
