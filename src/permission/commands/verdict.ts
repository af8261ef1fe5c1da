/** What is known about one simple command. */
import type { Said } from '../../protocol/sayings.ts'
import type { Reading } from '../gate/reading.ts'

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
