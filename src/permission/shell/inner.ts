/** What a program runs in its own place. */
import type { Said } from '../../protocol/sayings.ts'
import type { ShellWord } from './line.ts'

export type Unwrapped =
  /** Another command, as words. `more`: it gets arguments that nobody sees here. */
  | { kind: 'words'; words: ShellWord[]; assignments: string[]; more: boolean }
  /** Another line. `doubt`: why that may not be all. */
  | { kind: 'line'; text: string; doubt: Said | undefined }
  /** A program follows, but gopi does not read this wrapper's options: any of the words may be its name. */
  | { kind: 'anywhere'; why: Said }
  /**
   * One of its commands runs another program, which comes at or after the word `from`: rules may speak for the call, and
   * those that forbid see the program too.
   */
  | { kind: 'carries'; from: number }
  /** A shell runs this file, which may lie on PATH, with its arguments. */
  | { kind: 'file'; words: readonly ShellWord[] }
  /** What runs is not in the line. */
  | { kind: 'hidden'; why: Said }
