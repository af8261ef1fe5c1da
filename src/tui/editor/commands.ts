/** Which actions are commands of the editor, whatever else is going on. */
import type { Action } from '../keymap.ts'
import type { EditorCommand } from './editor.ts'

export const EDITOR_COMMANDS: Readonly<Partial<Record<Action, EditorCommand>>> = {
  newline: { type: 'newline' },
  left: { type: 'move', to: 'left' },
  right: { type: 'move', to: 'right' },
  up: { type: 'step', rows: -1 },
  down: { type: 'step', rows: 1 },
  word_left: { type: 'move', to: 'word-left' },
  word_right: { type: 'move', to: 'word-right' },
  line_start: { type: 'move', to: 'line-start' },
  line_end: { type: 'move', to: 'line-end' },
  text_start: { type: 'move', to: 'start' },
  text_end: { type: 'move', to: 'end' },
  delete_left: { type: 'delete', to: 'left' },
  delete_right: { type: 'delete', to: 'right' },
  kill_word_left: { type: 'kill', to: 'word-left' },
  kill_word_right: { type: 'kill', to: 'word-right' },
  kill_blank_left: { type: 'kill', to: 'blank-left' },
  kill_line_start: { type: 'kill', to: 'line-start' },
  kill_line_end: { type: 'kill', to: 'line-end' },
  yank: { type: 'yank' },
  undo: { type: 'undo' },
}
