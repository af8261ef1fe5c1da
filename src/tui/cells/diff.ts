/**
 * A unified diff with its line numbers, old ones for what went and new ones for what came or stayed: in the colours of its
 * language once they are known, changed words marked, and side by side where there is room for both.
 */
import { cut } from '../../text/width.ts'
import { ADDED, type Line, REMOVED, type Span, type Style } from '../line.ts'
import type { Markdown } from '../markdown/markdown.ts'
import { textOfLine, widthOf, wrapSpans } from '../spans.ts'
import type { Look } from './cell.ts'
import { type DiffRow, pairsOf, rowsOfDiff } from './diff-rows.ts'
import { folded } from './text.ts'

export interface DiffLook {
  /** By which its language is told. Default: none is. */
  path?: string | undefined
  markdown?: Markdown | undefined
  isWide?: boolean
}

/** Columns of a screen that has room for both sides. */
export const COLUMNS_FOR_SIDES = 160

const STYLES = { ' ': 'plain', '+': 'added', '-': 'removed' } as const satisfies Record<string, Style>
const WORDS = { ' ': 'plain', '+': 'addedWord', '-': 'removedWord' } as const satisfies Record<string, Style>
const BEHIND = { ' ': 0, '+': ADDED, '-': REMOVED } as const

export function changeLines(diff: string, width: number, look: DiffLook = {}): Line[] {
  return linesOf(rowsOfDiff(diff), width, look)
}

/** The same, but of a long one no more is laid out than is shown. */
export function foldedChangeLines(
  diff: string,
  width: number,
  { most, look, path }: { most: number; look: Look; path: string | undefined },
): Line[] {
  const diffLook = { path, markdown: look.markdown, isWide: width >= COLUMNS_FOR_SIDES }
  if (look.unfolded) return changeLines(diff, width, diffLook)
  const all = rowsOfDiff(diff)
  // Side by side a line of the screen may take two rows.
  const rows = all.slice(0, diffLook.isWide ? 2 * most + 2 : most + 1)
  return folded(linesOf(rows, width, diffLook), look, { most, beyond: all.length - rows.length })
}

function linesOf(rows: readonly DiffRow[], width: number, look: DiffLook): Line[] {
  const colors = colorsOf(rows, look)
  if (look.isWide && hasBothSides(rows)) return sideBySide(rows, width, colors)
  const gutter = gutterOf(rows, width)
  return rows.flatMap(row => rowLines(row, width, { gutter, colors }))
}

/** A new file has nothing on the left. */
const hasBothSides = (rows: readonly DiffRow[]): boolean =>
  (['+', '-'] as const).every(other =>
    rows.some(({ number, sign }) => number !== undefined && sign !== other),
  )

const between: Span = { text: ' │ ', style: 'muted' }

function sideBySide(rows: readonly DiffRow[], width: number, colors: Colors): Line[] {
  const side = Math.floor((width - 3) / 2)
  const gutter = gutterOf(rows, side)
  return pairsOf(rows).flatMap(({ before, after }) => {
    const left = before ? rowLines(before, side, { gutter, colors }) : []
    const right = after ? rowLines(after, side, { gutter, colors }) : []
    return Array.from({ length: Math.max(left.length, right.length) }, (_, index): Line => {
      const line = left[index] ?? []
      const gap: Span = { text: ' '.repeat(Math.max(0, side - widthOf(line))), style: 'plain' }
      return [...line, gap, between, ...(right[index] ?? [])]
    })
  })
}

/** Columns of the numbers; none where they would take the room, since the text counts more. */
function gutterOf(rows: readonly DiffRow[], width: number): number {
  const digits = String(Math.max(0, ...rows.map(({ number = 0 }) => number))).length
  return digits + 1 <= width / 4 ? digits + 1 : 0
}

function rowLines(
  row: DiffRow,
  width: number,
  { gutter, colors }: { gutter: number; colors: Colors },
): Line[] {
  const { number, sign, text } = row
  const style = STYLES[sign]
  if (number === undefined) return [[{ text: cut(`${' '.repeat(gutter)}  ${text}`, width), style: 'muted' }]]
  return wrapSpans(inked(row, colors.get(row)), Math.max(1, width - gutter - 2)).map((line, index) => [
    { text: (index === 0 ? `${number} ` : '').padStart(gutter).slice(0, gutter), style: 'muted' },
    ...joined({ text: `${index === 0 ? sign : ' '} `, style }, line),
  ])
}

/** One span where both look the same. */
function joined(first: Span, [second, ...rest]: Line): Line {
  if (!second) return [first]
  if (second.style !== first.style || second.marks) return [first, second, ...rest]
  return [{ ...first, text: first.text + second.text }, ...rest]
}

/** Its text in its colours, with what changed marked. */
function inked({ sign, text, changed = [] }: DiffRow, colored: Line | undefined): Line {
  const spans = colored ?? [{ text, style: STYLES[sign] }]
  const line: Span[] = []
  let at = 0
  for (const span of spans) {
    const end = at + span.text.length
    const cuts = changed.flatMap(range => [range.start, range.end]).filter(cut => cut > at && cut < end)
    for (const [index, from] of [at, ...cuts].entries()) {
      const part = span.text.slice(from - at, (cuts[index] ?? end) - at)
      const isChanged = changed.some(range => from >= range.start && from < range.end)
      line.push(isChanged ? { text: part, style: WORDS[sign] } : { ...span, text: part })
    }
    at = end
  }
  return line
}

type Colors = ReadonlyMap<DiffRow, Line>

/** The colours of both versions, as far as they are known by now. */
function colorsOf(rows: readonly DiffRow[], { path = '', markdown }: DiffLook): Colors {
  const colors = new Map<DiffRow, Line>()
  const language = /([^./]+)$/.exec(path.toLowerCase())?.[1]
  if (!markdown || language === undefined) return colors
  for (const version of ['-', '+'] as const) {
    const own = rows.filter(({ number, sign }) => number !== undefined && (sign === ' ' || sign === version))
    const lines = markdown.code(language, own.map(({ text }) => text).join('\n'))
    for (const [index, row] of own.entries()) {
      const line = lines?.[index]
      // Code that is not what was read back is shown as it is.
      if (line && textOfLine(line) === row.text)
        colors.set(
          row,
          line.map(span => ({ ...span, marks: (span.marks ?? 0) | BEHIND[row.sign] })),
        )
    }
  }
  return colors
}
