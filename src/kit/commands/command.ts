/** What a command is, and what it may have its face do. */
import type { PermissionMode } from '../../protocol/events.ts'
import type { Thinking } from '../../protocol/wire.ts'

import type { Expanded } from '../../session/options.ts'

import type { Session } from '../../session/session.ts'

import type { Diff } from '../../text/diff.ts'
import type { CommandWords } from '../../words/en-commands.ts'
import type { Words } from '../../words/words.ts'

/** What there are lists of, to choose one from. */
export type Purpose = 'model' | 'session' | 'theme' | 'mode'

/** Why a conversation ends: what comes next. */
export type Wanted =
  | { type: 'leave' }
  | { type: 'new session' }
  /** `prompt`: sent to it at once. */
  | { type: 'model'; name: string; prompt?: string }
  /** The same conversation as an agent that has tools which this session was begun without. */
  | { type: 'agent'; name: string }
  | { type: 'fork' }
  | { type: 'session'; id: string }
  /** The same conversation, once the person has been asked about the folder again. */
  | { type: 'trust' }

export interface Choice {
  id: string
  label: string
  detail?: string
}

/** What was done to a file, named as the person sees it. */
export interface Change {
  path: string
  diff: Diff
}

/** Where a command works that takes a while, asks, or has much to show: the same in every face. */
export interface Desk {
  readonly session: Session
  readonly words: Words
  readonly place: Place
  /** Somebody is there to be asked. */
  readonly isTyped: boolean
  /** Lines to be read. */
  show(text: string): void
  /** Shows a title at once, and below it a text as it comes. */
  tells(title: string): Telling
  /** What was done to files. */
  showChanges(changes: readonly Change[]): void
  /** For the moment: the next one takes its place. */
  say(sentence: string): void
  /** A sentence that has to be read along with what follows it: it stays. */
  note(sentence: string): void
  refuse(sentence: string): void
  /** Where nobody can be asked, the command itself was the yes. */
  confirm(title: string, text: string): Promise<boolean>
  /** → an id; undefined: none was chosen. Where nobody can be asked, the list is shown. */
  choose(title: string, choices: readonly Choice[]): Promise<string | undefined>
  /**
   * Says what goes on until `run` is over; `signal` fires when the person stops it. `thread`: the side conversation that
   * it waits for, whose server's doing is said with it where there is room.
   */
  during<T>(doing: string, run: (signal: AbortSignal) => Promise<T>, thread?: string): Promise<T>
  /** A command of the person's begins to run; `end` gets what came of it. */
  runs(command: string): Running
  /** Gives the terminal away while `run` goes on. undefined: there is none. */
  lend: (<T>(run: () => Promise<T>) => Promise<T>) | undefined
  /** Runs a command on a terminal of the person's that gopi has no hand in. → its exit code. Default: there is none. */
  elsewhere?: ((command: string, cwd: string) => Promise<number>) | undefined
  /** Words for the model. `shown`: as they stand in the conversation. */
  prompt(text: string, shown?: string): void
  /** Puts words where the person types. */
  put(text: string): void
  end(wanted: Wanted): void
}

export interface Telling {
  add(piece: string): void
  /** It is over. `whole`: the text as it is to stand there, where it may still change; default: what came. */
  end(whole?: string): void
}

export interface Running {
  /** Fires when the person wants it to end. */
  signal: AbortSignal
  onOutput(text: string): void
  /** undefined: it did not run. */
  end(ran: { content: string; is_error: boolean; details: unknown } | undefined): void
}

/** Where gopi works. */
export interface Place {
  home: string
  /** A real path. */
  cwd: string
  /** What the project brings is used. */
  trusted: boolean
  /** Texts of AGENTS.md that the model is told. */
  instructions: readonly string[]
  /** What is configured, and where it came from. */
  config(): Promise<string>
}

export type Job = (desk: Desk) => Promise<void>

/** What a command does with what was typed behind its name. */
export type Work = (desk: Desk, argument: string) => Promise<void>

/** What faces can do. One that cannot do something leaves it out; commands that need it are not offered there. */
export interface Abilities {
  /** Shows keys and commands. */
  help(): void
  list(purpose: Purpose): void
  /** Words for the model: now, or stepping into the run. */
  prompt(text: string): void
  /** Words for the model when the run has ended. */
  later(text: string): void
  /** Ends the run. */
  stop(): void
  compact(hint: string): void
  mode(mode: PermissionMode): void
  think(level: Thinking): void
  /** The conversation is over; this comes next. */
  end(wanted: Wanted): void
  copy(): void
  mouse(): void
  theme(name: string): void
  /** Shows what doctor finds. */
  examine(): void
  work(job: Job): void
}

export type { Expanded }

export type Ability = keyof Abilities

/** The face that a command was typed in. */
export interface Host extends Partial<Abilities> {
  readonly words: Words
  /** A run is going on. */
  readonly running: boolean
  say(sentence: string): void
  /** Says why a command cannot be done. */
  refuse(sentence: string): void
}

export interface Argument {
  isRequired?: boolean
  /** What Tab completes it from: a list, or names. Default: paths, as everywhere. */
  of?: Purpose | (() => readonly string[] | Promise<readonly string[]>)
}

/** A command except for its name and its words. */
export interface Behaviour<Needed extends Ability = Ability> {
  /** Default: none. */
  argument?: Argument
  /** It waits until nothing runs. */
  rests?: boolean
  /** Names that are understood and not offered. */
  aliases?: readonly string[]
  needs: readonly Needed[]
  /** `argument` is trimmed, and not empty where it is required. */
  run(host: Host & Pick<Abilities, Needed>, argument: string): void
}

export interface Command extends Behaviour {
  /** Without the slash. */
  name: string
  words(words: Words): CommandWords
  /** Of one that is only words for the model: what these are. */
  expand?(argument: string): Promise<Expanded>
}
