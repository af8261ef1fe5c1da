/**
 * A text that is selected with the mouse while gopi has it (in tmux, or after /mouse): marked on the screen, and copied
 * without the margin of what it stands in.
 */
import { cut } from '../text/width.ts'
import type { Line } from './line.ts'
import { sliceSpans, textOfLine } from './spans.ts'

/** On the screen, from 0. */
export interface Spot {
  readonly row: number
  readonly column: number
}

/** From where the button was pressed to where the mouse is, both included. */
export interface Selection {
  readonly from: Spot
  readonly to: Spot
}

/** The button was pressed, and not moved since. */
export const isPoint = ({ from, to }: Selection): boolean => from.row === to.row && from.column === to.column

/** Columns before the text of code, quotes and output. */
const MARGIN = 2

/** In reading order. */
function ordered({ from, to }: Selection): Selection {
  const isBack = to.row < from.row || (to.row === from.row && to.column < from.column)
  return isBack ? { from: to, to: from } : { from, to }
}

/** The selected part of a row, by columns; undefined: none of it. */
function partOf({ from, to }: Selection, row: number): { start: number; end: number } | undefined {
  if (row < from.row || row > to.row) return undefined
  return {
    start: row === from.row ? from.column : 0,
    end: row === to.row ? to.column + 1 : Number.MAX_SAFE_INTEGER,
  }
}

export function markSelection(rows: readonly Line[], selection: Selection): readonly Line[] {
  const inOrder = ordered(selection)
  return rows.map((line, row) => {
    const part = partOf(inOrder, row)
    if (!part) return line
    const text = textOfLine(line)
    const [start, end] = [cut(text, part.start).length, cut(text, part.end).length]
    const marked = sliceSpans(line, start, end).map(span => ({ ...span, style: 'selected' as const }))
    return [...sliceSpans(line, 0, start), ...marked, ...sliceSpans(line, end, text.length)]
  })
}

/** As it is copied: without the blanks that every row but the first begins with, up to a margin. */
export function selectedText(rows: readonly Line[], selection: Selection): string {
  const inOrder = ordered(selection)
  const parts = rows.flatMap((line, row) => {
    const part = partOf(inOrder, row)
    if (!part) return []
    const text = textOfLine(line)
    return [text.slice(cut(text, part.start).length, cut(text, part.end).length).trimEnd()]
  })
  const [first = '', ...others] = parts
  const before = Math.min(MARGIN, inOrder.from.column)
  const margins = [before + blanksOf(first), ...others.filter(text => text !== '').map(blanksOf)]
  const margin = Math.min(MARGIN, ...margins)
  return [first.slice(Math.max(0, margin - before)), ...others.map(text => text.slice(margin))].join('\n')
}

const blanksOf = (text: string): number => text.length - text.trimStart().length
