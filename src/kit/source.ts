/**
 * Where what a session offers comes from: gopi itself, the program that holds the session, and later folders, scripts and
 * servers. A source that is late or changed says so to the person; what it offers holds from the next session on.
 */
import type { CallHook, RunHook } from '../agent/hooks.ts'
import type { Told } from '../protocol/sayings.ts'
import type { Agent } from '../session/agent.ts'
import type { ResourceOf } from '../session/options.ts'
import type { Session } from '../session/session.ts'
import type { Tool } from '../tools/tool.ts'
import type { Command } from './commands/command.ts'

export interface Source {
  /** As people are told: `gopi`, a folder, a server. */
  from: string
  tools?: readonly Tool[]
  /** Asked for by the first face that needs them. */
  commands?(kit: Offered): Promise<readonly Command[]>
  hooks?: readonly CallHook[]
  steps?: readonly RunHook[]
  skills?: readonly Skill[]
  agents?: readonly Agent[]
  /** What is left out of it, and why: told when the session begins. */
  refused?: readonly Told[]
  /** What stands behind a word that the person writes after `@`, where it is not a file. */
  resource?: ResourceOf
  /** What such words could become, for the face that completes them; undefined: none begins so. Rejects where it fails. */
  resources?(word: string): Promise<readonly ResourceWord[]> | undefined
  /** Its session is there. What it returns runs when that closes, and is waited for. */
  begin?(session: Session): (() => Promise<void>) | undefined
  /** What of it is not a tool, a command, a skill or an agent, for `/kit`: a server and how it is. */
  states?(): readonly State[]
  /** `changed` is called whenever `states` says something else. */
  watch?(changed: () => void): void
}

/** What all sources offer together. */
export interface Offered {
  readonly tools: readonly Tool[]
  readonly skills: readonly Skill[]
  readonly agents: readonly Agent[]
  /** Names that two sources have. */
  readonly clashes: readonly Told[]
  /** What of the sources is left out, and why. */
  readonly refused: readonly Told[]
  readonly sources: readonly Source[]
  /** The commands, and the names that two sources have among them. */
  commands(): Promise<{ commands: readonly Command[]; clashes: readonly Told[] }>
}

/** A word that stands for something when it is written after `@`. */
export interface ResourceWord {
  word: string
  /** What it is. */
  label: string
}

/** Something that was loaded, as people are shown it. */
export interface State {
  name: string
  state: string
  /** Milliseconds that it took. */
  ms?: number
}

/** Knowledge that the model reads when it needs it. */
export interface Skill {
  name: string
  description: string
  /** Where it stands: a real path. */
  file: string
  /** What the model reads. */
  body: string
  /** Tools that it needs, as rules; what it does not list is asked about while it is used. */
  allowed?: readonly string[]
  /** For the person only: the model is not told of it. */
  isHidden?: true
}
