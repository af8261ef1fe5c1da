/**
 * Everything that decides what is on the screen, but for the settled transcript: one value. `press` (keys) and `happen`
 * (the session) make the next one of it; `view` draws it.
 */
import type { Completion } from './complete/completion.ts'
import { type Conversation, noConversation } from './conversation.ts'
import type { Dialog } from './dialog/dialog.ts'
import { createEditor, type Editor } from './editor/editor.ts'
import type { Panel } from './panel/panel.ts'
import type { Status } from './status.ts'

export interface State {
  readonly columns: number
  readonly rows: number
  readonly status: Status
  readonly conversation: Conversation
  readonly editor: Editor
  /** Words that were sent and have not reached the model. */
  readonly queue: readonly Waiting[]
  /** Stands in the way until it is answered. */
  readonly dialog?: Dialog
  /** Has the keys until it is closed. */
  readonly panel?: Panel
  readonly completion?: Completion
  /** Whole outputs, changes and thoughts are shown. */
  readonly unfolded: boolean
  /** A word to the person, until the next key. */
  readonly hint?: string
  /** When the editor was last typed in, and when Ctrl+C was last pressed; of performance.now(). */
  readonly typedAt: number
  readonly interruptedAt: number
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
    unfolded: false,
    typedAt: Number.NEGATIVE_INFINITY,
    interruptedAt: Number.NEGATIVE_INFINITY,
    focused: true,
  }
}

/** The look of the prompt's editor: where its rows begin stands the prompt's mark. */
export const promptMark = '› '
