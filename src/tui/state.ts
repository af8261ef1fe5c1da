/**
 * Everything that decides what is on the screen, except the settled transcript: one value. `press` (keys) and `happen`
 * (the session) make the next one of it; `view` draws it.
 */
import type { PermissionMode } from '../protocol/events.ts'
import type { Completion } from './complete/completion.ts'
import { type Conversation, noConversation } from './conversation.ts'
import type { Dialog } from './dialog/dialog.ts'
import { createEditor, type Editor } from './editor/editor.ts'
import type { Panel } from './panel/panel.ts'
import type { Selection } from './selection.ts'
import type { Side } from './side/side.ts'
import type { Status, Work } from './status.ts'

export interface State {
  readonly columns: number
  readonly rows: number
  readonly status: Status
  readonly conversation: Conversation
  readonly editor: Editor
  /** Words that were sent and have not reached the model. */
  readonly queue: readonly Waiting[]
  /** In the way until it is answered. */
  readonly dialog?: Dialog
  /** Has the keys until it is closed. */
  readonly panel?: Panel
  readonly completion?: Completion
  /** Beside the conversation, where there is room; absent until it was looked after. */
  readonly side?: Side
  /** The person wants it; absent until the configuration says so. */
  readonly wantsSide?: boolean
  /** A cell of the conversation is marked, and some keys are for it. */
  readonly outline?: boolean
  /** Whole outputs, changes and thoughts are shown. */
  readonly unfolded: boolean
  /** What commands of gopi's own wait for, the latest last. */
  readonly works: readonly Work[]
  /** With the mouse, while it is down and until the next key. */
  readonly selection?: Selection
  /** A word to the person, until the next key. */
  readonly hint?: string
  /** How fast the person types, ms between letters. */
  readonly pace: number
  /** When the editor was last typed in, and when Ctrl+C was last pressed; of performance.now(). */
  readonly typedAt: number
  readonly interruptedAt: number
  /** When Esc was last pressed and meant nothing else. */
  readonly escapedAt: number
  /** The mode that Tab goes back to from plan. */
  readonly modeBeforePlan?: PermissionMode
  /** The person looks at this window, as far as the terminal tells. */
  readonly focused: boolean
}

export interface Waiting {
  readonly id: string
  readonly content: string
  readonly kind: 'steer' | 'follow_up'
}

export interface StartState {
  columns: number
  rows: number
  /** As it is shown. */
  directory: string
}

export function startState({ columns, rows, directory }: StartState): State {
  return {
    columns,
    rows,
    status: {
      ...{ directory, model: '', mode: 'ask', warnings: [] },
      ...{ phase: { name: 'idle', since: 0 }, running: false },
    },
    conversation: noConversation,
    editor: createEditor(),
    queue: [],
    works: [],
    unfolded: false,
    pace: 0,
    typedAt: Number.NEGATIVE_INFINITY,
    interruptedAt: Number.NEGATIVE_INFINITY,
    escapedAt: Number.NEGATIVE_INFINITY,
    focused: true,
  }
}

/** The look of the prompt's editor: its rows begin with the prompt's mark. */
export const promptMark = '› '

/** Something goes on that the person waits for: a run, a command of theirs, or one of gopi's own. */
export const isBusy = ({ status, works }: Pick<State, 'status' | 'works'>): boolean =>
  status.running || works.length > 0
