/** What is known about a command line once it has been judged, and where it is judged. */
import type { Said } from '../../protocol/sayings.ts'
import type { Look } from '../look.ts'
import type { RedirectPlace } from '../shell/line.ts'

/** Where a call is judged. Every directory is a real path. */
export interface Ground {
  project: string
  home: string
  gopiHome: string
  look: Look
  /** Whether this session wrote the file. */
  isOwn(real: string): boolean
}

/** What is known about one command: what it reads, or why it is not known to only read. */
export interface Reading {
  /** Why it is not known to only read; undefined: it only reads. */
  changes?: Said
  /** What it reads, as written. */
  reads?: string[]
  /** Of those it tells only what is there, not what stands in it. */
  lists?: boolean
  /** It reads everything below those paths; `unless secret`: except for `spares`; `links`: plain files, and what links lead to. */
  deep?: 'unless secret' | 'files' | 'links' | 'files and links'
  /** Files that hold secrets, where it comes by them unasked: it has to be told to leave them out. */
  spares?: Set<string>
  /** It reads the directory that it runs in. */
  here?: boolean
  /** Directory that it goes to before anything else. */
  goes?: string
  /** Real paths outside the project that it reads: a rule has to name them. */
  outside?: string[]
}

/** What rules have to know of it besides. */
export interface Verdict extends Reading {
  /** Why no rule can speak for it. */
  unclear?: Said
  /** Why it always asks. */
  hard?: Said
  /** What runs is not in the line: rules that forbid cannot be checked on it. */
  hides?: Said
  /** What it runs is a part of its own. */
  wraps?: true
  /** It may be no command at all but a word of one that stands beside it. */
  guessed?: true
  /** How many words a rule has to name to speak for it: `git *` says nothing about `git fetch`. Default 1. */
  named?: number
}

/** One simple command of a line, judged. */
export interface Part {
  /** As it is shown. */
  text: string
  /** Assignments that matter, the program, its arguments; undefined where only running it would tell. */
  words: (string | undefined)[]
  /** How many of `words` are assignments. */
  assignments: number
  verdict: Verdict
}

export interface Judged {
  parts: Part[]
  /** Real paths that the line is known to read, or that a program gets which may read them. */
  reads: string[]
  /** Real paths that its redirects write. */
  writes: string[]
  /** Those of them that stand for one file alone, and where in the line. */
  bound: (RedirectPlace & { file: string })[]
  /** Real paths outside the project that a program is known to change. */
  outside: string[]
  /** Real paths to show a person: all of the above except words that only look like paths; and names of hosts. */
  touches: string[]
  refused: Said[]
  hard: Said[]
  protected: Said[]
  /** What no rule speaks for. */
  unclear: Said[]
  /** What may be commands in the texts that its programs run. */
  mentions: (string | undefined)[][]
  /** Of a line that passed the gate: how it is to run. */
  line?: string
  /** It is more than plain commands: only rules can let it run. */
  odd?: boolean
  /** Why the line does not tell all that runs: a rule that forbids cannot be checked on it. */
  hidden: Said[]
}

export const nothingJudged = (): Judged => ({
  parts: [],
  reads: [],
  writes: [],
  bound: [],
  outside: [],
  touches: [],
  refused: [],
  hard: [],
  protected: [],
  unclear: [],
  mentions: [],
  hidden: [],
})
