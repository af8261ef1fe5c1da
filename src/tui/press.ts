/** What the person did at the terminal: whose it is, and what comes of it. */
import { pastedPicture } from '../text/pasted-picture.ts'
import type { Words } from '../words/words.ts'
import { dialogKey, dialogPaste, dialogScroll, ownerOf } from './asked.ts'
import { type Chat, chatKey, edited } from './chat-keys.ts'
import { completionKey } from './complete/keys.ts'
import { letGo } from './dialog/keys.ts'
import { stepRows } from './editor/rows.ts'
import { does, type Effect, type Step, stay } from './effect.ts'
import type { Input } from './input.ts'
import { actionOf } from './keymap.ts'
import type { Key } from './keys.ts'
import { promptLook } from './layout.ts'
import { outlineKey, outlineLeft } from './outline.ts'
import { isTypedPast, panelKey } from './panel/keys.ts'
import type { Panel } from './panel/panel.ts'
import { isPoint } from './selection.ts'
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
    case 'mouse':
      return selects(state, input)
    case 'paste':
      return paste(state, input.text, chat)
    case 'key':
      return key(state, input, chat)
  }
}

/** An arrow key would bring back an earlier prompt, or the next one. */
export function isRecall(state: State, direction: -1 | 1, words: Words): boolean {
  const { dialog, panel, completion, outline, editor } = state
  if (dialog || panel || completion || outline) return false
  return stepRows(editor, direction, promptLook(state, words)) === undefined
}

/** What is selected is copied when the button is let go. */
function selects(before: State, { action, column, row }: Extract<Input, { type: 'mouse' }>): Step<State> {
  const { selection, ...state } = before
  const spot = { column, row }
  if (action === 'press') return stay({ ...state, selection: { from: spot, to: spot } })
  if (action === 'drag') return stay({ ...state, selection: { from: selection?.from ?? spot, to: spot } })
  return selection && !isPoint(selection) ? does(before, { type: 'copy_selected', selection }) : stay(state)
}

function turned(before: State, rows: number, chat: Chat): Step<State> {
  const { selection: _, ...state } = before
  const { dialog } = state
  return dialog
    ? dialogScroll(state, dialog, { rows, chat })
    : { state, effects: [{ type: 'scroll', to: { rows } }] }
}

function paste(state: State, text: string, chat: Chat): Step<State> {
  const dialog = ownerOf(state, chat.now)
  if (dialog) return dialogPaste(state, dialog, { text, chat })
  const picture = pastedPicture(text)
  return edited(state, { type: 'paste', text: picture ?? text }, chat)
}

/** Where a list opened by itself. Words that were sent, and another panel, come in its place. */
function behindPanel(panel: Panel, { state: next, effects }: Step<State>): Step<State> {
  const isSent = effects.some(({ type }) => type === 'remember')
  if (next.panel === panel && !isSent) return { state: next, effects }
  const { panel: other, completion, ...rest } = next
  return {
    state: {
      ...rest,
      ...(other && other !== panel && { panel: other }),
      // What was typed is gone, and what could complete it with it.
      ...(completion && !isSent && { completion }),
    },
    effects: [{ type: 'chosen' }, ...effects],
  }
}

function key(before: State, pressedKey: Key, chat: Chat): Step<State> {
  const { hint: _, selection: __, ...state } = before
  const action = actionOf(chat.keymap, pressedKey, { place: 'chat' })
  const dialog = ownerOf(state, chat.now)
  // The way out stays what it is everywhere.
  const isWayOut = action === 'interrupt' || action === 'suspend'
  if (dialog && !isWayOut) return dialogKey(state, dialog, { key: pressedKey, chat })
  if (dialog) return chatKey({ ...state, dialog: letGo(dialog) }, pressedKey, { ...chat, action })
  const { panel, ...behind } = state
  if (panel && isTypedPast(panel, { key: pressedKey, chat })) return key(behind, pressedKey, chat)
  const inPanel = panel && panelKey(state, panel, { key: pressedKey, chat })
  if (inPanel) return inPanel
  if (panel) return behindPanel(panel, chatKey(state, pressedKey, { ...chat, action }))
  const completed =
    state.completion && completionKey(state, state.completion, { key: pressedKey, action, chat })
  const walked = completed ?? outlineKey(state, pressedKey, action)
  return walked ?? outlineLeft(chatKey(state, pressedKey, { ...chat, action }))
}
