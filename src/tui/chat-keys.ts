/** Keys while nothing covers the conversation: the prompt, the run, the view. */
import type { Command } from '../kit/commands/command.ts'
import type { PermissionMode } from '../protocol/events.ts'
import type { Words } from '../words/words.ts'
import { longestRunning } from './conversation.ts'
import { EDITOR_COMMANDS } from './editor/commands.ts'
import { type Editor, type EditorCommand, edit, take, wantsMore } from './editor/editor.ts'
import { does, type Step, stay } from './effect.ts'
import { type Action, type Keymap, keyOf } from './keymap.ts'
import type { Key } from './keys.ts'
import { promptLook } from './layout.ts'
import { type Orders, ordersBy, ordersFor, ordersOf } from './orders.ts'
import { paceAfter } from './pace.ts'
import { helpPanel, openFind, openHistory } from './panel/open.ts'
import { COLUMNS_FOR_SIDE } from './side/side.ts'
import { isBusy, type State } from './state.ts'

export interface Chat {
  commands: readonly Command[]
  words: Words
  keymap: Keymap
  /** performance.now(), ms. */
  now: number
}

/** Milliseconds within which a second Ctrl+C leaves. */
const twice = 1000

/** Modes that a key steps through: nobody gets into yolo by pressing it once too often. */
const STEPPED: readonly PermissionMode[] = ['ask', 'auto-edit', 'plan']

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
  const { text, caret } = state.editor
  const goesOn = command.type === 'insert' && /^\S/.test(command.text) && /\S$/.test(text.slice(0, caret))
  const pace = goesOn ? paceAfter(state.pace, now - state.typedAt) : state.pace
  return {
    state: { ...state, editor, pace, typedAt: now },
    effects: [{ type: 'draft' }, { type: 'complete' }],
  }
}

type Act = (state: State, chat: Chat) => Step<State> | undefined

const actions: Partial<Record<Action, Act>> = {
  send: (state, chat) =>
    wantsMore(state.editor) ? edited(state, { type: 'continue' }, chat) : send(state, chat),
  follow_up: (state, chat) => {
    if (!state.status.running) return edited(state, { type: 'newline' }, chat)
    const { text, editor } = take(state.editor)
    if (text.trim() === '') return stay(state)
    return state.dialog
      ? hinted(state, howToAnswer(chat))
      : does({ ...state, editor }, { type: 'follow_up', text }, { type: 'remember', text })
  },
  take_back: state => does(state, { type: 'take_back' }),
  // Nothing is there to be completed: from build to plan, and back.
  complete: state =>
    isEmpty(state.editor) ? planned(state) : does(state, { type: 'complete', asked: true }),
  search_history: (state, { words }) => openHistory(state, words),
  edit_outside: state => does(state, { type: 'edit_outside' }),
  // Twice on an empty prompt goes back.
  stop: (state, chat) => {
    const { now } = chat
    if (isBusy(state)) return does(state, { type: 'stop' })
    if (isEmpty(state.editor) && now - state.escapedAt < twice)
      return ordered(state, state, ordersBy('rewind', { words: chat.words, running: false }))
    return stay({ ...state, typedAt: now, escapedAt: isEmpty(state.editor) ? now : state.escapedAt })
  },
  more_time: state => does(state, { type: 'more_time' }),
  to_background: (state, chat) =>
    longestRunning(state.conversation)
      ? does(state, { type: 'to_background' })
      : edited(state, { type: 'move', to: 'left' }, chat),
  interrupt,
  leave: (state, chat) =>
    isEmpty(state.editor)
      ? does(state, { type: 'leave' })
      : edited(state, { type: 'delete', to: 'right' }, chat),
  suspend: state => does(state, { type: 'suspend' }),
  change_mode: state => does(state, { type: 'set_mode', mode: nextMode(state.status.mode) }),
  enough: state => does(state, { type: 'enough' }),
  pick_model: (state, { words }) =>
    ordered(state, state, ordersFor('model', '', { words, running: state.status.running })),
  // A key that types something asks for help only where nothing is being typed.
  help: state => (isEmpty(state.editor) ? helpPanel(state) : undefined),
  page_up: state => does(state, { type: 'scroll', to: { pages: -1 } }),
  page_down: state => does(state, { type: 'scroll', to: { pages: 1 } }),
  top: state => does(state, { type: 'scroll', to: 'top' }),
  bottom: state => does(state, { type: 'scroll', to: 'end' }),
  line_start: state => (isEmpty(state.editor) ? does(state, { type: 'scroll', to: 'top' }) : undefined),
  line_end: state => (isEmpty(state.editor) ? does(state, { type: 'scroll', to: 'end' }) : undefined),
  go_on: state => (state.status.running ? stay(state) : does(state, { type: 'go_on' })),
  side_column: (state, { words }) => {
    const next = { ...state, wantsSide: !state.wantsSide }
    if (state.columns < COLUMNS_FOR_SIDE) return hinted(next, words.side.narrow(COLUMNS_FOR_SIDE))
    return does(next, { type: 'look_aside' })
  },
  changes: state => does(state, { type: 'changes' }),
  palette: state => does(state, { type: 'palette' }),
  search: state => openFind(state),
  unfold: state => stay({ ...state, unfolded: !state.unfolded }),
  redraw: state => does(state, { type: 'redraw' }, { type: 'scroll', to: 'end' }),
}

function planned(state: State): Step<State> {
  const { mode } = state.status
  const back = state.modeBeforePlan ?? 'ask'
  return mode === 'plan'
    ? does(state, { type: 'set_mode', mode: back })
    : does({ ...state, modeBeforePlan: mode }, { type: 'set_mode', mode: 'plan' })
}

/** What Enter says while a question waits. */
export const howToAnswer = ({ words: { questions }, keymap }: Chat): string =>
  questions.answerFirst({ yes: keyOf(keymap, 'allow_once'), no: keyOf(keymap, 'deny') })

function send(state: State, chat: Chat): Step<State> {
  const { commands, words } = chat
  const { text, editor } = take(state.editor)
  if (text.trim() === '') return stay(state)
  // The prompt says so, too: the question comes first.
  if (state.dialog) return hinted(state, howToAnswer(chat))
  const { running } = state.status
  const { effects, ...rest } = ordersOf(text, commands, { words, running }) ?? {
    effects: text.startsWith('!')
      ? [{ type: 'shell' as const, line: text }]
      : [{ type: running ? ('steer' as const) : ('prompt' as const), text }],
  }
  const kept = [
    { type: 'remember' as const, text },
    { type: 'scroll' as const, to: 'end' as const },
  ]
  // Who refuses it puts it back.
  const typed = effects.map(effect =>
    effect.type === 'work' || effect.type === 'use_theme' ? { ...effect, line: text } : effect,
  )
  return ordered(state, { ...state, editor }, { effects: [...typed, ...kept], ...rest })
}

/** A command that could not be done stays in the editor to be corrected. */
export function ordered(state: State, next: State, { effects, hint, help }: Orders): Step<State> {
  if (help) return helpPanel(next)
  return hint === undefined ? { state: next, effects } : hinted(state, hint)
}

/** What the key for the next mode changes to. */
function nextMode(mode: PermissionMode): PermissionMode {
  return STEPPED[(STEPPED.indexOf(mode) + 1) % STEPPED.length] ?? 'ask'
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
  if (isBusy(state)) return does(next, { type: 'abort' })
  return hinted(next, words.notices.leaveAgain(keyOf(keymap, 'interrupt')))
}

const isEmpty = ({ text }: Editor): boolean => text === ''

const hinted = (state: State, hint: string): Step<State> => stay({ ...state, hint })
