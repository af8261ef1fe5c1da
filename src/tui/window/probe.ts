/**
 * Questions to the terminal: its background, and which emoji it draws as one. Asked after the first frame and never
 * waited for; many terminals answer only some of them, so the last is one that all answer.
 */
import type { Joins } from './glyph.ts'
import type { Rgb } from './theme.ts'

export interface Answers {
  background?: Rgb
  joins: Joins
}

export interface Probe {
  /** What the terminal is sent. It restores the cursor that was saved last, but not the row. */
  readonly question: string
  /** The row that is written on. */
  readonly row: number
  /** Takes one reply (without its terminator); → everything, with the last. */
  take(reply: string): Answers | undefined
}

const BACKGROUND = '\x1b]11;?\x1b\\'
const WHERE = '\x1b[6n'
/** Primary device attributes. */
const WHO = '\x1b[c'
const [HIDDEN, SHOWN] = ['\x1b[8m', '\x1b[m']

const SAMPLES = [
  ['sequences', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['tones', '\u{1f44d}\u{1f3fd}'],
  ['flags', '\u{1f1ef}\u{1f1f5}'],
] as const

/** Columns that the widest sample may take. */
const ROOM = 10

/** `columns` and `rows`: of the screen. Where there is no room for samples, only the background is asked for. */
export function createProbe(columns: number, rows: number): Probe {
  // An answer from the first row reads like F3 with a modifier.
  const row = Math.min(rows - 1, 1)
  const hasRoom = rows > 1 && columns >= ROOM
  const start = `\x1b[${row + 1}H`
  const samples = SAMPLES.map(([, text]) => start + text + WHERE).join('')
  const found: { joins: Joins; background?: Rgb } = {
    joins: { sequences: false, tones: false, flags: false },
  }
  const places: number[] = []

  return {
    question: BACKGROUND + (hasRoom ? `${HIDDEN}${samples}${SHOWN}\x1b8` : '') + WHO,
    row,
    take(reply) {
      const background = readBackground(reply)
      if (background) found.background = background
      const [, column] = /^\x1b\[\d+;(\d+)R$/.exec(reply) ?? []
      if (column !== undefined) places.push(Number(column))
      if (!/^\x1b\[\?[\d;]*c$/.test(reply)) return undefined
      for (const [at, [name]] of SAMPLES.entries()) found.joins[name] = places[at] === 3
      return found
    },
  }
}

/** `OSC 11 ; rgb:RRRR/GGGG/BBBB`, with one to four digits each. */
function readBackground(reply: string): Rgb | undefined {
  const digits = /^\x1b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(reply)?.slice(1)
  if (!digits) return undefined
  const [red = 0, green = 0, blue = 0] = digits.map(part =>
    Math.round((Number.parseInt(part, 16) / (16 ** part.length - 1)) * 255),
  )
  return [red, green, blue]
}
