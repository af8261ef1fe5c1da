/**
 * What a command wrote, in the colours that it chose (SGR): the terminal's sixteen, to which others are brought near.
 * Everything else that a terminal would act on goes through the sanitiser, as all foreign text does.
 */
import { sanitize } from '../../text/sanitize.ts'
import { BOLD, type Ink, ITALIC, type Line, type Span, STRIKE, type Style, UNDERLINE } from '../line.ts'
import { tabbed } from '../spans.ts'

const SGR = /\x1b\[([\d;:]{0,64})m/g
interface Pen {
  ink: number | undefined
  dim: boolean
  reverse: boolean
  marks: number
}

const PLAIN: Pen = { ink: undefined, dim: false, reverse: false, marks: 0 }

/** Of a line that was written over, as progress bars do, what stays. */
function lastState(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end)
}

/** The lines of a text, not wrapped. What has no colour of its own has the style `plain`. */
export function inkLines(text: string, plain: Style): Line[] {
  const lines: Span[][] = [[]]
  let pen = PLAIN
  let at = 0
  const put = (piece: string) => {
    for (const [index, part] of sanitize(piece).split('\n').entries()) {
      if (index > 0) lines.push([])
      const line = lines.at(-1)
      if (part !== '') line?.push(spanOf(tabbed(part, line), pen, plain))
    }
  }
  const whole = text.includes('\r') ? text.split('\n').map(lastState).join('\n') : text
  for (const found of whole.matchAll(SGR)) {
    put(whole.slice(at, found.index))
    pen = after(pen, found[1] ?? '')
    at = found.index + found[0].length
  }
  put(whole.slice(at))
  return lines
}

function spanOf(text: string, { ink, dim, reverse, marks }: Pen, plain: Style): Span {
  const own: Style = ink !== undefined ? `ink${ink as Ink}` : dim ? 'muted' : marks === 0 ? plain : 'plain'
  return { text, style: reverse && ink === undefined ? 'selected' : own, ...(marks > 0 && { marks }) }
}

const MARKS: Readonly<Record<number, number>> = { 1: BOLD, 3: ITALIC, 4: UNDERLINE, 9: STRIKE }
const UNMARKS: Readonly<Record<number, number>> = { 22: BOLD, 23: ITALIC, 24: UNDERLINE, 29: STRIKE }

function after(before: Pen, parameters: string): Pen {
  let pen = before
  const codes = parameters.split(/[;:]/).map(Number)
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) {
      const isIndexed = codes[at + 1] === 5
      const ink = isIndexed
        ? indexed(codes[at + 2] ?? 0)
        : nearest([codes[at + 2], codes[at + 3], codes[at + 4]])
      if (code === 38) pen = { ...pen, ink }
      at += isIndexed ? 2 : 4
    } else pen = withCode(pen, code)
  }
  return pen
}

function withCode(pen: Pen, code: number): Pen {
  if (code === 0) return PLAIN
  if (code === 2) return { ...pen, dim: true }
  if (code === 7 || code === 27) return { ...pen, reverse: code === 7 }
  if (code >= 30 && code <= 37) return { ...pen, ink: code - 30 }
  if (code >= 90 && code <= 97) return { ...pen, ink: code - 90 + 8 }
  if (code === 39) return { ...pen, ink: undefined }
  const dim = code === 22 ? false : pen.dim
  return { ...pen, dim, marks: (pen.marks | (MARKS[code] ?? 0)) & ~(UNMARKS[code] ?? 0) }
}

/** One of xterm's 256: the sixteen, its cube, its greys. */
function indexed(number: number): number {
  if (number < 16) return number
  if (number >= 232) return nearest(Array(3).fill(8 + 10 * (number - 232)))
  const step = (share: number) => (share === 0 ? 0 : 55 + 40 * share)
  const cube = number - 16
  return nearest([step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6)])
}

/** As xterm has them. */
const SIXTEEN: readonly (readonly number[])[] = [
  ...[
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
  ],
  ...[
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
  ],
  ...[
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
  ],
]

function nearest(color: readonly (number | undefined)[]): number {
  const far = SIXTEEN.map(known => known.reduce((sum, part, at) => sum + (part - (color[at] ?? 0)) ** 2, 0))
  return far.indexOf(Math.min(...far))
}
