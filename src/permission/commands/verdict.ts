/** What is known about one simple command. */
import type { ShellWord } from '../shell/line.ts'

export interface Verdict {
  /** Why it is not known to only read; undefined: it only reads. */
  changes?: string
  /** Why no rule can speak for it. */
  unclear?: string
  /** Why it always asks. */
  hard?: string
  /** What runs is not in the line: rules that forbid cannot be checked on it. */
  hides?: string
  /** How many words a rule has to name to speak for it: `git *` says nothing about `git fetch`. Default 1. */
  named?: number
  /** Words that name what it reads; globs among them stand for many files. */
  reads?: ShellWord[]
  /** Of those it tells only what is there, not what stands in it. */
  lists?: boolean
  /** It reads everything below those paths. */
  deep?: 'files' | 'files and links'
  /** Real paths outside the project that it reads: a rule has to name them. */
  outside?: string[]
  /** It reads the directory that it runs in. */
  here?: boolean
  /** Directory that it goes to before anything else. */
  goes?: string
}
