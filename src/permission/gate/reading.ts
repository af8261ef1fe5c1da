/** What is known about one command: what it reads, or why it is not known to only read. */
import type { Said } from '../../protocol/sayings.ts'

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
