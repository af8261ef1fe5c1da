/** What a session is made of, and what a prompt may bring. */
import type { Price } from '../protocol/wire.ts'
import type { Agent } from './agent.ts'
import type { Changes } from './changes.ts'
import type { ProjectChecks } from './checks.ts'
import type { Connection } from './connection.ts'
import type { Mode } from './mode.ts'
import type { PrewarmOptions } from './prewarm.ts'
import type { Recorder } from './recorder.ts'
import type { Replayed } from './replay.ts'
import type { Role } from './role.ts'
import type { Around, Shared, TypedOptions } from './thread.ts'

export interface PromptOptions extends TypedOptions {
  /** As the person typed it, where that differs from the text that is sent. */
  shown?: string
  signal?: AbortSignal
  maxTurns?: number
}

/** Something outside the project that a person names after `@`: a server's resource. */
export interface Resource {
  /** The tool whose rules hold for it. */
  tool: string
  /** At most `room` bytes. Rejects with why not, in a sentence. */
  read(signal: AbortSignal, room: number): Promise<string>
}

/** What a word names, without the `@`; undefined: nothing. */
export type ResourceOf = (word: string) => Resource | undefined

/** What a line stands for. */
export interface Expanded {
  text: string
  /** Commands in it, as `` !`git status` ``, are run, and what they say takes their place. */
  runs?: true
  /** Answers in its run, in place of the session's; where the server does not have it, the session's does. */
  model?: string
  /** Who the session is in its run. */
  agent?: Agent
  /** Its own commands have run, and it is being sent. */
  began?(): void
}

/** undefined: the line stands for itself. */
export type Expand = (line: string) => Promise<Expanded | undefined>

/** What every conversation of the session shares stands in `Shared`. */
export interface SessionOptions extends Shared {
  id: string
  recorder: Recorder
  mode: Mode
  role: Role
  checks: ProjectChecks
  /** Those that there are. */
  agents: readonly Agent[]
  connection: Connection
  prewarm: PrewarmOptions['mode']
  resumed?: Replayed
  changes: Changes
  aside: Around['aside']
  /** Of the model. Default: nothing costs anything. */
  priceOf?(model: string): Price | undefined
  /** What a line of the person's stands for, where it is a command of their own. */
  expand?: Expand | undefined
  resource?: ResourceOf
  /** Runs when the session closes and nothing of it runs any more; what it notices is still heard and kept. */
  onEnd?(): Promise<void> | void
  /** Runs after the journal was closed. */
  onClose?(): Promise<void> | void
}
