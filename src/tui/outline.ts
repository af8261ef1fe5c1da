/**
 * The conversation as an outline: on an empty prompt Alt+↑ and Alt+↓ go from prompt to prompt; from there on ↑ and ↓ go
 * from cell to cell, Enter unfolds the one that is marked, `c` copies it, and any other key is what it always is.
 */
import { does, type Step } from './effect.ts'
import type { Action } from './keymap.ts'
import type { Key } from './keys.ts'
import type { State } from './state.ts'

/** undefined: the key means what it always does. */
export function outlineKey(before: State, key: Key, action: Action | undefined): Step<State> | undefined {
  const { outline, ...state } = before
  if (state.editor.text !== '') return undefined
  const isWaiting = action === 'take_back' && state.queue.length > 0
  if ((action === 'take_back' && !isWaiting) || action === 'next_prompt') {
    return does(before, { type: 'walk', walk: { to: 'prompt', by: action === 'take_back' ? -1 : 1 } })
  }
  if (!outline) return undefined
  if (action === 'up' || action === 'down') {
    return does(before, { type: 'walk', walk: { to: 'cell', by: action === 'up' ? -1 : 1 } })
  }
  if (action === 'send') return does(before, { type: 'unfold_cell' })
  if (key.name === 'c' && key.text === 'c') return does(before, { type: 'copy_cell' })
  return action === 'stop' ? does(state, { type: 'walk' }) : undefined
}

/** What is typed, sent or opened ends it. */
export function outlineLeft(step: Step<State>): Step<State> {
  const { outline, ...state } = step.state
  const isOver = outline && (state.editor.text !== '' || state.dialog || state.panel)
  return isOver ? { state, effects: [...step.effects, { type: 'walk' }] } : step
}
