/** The editor's text in rows, as wide as the screen lets them be; where the caret is in them. */
import { cut, displayWidth, graphemeStart, TAB_COLUMNS } from '../../text/width.ts'
import { type Row, rowsOf } from '../../text/wrap.ts'
import type { Line, Span } from '../line.ts'
import { type FoldLabel, type Folds, type Labelled, labelled } from './folds.ts'

/** What of the editor can be seen. */
export interface Written {
  /** With a mark for every folded paste. */
  readonly text: string
  readonly caret: number
  readonly folds: Folds
  /** The column that up and down keep to, over shorter rows too. */
  readonly goal?: number
}

/** How the editor is shown: one of the columns is for a caret at the end of a full row. */
export interface Look {
  columns: number
  label: FoldLabel
}

export interface EditorView {
  /** At least one, at most as many as there is height. */
  rows: Line[]
  /** In `rows`; the column is within the columns of the look. */
  caret: { row: number; column: number }
  /** Rows out of sight. */
  above: number
  below: number
}

interface Laid {
  shown: Labelled
  rows: Row[]
  /** The caret's. */
  row: number
  column: number
}

/** Scrolled no further than the caret needs. */
export function viewOf(editor: Written, look: Look, { height }: { height: number }): EditorView {
  const { shown, rows, row, column } = lay(editor, look)
  const top = Math.max(0, row - height + 1)
  const visible = rows.slice(top, top + Math.max(1, height))
  return {
    rows: visible.map(range => lineOf(shown, range)),
    caret: { row: row - top, column },
    ...{ above: top, below: rows.length - top - visible.length },
  }
}

/** The caret a row up or down and the column that it keeps to; undefined where there is no such row. */
export function stepRows(
  editor: Written,
  by: -1 | 1,
  look: Look,
): { caret: number; goal: number } | undefined {
  const { shown, rows, row, column } = lay(editor, look)
  const target = rows[row + by]
  if (!target) return undefined
  const goal = editor.goal ?? column
  const line = shown.text.slice(target.start, target.end)
  let offset = target.start + cut(line, goal).length
  // Where a row goes on without a space, the place after its last character is the start of the next row.
  if (offset > target.start && rows[row + by + 1]?.start === offset)
    offset = graphemeStart(shown.text, offset)
  return { caret: shown.kept(offset, { forward: by > 0 }), goal }
}

function lay({ text, caret, folds }: Written, { columns, label }: Look): Laid {
  const shown = labelled(text, folds, { label })
  const width = Math.max(1, columns - 1)
  const rows = rowsOf(shown.text, width)
  const offset = shown.shown(caret)
  const row = rows.findLastIndex(({ start }) => start <= offset)
  const before = shown.text.slice(rows[row]?.start ?? 0, offset)
  return { shown, rows, row, column: Math.min(displayWidth(before), width) }
}

function lineOf({ text, folds }: Labelled, { start, end }: Row): Line {
  const spans: Span[] = []
  let at = start
  const add = (until: number, style: Span['style']): void => {
    const piece = text.slice(at, until).replaceAll('\t', ' '.repeat(TAB_COLUMNS))
    if (piece !== '') spans.push({ text: piece, style })
    at = Math.max(at, until)
  }
  for (const { shownAt, shownEnd } of folds) {
    if (shownEnd <= start || shownAt >= end) continue
    add(Math.max(start, shownAt), 'plain')
    add(Math.min(end, shownEnd), 'accent')
  }
  add(end, 'plain')
  return spans
}
