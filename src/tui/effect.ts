/** What a key asks for besides another state: done by the app. */
import type { Job, Purpose, Wanted } from '../kit/commands/command.ts'
import type { PermissionMode } from '../protocol/events.ts'
import type { Thinking } from '../protocol/wire.ts'
import type { Answer } from './dialog/dialog.ts'
import type { Selection } from './selection.ts'

export type Effect =
  | Wanted
  /** Words for the session, as typed. */
  | { type: 'prompt'; text: string }
  | { type: 'steer'; text: string }
  | { type: 'follow_up'; text: string }
  /** For the history of prompts. */
  | { type: 'remember'; text: string }
  | { type: 'abort' }
  /** Cancels tools that waiting words wait for; without any it ends the run. */
  | { type: 'stop' }
  /** For the command that runs. */
  | { type: 'more_time' }
  | { type: 'to_background' }
  /** The last waiting words come back into the editor. */
  | { type: 'take_back' }
  | { type: 'answer'; answer: Answer }
  | { type: 'set_mode'; mode: PermissionMode }
  | { type: 'set_think'; level: Thinking }
  /** The thought in progress is cut. */
  | { type: 'enough' }
  | { type: 'compact'; hint: string }
  /** `line`: as it was typed. */
  | { type: 'use_theme'; name: string; line?: string }
  /** A list to choose from. */
  | { type: 'list'; purpose: Purpose }
  /** It was closed, and nothing chosen. */
  | { type: 'unlist'; purpose: Purpose }
  | { type: 'examine' }
  | { type: 'work'; job: Job; line?: string }
  /** A command of the person's own, with its mark. */
  | { type: 'shell'; line: string }
  /** Of the choices that a command gave; without an id none. */
  | { type: 'chosen'; id?: string }
  /** The side column has room, or is out of date. */
  | { type: 'look_aside' }
  /** What a file was changed by is to be read. */
  | { type: 'changes' }
  /** With the session before. */
  | { type: 'go_on' }
  /** All there is to choose from. */
  | { type: 'palette' }
  | { type: 'switch_mouse' }
  | { type: 'copy' }
  /** To another prompt or cell of the conversation; to none. */
  | { type: 'walk'; walk?: Walk }
  | { type: 'unfold_cell' }
  | { type: 'copy_cell' }
  | { type: 'copy_selected'; selection: Selection }
  | { type: 'edit_outside' }
  | { type: 'scroll'; to: Scroll }
  /** Searches the transcript: from its end, or from what was found last. */
  | { type: 'find'; query: string; next?: 'older' | 'newer' }
  /** The text or the caret of the prompt has changed. */
  | { type: 'draft' }
  /** `asked`: with Tab, which completes any path. */
  | { type: 'complete'; asked?: boolean }
  | { type: 'suspend' }
  | { type: 'redraw' }

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

/** From one to the next, 1 being down. */
export type Walk = { to: 'prompt' | 'cell'; by: -1 | 1 }

/** By rows or pages, the end being down; or to an end. */
export type Scroll = { rows: number } | { pages: number } | 'top' | 'end'

/** A step of the screen: what comes next, and what is to be done. */
export interface Step<S> {
  state: S
  effects: readonly Effect[]
}

/** Nothing else is to be done. */
export const stay = <S>(state: S): Step<S> => ({ state, effects: [] })

export const does = <S>(state: S, ...effects: Effect[]): Step<S> => ({ state, effects })
