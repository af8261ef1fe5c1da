/** One conversation as the rooms around it see it: what is sent, to whom, and how much it is. A `Thread` is one. */
import type { Setup } from '../agent/run.ts'
import type { Backend, ModelState } from '../backends/backend.ts'
import type { Gauge } from '../context/gauge.ts'
import type { Message } from '../protocol/messages.ts'

/** When old history is summarised. */
export interface CompactionLimits {
  /** Messages that stay as they are. */
  keepRecent: number
  /** Share of the limit from which on it is done. */
  threshold: number
}

export interface Conversation {
  readonly chat: Backend['chat']
  /** The model as it is loaded now. undefined: nobody can tell. */
  readonly state: (() => Promise<ModelState | undefined>) | undefined
  /** The setup for the next request; undefined until the session is connected. */
  readonly setup: Setup | undefined
  /** The same, of a conversation that has been connected. Throws before. */
  known(): Setup
  readonly history: readonly Message[]
  readonly gauge: Gauge
  readonly limits: CompactionLimits
  /** Tokens that a history takes as a request (an estimate). Default: the conversation's own. */
  tokens(history?: readonly Message[]): number
  newId(): string
}
