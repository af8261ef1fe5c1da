/**
 * The editor of the prompt as a value: `edit` makes the next one of it and a command. It knows no keys, no screen and
 * no clock; offsets are UTF-16 code units and are always between graphemes.
 */
import { graphemeEnd, graphemeStart } from '../../text/width.ts'
import { type Folded, foldLong, foldPaste, foldsOf, refold, typeable, unfold } from './folds.ts'
import { type Place, placeOf } from './places.ts'
import { type Look, stepRows, type Written } from './rows.ts'

export interface Editor extends Written {
  /** What was killed last, for yank. */
  readonly killed: string
  /** For undo, the oldest first. */
  readonly past: readonly Moment[]
  /** The kind of change that the next one of the same kind is undone with. */
  readonly open?: Change
  /** What was sent, the oldest first. */
  readonly history: readonly string[]
  /** Of what was sent here with pastes in it: how it was in the editor, by its whole text. */
  readonly sent: ReadonlyMap<string, Folded>
  /** Up went into the history: how far from its end, and what was there before. */
  readonly recalled?: { back: number; draft: Moment }
}

interface Moment {
  readonly text: string
  readonly caret: number
}

type Change = 'typing' | 'deleting' | 'killing' | 'other'

export type EditorCommand =
  /** What was typed. */
  | { type: 'insert'; text: string }
  | { type: 'paste'; text: string }
  | { type: 'newline' }
  /** A newline for the `\` before the caret. */
  | { type: 'continue' }
  | { type: 'move'; to: Place }
  /** A row up or down; from the first and the last one into the history. */
  | { type: 'step'; rows: -1 | 1 }
  | { type: 'delete'; to: Place }
  /** Deletes and keeps it for `yank`; kills in a row are kept together. */
  | { type: 'kill'; to: Place }
  | { type: 'yank' }
  | { type: 'undo' }
  /** Other text for a piece of it, as from a completion; pastes elsewhere stay folded. */
  | { type: 'put'; start: number; end: number; text: string }
  /** A text that was sent, or was to be: its pastes are folded. */
  | { type: 'recall'; text: string }
  /** Another text as a whole, as from $EDITOR; the caret goes to its end unless said. */
  | { type: 'replace'; text: string; caret?: number }

const MOST_PAST = 200
const MOST_HISTORY = 1000

export function createEditor({ history = [] }: { history?: readonly string[] } = {}): Editor {
  return { text: '', caret: 0, folds: {}, killed: '', past: [], history, sent: new Map() }
}

/** What is in the editor, with every paste whole. */
export function textOf({ text, folds }: Editor): string {
  return unfold(text, folds)
}

/** A `\` is before the caret, so that Enter means `continue`. */
export function wantsMore({ text, caret }: Editor): boolean {
  return text[caret - 1] === '\\'
}

/** Takes the text out, to be sent: what remains is an empty editor that remembers it. */
export function take(editor: Editor): { text: string; editor: Editor } {
  const text = textOf(editor)
  const { killed, folds, history, sent } = editor
  const isNew = text.trim() !== '' && text !== history.at(-1)
  return {
    text,
    editor: {
      ...createEditor({ history: isNew ? [...history, text].slice(-MOST_HISTORY) : history }),
      killed,
      folds: foldsOf(killed, folds),
      sent: text === editor.text ? sent : new Map([...sent, [text, { text: editor.text, folds }]]),
    },
  }
}

export function edit(editor: Editor, command: EditorCommand, look: Look): Editor {
  switch (command.type) {
    case 'insert':
      return type(editor, typeable(command.text))
    case 'paste': {
      const { text, folds } = foldPaste(command.text, editor.folds)
      return insert({ ...editor, folds }, text, { change: 'other' })
    }
    case 'newline':
      return insert(editor, '\n', { change: 'other' })
    case 'continue':
      return wantsMore(editor)
        ? splice(editor, { start: editor.caret - 1, end: editor.caret, text: '\n', change: 'other' })
        : editor
    case 'move':
      return moved(editor, placeOf(editor.text, editor.caret, command))
    case 'step':
      return step(editor, command.rows, look)
    case 'delete':
      return splice(editor, { ...rangeTo(editor, command.to), text: '', change: 'deleting' })
    case 'kill':
      return kill(editor, command.to)
    case 'yank':
      return insert(editor, editor.killed, { change: 'other' })
    case 'undo':
      return undo(editor)
    case 'put': {
      const { start, end, text } = command
      return splice(editor, { start, end, text: typeable(text), change: 'other' })
    }
    case 'recall': {
      const { text, folds } = folded(editor, command.text)
      return splice({ ...editor, folds }, { start: 0, end: editor.text.length, text, change: 'other' })
    }
    case 'replace': {
      const text = typeable(command.text)
      const replaced = splice(editor, { start: 0, end: editor.text.length, text, change: 'other' })
      return moved(replaced, Math.min(command.caret ?? text.length, text.length))
    }
  }
}

function type(editor: Editor, text: string): Editor {
  const before = editor.text[editor.caret - 1] ?? ''
  const startsWord = /\s/.test(before) && /^\S/.test(text)
  // Undo takes back a word at a time.
  return insert(startsWord ? closed(editor) : editor, text, { change: 'typing' })
}

function insert(editor: Editor, text: string, { change }: { change: Change }): Editor {
  return splice(editor, { start: editor.caret, end: editor.caret, text, change })
}

interface Splice {
  start: number
  end: number
  text: string
  change: Change
}

/** The one place where the text changes. The caret ends up after what is new. */
function splice(editor: Editor, { start, end, text: added, change }: Splice): Editor {
  if (start === end && added === '') return editor
  const { goal: _, recalled, ...kept } = editor
  const text = editor.text.slice(0, start) + added + editor.text.slice(end)
  const before = recalled ? [recalled.draft, momentOf(editor)] : [momentOf(editor)]
  const isOneUndo = change !== 'other' && change === editor.open && !recalled
  return {
    ...kept,
    text,
    caret: boundary(text, start + added.length),
    past: isOneUndo ? editor.past : [...editor.past, ...before].slice(-MOST_PAST),
    open: change,
  }
}

const momentOf = ({ text, caret }: Editor): Moment => ({ text, caret })

/** What came together may have become one grapheme: a letter put before a mark. */
function boundary(text: string, offset: number): number {
  return offset === 0 ? 0 : Math.max(offset, graphemeEnd(text, graphemeStart(text, offset)))
}

/** The next change is undone by itself. */
function closed(editor: Editor): Editor {
  const { open: _, ...kept } = editor
  return kept
}

function moved(editor: Editor, caret: number): Editor {
  const { goal: _, ...kept } = closed(editor)
  return { ...kept, caret }
}

function undo(editor: Editor): Editor {
  const { goal: _, recalled, ...kept } = closed(editor)
  if (recalled) return { ...kept, ...recalled.draft }
  const last = editor.past.at(-1)
  return last ? { ...kept, ...last, past: editor.past.slice(0, -1) } : editor
}

/** From the caret to a place, in order. At the edge of a line its newline is meant, or nothing would happen. */
function rangeTo({ text, caret }: Editor, to: Place): { start: number; end: number } {
  const place = placeOf(text, caret, { to })
  const isEdge = place === caret && (to === 'line-start' || to === 'line-end')
  const reached = isEdge ? placeOf(text, caret, { to: to === 'line-start' ? 'left' : 'right' }) : place
  return { start: Math.min(caret, reached), end: Math.max(caret, reached) }
}

function kill(editor: Editor, to: Place): Editor {
  const { start, end } = rangeTo(editor, to)
  if (start === end) return editor
  const cut = editor.text.slice(start, end)
  const before = editor.open === 'killing' ? editor.killed : ''
  const killed = start < editor.caret ? cut + before : before + cut
  return { ...splice(editor, { start, end, text: '', change: 'killing' }), killed }
}

function step(editor: Editor, rows: -1 | 1, look: Look): Editor {
  const reached = stepRows(editor, rows, look)
  if (!reached) return recall(editor, rows)
  return { ...closed(editor), ...reached }
}

function recall(editor: Editor, rows: -1 | 1): Editor {
  const { history, recalled } = editor
  const back = (recalled?.back ?? 0) - rows
  const draft = recalled?.draft ?? momentOf(editor)
  const { recalled: _, goal: __, ...kept } = closed(editor)
  if (back === 0 && recalled) return { ...kept, ...draft }
  const entry = history[history.length - back]
  if (entry === undefined) return editor
  const { text, folds } = folded(editor, entry)
  return { ...kept, text, folds, caret: text.length, recalled: { back, draft } }
}

function folded({ sent, folds }: Editor, text: string): Folded {
  const before = sent.get(text)
  return before ? refold(before, folds) : foldLong(text, folds)
}
