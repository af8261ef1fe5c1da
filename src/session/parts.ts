/** What a session is made of, and what a prompt may bring. */
import type { RunParts } from '../agent/run.ts'
import type { PermissionMode } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import type { Connection, Notice } from './connection.ts'
import type { Gauge } from './gauge.ts'
import type { IdleParts } from './idle.ts'
import type { Journal } from './journal.ts'
import type { Replayed } from './replay.ts'

export interface TypedOptions {
  /**
   * What of the text the person typed: the files that it names with `@` are put before the text, also those about which
   * a tool's call would ask. Default: nothing.
   */
  typed?: string | undefined
}

export interface PromptOptions extends TypedOptions {
  /** Base64. */
  images?: string[]
  /** As the person typed it, where that differs from the text that is sent. */
  shown?: string
  signal?: AbortSignal
  maxTurns?: number
}

type LoopParts = Pick<
  RunParts,
  | 'chat'
  | 'tools'
  | 'decide'
  | 'shell'
  | 'limits'
  | 'files'
  | 'isSecret'
  | 'spillDir'
  | 'newId'
  | 'cwd'
  | 'approve'
  | 'remember'
  | 'goOn'
  | 'maxTurns'
>

export interface SessionParts extends LoopParts, Pick<IdleParts, 'runner' | 'keepRecent' | 'threshold'> {
  id: string
  journal: Journal
  connection: Connection
  mode: PermissionMode
  prewarm: IdleParts['mode']
  /** Made once the model is known. */
  gaugeFor(model: string): Gauge
  resumed?: Replayed
  /** What the next prompt brings with it: a note for the model, and what the person should hear. */
  aside(history: readonly Message[]): { note: string; notices: Notice[] }
  /** Runs when the session closes, before its journal does. */
  onClose?(): Promise<void> | void
}
