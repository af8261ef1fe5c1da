/** Keys while nothing stands before the conversation: the prompt, the run, the view. */
import type { Words } from '../words/words.ts'
import { nextMode, order } from './commands.ts'
import { EDITOR_COMMANDS } from './editor/commands.ts'
import { type Editor, type EditorCommand, edit, take, wantsMore } from './editor/editor.ts'
import { does, type Effect, type Step, stay } from './effect.ts'
import { type Action, type Keymap, keyOf } from './keymap.ts'
import type { Key } from './keys.ts'
import { promptLook } from './layout.ts'
import { helpPanel, openFind, openHistory } from './panel/open.ts'
import type { State } from './state.ts'

export interface Chat {
  words: Words
  keymap: Keymap
  /** performance.now(), ms. */
  now: number
}

/** Milliseconds within which a second Ctrl+C leaves. */
const twice = 1000

/** `action`: what the key means here; what means nothing is typed. */
export function chatKey(
  state: State,
  key: Key,
  { action, ...chat }: Chat & { action: Action | undefined },
): Step<State> {
  const step = action && actions[action]?.(state, chat)
  if (step) return step
  const command = (action && EDITOR_COMMANDS[action]) ?? typed(key)
  return command ? edited(state, command, chat) : stay(state)
}

const typed = ({ text }: Key): EditorCommand | undefined =>
  text === '' ? undefined : { type: 'insert', text }

/** The editor's next value; what hangs on the text is looked up by the app. */
export function edited(
  state: State,
  command: EditorCommand,
  { words, now }: Pick<Chat, 'words' | 'now'>,
): Step<State> {
  const editor = edit(state.editor, command, promptLook(state, words))
  if (editor === state.editor) return stay(state)
  return { state: { ...state, editor, typedAt: now }, effects: [{ type: 'draft' }, { type: 'complete' }] }
}

type Act = (state: State, chat: Chat) => Step<State> | undefined

const actions: Partial<Record<Action, Act>> = {
  send: (state, chat) =>
    wantsMore(state.editor) ? edited(state, { type: 'continue' }, chat) : send(state, chat),
  follow_up: (state, chat) => {
    if (!state.status.running) return edited(state, { type: 'newline' }, chat)
    const { text, editor } = take(state.editor)
    return text.trim() === ''
      ? stay(state)
      : does({ ...state, editor }, { type: 'follow_up', text }, { type: 'remember', text })
  },
  take_back: state => does(state, { type: 'take_back' }),
  complete: state => does(state, { type: 'complete', asked: true }),
  search_history: state => openHistory(state),
  edit_outside: state => does(state, { type: 'edit_outside' }),
  stop: (state, { now }) => {
    if (state.status.running) return does(state, { type: 'stop' })
    return stay({ ...state, typedAt: now })
  },
  interrupt,
  leave: (state, chat) =>
    isEmpty(state.editor)
      ? does(state, { type: 'leave' })
      : edited(state, { type: 'delete', to: 'right' }, chat),
  suspend: state => does(state, { type: 'suspend' }),
  change_mode: state => does(state, { type: 'set_mode', mode: nextMode(state.status.mode) }),
  pick_model: (state, { words }) =>
    state.status.running
      ? hinted(state, words.notices.notWhileRunning('/model'))
      : does(state, { type: 'list', purpose: 'model' }),
  // A key that types something asks for help only where nothing is being typed.
  help: state => (isEmpty(state.editor) ? helpPanel(state) : undefined),
  page_up: state => does(state, { type: 'scroll', to: { pages: -1 } }),
  page_down: state => does(state, { type: 'scroll', to: { pages: 1 } }),
  top: state => does(state, { type: 'scroll', to: 'top' }),
  bottom: state => does(state, { type: 'scroll', to: 'end' }),
  line_start: state => (isEmpty(state.editor) ? does(state, { type: 'scroll', to: 'top' }) : undefined),
  line_end: state => (isEmpty(state.editor) ? does(state, { type: 'scroll', to: 'end' }) : undefined),
  search: state => openFind(state),
  unfold: state => stay({ ...state, unfolded: !state.unfolded }),
  redraw: state => does(state, { type: 'redraw' }, { type: 'scroll', to: 'end' }),
}

function send(state: State, chat: Chat): Step<State> {
  const { text, editor } = take(state.editor)
  if (text.trim() === '') return stay(state)
  const next = { ...state, editor }
  const { running } = state.status
  const {
    effects = [],
    hint,
    help,
  } = order(text, { running, words: chat.words }) ?? {
    effects: [{ type: running ? 'steer' : 'prompt', text } satisfies Effect],
  }
  if (help) return helpPanel(next)
  // A command that could not be done stays to be mended.
  if (hint !== undefined) return hinted(state, hint)
  return { state: next, effects: [...effects, { type: 'remember', text }, { type: 'scroll', to: 'end' }] }
}

/** Ctrl+C clears what was typed, else stops the run, else leaves at the second time. */
function interrupt(state: State, { words, keymap, now }: Chat): Step<State> {
  const next = { ...state, interruptedAt: now }
  if (!isEmpty(state.editor))
    return does(
      { ...next, editor: take(state.editor).editor, interruptedAt: state.interruptedAt },
      { type: 'complete' },
    )
  if (now - state.interruptedAt < twice) return does(next, { type: 'leave' })
  if (state.status.running) return does(next, { type: 'abort' })
  return hinted(next, words.notices.leaveAgain(keyOf(keymap, 'interrupt')))
}

const isEmpty = ({ text }: Editor): boolean => text === ''

const hinted = (state: State, hint: string): Step<State> => stay({ ...state, hint })
