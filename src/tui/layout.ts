/** How many rows each part of the screen has. From the bottom up they are given to what matters most. */
import type { Words } from '../words/words.ts'
import { type EditorView, type Look, viewOf } from './editor/rows.ts'
import { promptMark, type State } from './state.ts'

export interface Layout {
  transcript: number
  queue: number
  stage: number
  rule: number
  footer: number
  prompt: EditorView
  /** Rows that a dialog or a panel may cover: the prompt stays in sight while there is room for both. */
  popup: number
}

/** The share of the screen that a long prompt may take. */
const mostOfScreen = 1 / 3
const mostQueued = 3
/** Columns before a popup: in the middle of the conversation if it fits there, else of the screen. `besides`: columns next to it. */
export function leftOf(
  width: number,
  { columns, besides = 0 }: { columns: number; besides?: number },
): number {
  const room = columns - besides
  return Math.max(0, Math.floor(((width <= room ? room : columns) - width) / 2))
}

/** With fewer rows than these there is nothing to keep in sight besides a popup. */
const leastPopup = { dialog: 12, list: 8, palette: 8, diff: 8, help: 8, find: 4, history: 8 }

type Sized = Pick<State, 'columns' | 'rows' | 'editor' | 'queue' | 'dialog' | 'panel'>

export function layoutOf({ columns, rows, editor, queue, dialog, panel }: Sized, words: Words): Layout {
  const prompt = viewOf(editor, promptLook({ columns }, words), {
    height: Math.max(1, Math.floor(rows * mostOfScreen)),
  })
  const parts = {
    footer: rows >= 2 ? 1 : 0,
    stage: rows >= 4 ? 1 : 0,
    rule: rows >= 6 ? 1 : 0,
    queue: rows >= 10 ? Math.min(queue.length, mostQueued) : 0,
  }
  const below = parts.footer + parts.stage + parts.rule + parts.queue + prompt.rows.length
  const transcript = Math.max(0, rows - below)
  const least = leastPopup[dialog ? 'dialog' : (panel?.type ?? 'list')]
  return { ...parts, prompt, transcript, popup: transcript >= least ? transcript : rows }
}

/** How the prompt's editor is laid out: the mark comes before its rows. */
export function promptLook({ columns }: Pick<State, 'columns'>, { prompt }: Words): Look {
  return {
    columns: Math.max(2, columns - promptMark.length),
    label: ({ lines }) => prompt.pasted(lines),
  }
}
