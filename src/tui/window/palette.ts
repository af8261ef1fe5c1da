/** From attributes to what the terminal is sent for them (SGR), in as many colours as it has. */
import { ADDED, BOLD, ITALIC, REMOVED, STRIKE, type Style, UNDERLINE } from '../line.ts'
import { styleOf } from './attributes.ts'
import type { Color, Paint, Paints } from './theme.ts'

/** How many colours a terminal shows; `none` still has bold, underline and the like. */
export type Depth = 'none' | '16' | '256' | 'full'

export interface Palette {
  /** The parameters of the SGR sequence that follows a reset; empty for what a reset looks like. */
  codes(attribute: number): string
  /** Whether a blank cell shows nothing of the attribute. */
  isInkless(attribute: number): boolean
}

/** What the environment tells. NO_COLOR (https://no-color.org) counts whatever its value, unless that is empty. */
export function depthOf({ NO_COLOR, COLORTERM = '', TERM = '' }: NodeJS.ProcessEnv): Depth {
  if (NO_COLOR) return 'none'
  if (/truecolor|24bit/i.test(COLORTERM)) return 'full'
  if (/-direct|kitty|ghostty|wezterm|foot|alacritty|contour/.test(TERM)) return 'full'
  return /256/.test(TERM) ? '256' : '16'
}

export function createPalette(paints: Paints, depth: Depth): Palette {
  const codes: string[] = []
  const inkless: boolean[] = []
  return {
    codes: attribute => (codes[attribute] ??= codesOf(paints, attribute, depth)),
    isInkless: attribute => (inkless[attribute] ??= !isInked(paints, attribute, depth)),
  }
}

function isInked(paints: Paints, attribute: number, depth: Depth): boolean {
  const { style, marks } = styleOf(attribute)
  const { marks: own = 0, reverse = false, background } = within(paints, style, marks)
  const isLined = ((marks | own) & (UNDERLINE | STRIKE)) !== 0
  return isLined || reverse || (depth !== 'none' && background !== undefined)
}

const MARK_CODES = [
  [BOLD, '1'],
  [ITALIC, '3'],
  [UNDERLINE, '4'],
  [STRIKE, '9'],
] as const

/** What stands in a changed line is on its ground; where there is none the line has one colour. */
function within(paints: Paints, style: Style, marks: number): Paint {
  const line = (marks & ADDED) !== 0 ? paints.added : (marks & REMOVED) !== 0 ? paints.removed : undefined
  if (!line) return paints[style]
  return line.background === undefined ? line : { ...paints[style], background: line.background }
}

function codesOf(paints: Paints, attribute: number, depth: Depth): string {
  const { style, marks } = styleOf(attribute)
  const paint = within(paints, style, marks)
  const all = marks | (paint.marks ?? 0)
  const codes: string[] = MARK_CODES.filter(([mark]) => (all & mark) !== 0).map(([, code]) => code)
  if (paint.dim) codes.unshift('2')
  if (paint.reverse) codes.push('7')
  if (depth !== 'none') {
    if (paint.color !== undefined) codes.push(colorCode(paint.color, 30, depth))
    if (paint.background !== undefined) codes.push(colorCode(paint.background, 40, depth))
  }
  return codes.join(';')
}

/** `base`: 30 for the text, 40 for what is behind it. */
function colorCode(color: Color, base: 30 | 40, depth: Depth): string {
  if (typeof color === 'number') return `${color < 8 ? base + color : base + 52 + color}`
  return depth === 'full' ? `${base + 8};2;${color.join(';')}` : `${base + 8};5;${inCube(color)}`
}

/** The nearest of xterm's 256 colours: its cube of 6 × 6 × 6, or its 24 greys. */
function inCube([red, green, blue]: readonly [number, number, number]): number {
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < 8) {
    const grey = Math.round((red - 8) / 10)
    if (grey >= 0 && grey < 24) return 232 + grey
  }
  const step = (value: number) => (value < 48 ? 0 : value < 115 ? 1 : Math.round((value - 55) / 40))
  return 16 + 36 * step(red) + 6 * step(green) + step(blue)
}
