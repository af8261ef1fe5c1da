/** What the person did at the terminal: whose it is, and what comes of it. */
import { type Chat, chatKey, edited } from './chat-keys.ts'
import { completionKey } from './complete/keys.ts'
import { type Dialog, isAnswer, isSeen, pasted, pressed } from './dialog/dialog.ts'
import { scrollRange } from './dialog/lines.ts'
import type { Effect, Step } from './effect.ts'
import type { Input } from './input.ts'
import { actionOf } from './keymap.ts'
import type { Key } from './keys.ts'
import { layoutOf, promptLook } from './layout.ts'
import { panelKey } from './panel/keys.ts'
import type { State } from './state.ts'

/** Rows that one notch of the wheel scrolls. */
const notch = 3

/** What came in one read, in order. */
export function press(state: State, inputs: readonly Input[], chat: Chat): Step<State> {
  let next = state
  const effects: Effect[] = []
  for (const input of inputs) {
    const step = take(next, input, chat)
    next = step.state
    effects.push(...step.effects)
  }
  return { state: next, effects }
}

function take(state: State, input: Input, chat: Chat): Step<State> {
  switch (input.type) {
    case 'focus':
      return { state: { ...state, focused: input.focused }, effects: [] }
    case 'reply':
      return { state, effects: [] }
    case 'wheel':
      return turned(state, notch * input.direction, chat)
    case 'paste':
      return paste(state, input.text, chat)
    case 'key':
      return key(state, input, chat)
  }
}

function turned(state: State, rows: number, chat: Chat): Step<State> {
  const { dialog } = state
  if (!dialog) return { state, effects: [{ type: 'scroll', to: { rows } }] }
  return {
    state: { ...state, dialog: within({ ...dialog, top: dialog.top + rows }, state, chat) },
    effects: [],
  }
}

function paste(state: State, text: string, chat: Chat): Step<State> {
  const { dialog } = state
  if (dialog && isSeen(dialog, { now: chat.now, typedAt: state.typedAt })) {
    return { state: { ...state, dialog: pasted(dialog, text, promptLook(state, chat.words)) }, effects: [] }
  }
  return edited(state, { type: 'paste', text }, chat)
}

function key(before: State, pressedKey: Key, chat: Chat): Step<State> {
  const { hint: _, ...state } = before
  const { keymap, now, words } = chat
  const action = actionOf(keymap, pressedKey, { place: 'chat' })
  const { dialog, panel } = state
  if (dialog && isSeen(dialog, { now, typedAt: state.typedAt })) {
    // The way out stays what it is everywhere.
    if (action === 'interrupt' || action === 'suspend') return chatKey(state, pressedKey, { ...chat, action })
    const result = pressed(dialog, pressedKey, {
      keymap,
      look: promptLook(state, words),
      page: rangeOf(dialog, state, chat).page,
    })
    if (!isAnswer(result)) return { state: { ...state, dialog: within(result, state, chat) }, effects: [] }
    const { dialog: __, ...rest } = state
    return { state: rest, effects: [{ type: 'answer', answer: result }] }
  }
  if (panel) return panelKey(state, panel, { key: pressedKey, chat })
  const completed =
    state.completion && completionKey(state, state.completion, { key: pressedKey, action, chat })
  return completed ?? chatKey(state, pressedKey, { ...chat, action })
}

/** Scrolled no further than there is something to see. */
function within(dialog: Dialog, state: State, chat: Chat): Dialog {
  const top = Math.max(0, Math.min(dialog.top, rangeOf(dialog, state, chat).lastTop))
  return top === dialog.top ? dialog : { ...dialog, top }
}

function rangeOf(dialog: Dialog, state: State, { words, keymap }: Chat): ReturnType<typeof scrollRange> {
  return scrollRange(dialog, { columns: state.columns, rows: layoutOf(state, words).popup, words, keymap })
}
