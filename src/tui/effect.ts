/** What a key asks for beside another state: done by the app. */
import type { PermissionMode } from '../protocol/events.ts'
import type { Answer } from './dialog/dialog.ts'
import type { Purpose } from './panel/panel.ts'

export type Effect =
  /** Words for the session, as typed. */
  | { type: 'prompt'; text: string }
  | { type: 'steer'; text: string }
  | { type: 'follow_up'; text: string }
  /** For the history of prompts. */
  | { type: 'remember'; text: string }
  | { type: 'abort' }
  /** Cancels tools that waiting words wait for; without any it ends the run. */
  | { type: 'stop' }
  /** The last waiting words come back into the editor. */
  | { type: 'take_back' }
  | { type: 'answer'; answer: Answer }
  | { type: 'set_mode'; mode: PermissionMode }
  | { type: 'compact'; hint: string }
  | { type: 'new_session' }
  | { type: 'use_model'; name: string }
  | { type: 'resume'; id: string }
  | { type: 'use_theme'; name: string }
  /** A list to choose from. */
  | { type: 'list'; purpose: Purpose }
  /** It was closed, and nothing chosen. */
  | { type: 'unlist'; purpose: Purpose }
  | { type: 'switch_mouse' }
  | { type: 'copy' }
  | { type: 'edit_outside' }
  | { type: 'scroll'; to: Scroll }
  /** Searches the transcript, upwards from what was found last unless `again` is not set. */
  | { type: 'find'; query: string; again?: boolean }
  /** The text or the caret of the prompt has changed. */
  | { type: 'draft' }
  /** `asked`: with Tab, which completes any path. */
  | { type: 'complete'; asked?: boolean }
  | { type: 'suspend' }
  | { type: 'redraw' }
  | { type: 'leave' }

/** Does what the keys ask for. */
export type Perform = (effect: Effect) => void

/** Who does which effect. */
export type Acts = { [T in Effect['type']]?: (effect: Extract<Effect, { type: T }>) => void }

/** False: nobody here does it. */
export function act(acts: Acts, effect: Effect): boolean {
  const perform = acts[effect.type] as ((effect: Effect) => void) | undefined
  perform?.(effect)
  return perform !== undefined
}

/** By rows or pages, the end being down; or to an end. */
export type Scroll = { rows: number } | { pages: number } | 'top' | 'end'

/** A step of the screen: what comes next, and what is to be done. */
export interface Step<S> {
  state: S
  effects: readonly Effect[]
}

/** Nothing is to be done beside. */
export const stay = <S>(state: S): Step<S> => ({ state, effects: [] })

export const does = <S>(state: S, ...effects: Effect[]): Step<S> => ({ state, effects })
