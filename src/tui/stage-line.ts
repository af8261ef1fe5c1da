/** The row above the prompt: what happens now and how long it may still take, or a word to the person. */
import { cut, displayWidth } from '../text/width.ts'
import type { Words } from '../words/words.ts'
import type { Line } from './line.ts'
import type { Stage } from './status.ts'

export interface StageLook {
  words: Words
  /** performance.now(), ms. */
  now: number
  /** The key that stops, as it is printed. */
  stopKey: string
}

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
/** Milliseconds that a picture of the spinner stands. */
const spinnerStep = 250

/** Of a run that goes on. Text that comes shows by itself that it does: no spinner then. */
export function stageLine({ name, since, tokens, etaMs }: Stage, width: number, look: StageLook): Line {
  const { words, now, stopKey } = look
  const elapsed = Math.max(0, now - since)
  const moves = name !== 'writing'
  const sign = moves ? (SPINNER[Math.floor(elapsed / spinnerStep) % SPINNER.length] ?? '') : '·'
  const what =
    name === 'reading' && tokens !== undefined ? words.footer.reading(tokens) : words.footer.phases[name]
  const left = etaMs === undefined ? 0 : etaMs - elapsed
  const times = [
    // Tenths would be a new row many times a second, and say nothing.
    ...(moves && elapsed >= 1000 ? [words.time(1000 * Math.floor(elapsed / 1000))] : []),
    ...(left > 0 ? [words.footer.left(left)] : []),
  ]
  const details = [...times, words.footer.stop(stopKey)].join(' · ')
  const room = width - 2 - displayWidth(what)
  const tail = displayWidth(details) + 3 <= room ? ` · ${details}` : ''
  return [
    { text: `${sign} `, style: 'accent' },
    { text: cut(what, Math.max(0, width - 2)), style: 'plain' },
    { text: tail, style: 'muted' },
  ]
}
