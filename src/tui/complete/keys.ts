/** Keys while something is offered above the prompt. */
import { type Chat, chatKey, edited } from '../chat-keys.ts'
import { EDITOR_COMMANDS } from '../editor/commands.ts'
import type { Step } from '../effect.ts'
import type { Action } from '../keymap.ts'
import type { Key } from '../keys.ts'
import type { State } from '../state.ts'
import { type Completion, type CompletionItem, putOf, stepCompletion } from './completion.ts'

interface Pressed {
  key: Key
  /** What the key means in the conversation. */
  action: Action | undefined
  chat: Chat
}

/** undefined: the key is for the prompt, and what is offered follows it. */
export function completionKey(
  state: State,
  completion: Completion,
  { key, action, chat }: Pressed,
): Step<State> | undefined {
  const item = completion.items[completion.at]
  switch (action) {
    case 'up':
      return moved(state, completion, -1)
    case 'down':
      return moved(state, completion, 1)
    case 'stop':
      return { state: closed(state), effects: [] }
    case 'complete':
      return item && chosen(state, completion, item, chat)
    case 'send':
      return item && !isWhole(completion, item)
        ? send(state, completion, { item, key, chat })
        : chatKey(closed(state), key, { ...chat, action })
    default: {
      const isEditing = action === undefined || action in EDITOR_COMMANDS
      return isEditing ? undefined : chatKey(closed(state), key, { ...chat, action })
    }
  }
}

/** A command that expects nothing more is done at once. */
function send(
  state: State,
  completion: Completion,
  { item, key, chat }: { item: CompletionItem; key: Key; chat: Chat },
): Step<State> {
  const step = chosen(state, completion, item, chat)
  const isDone = /^(command|argument)$/.test(completion.kind) && !item.goesOn
  return isDone ? chatKey(step.state, key, { ...chat, action: 'send' }) : step
}

function chosen(state: State, completion: Completion, item: CompletionItem, chat: Chat): Step<State> {
  return edited(closed(state), { type: 'put', ...putOf(completion, item) }, chat)
}

function moved(state: State, completion: Completion, rows: -1 | 1): Step<State> | undefined {
  // With nothing to choose from the arrows are the prompt's.
  if (completion.items.length === 0) return undefined
  return { state: { ...state, completion: stepCompletion(completion, rows) }, effects: [] }
}

const isWhole = ({ query }: Completion, { value }: CompletionItem): boolean => query === value

function closed({ completion: _, ...state }: State): State {
  return state
}
