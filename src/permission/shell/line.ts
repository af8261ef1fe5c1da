/** A command line as the judge sees it: a flat list of the simple commands that it may run, at every depth. */
import type { Said } from '../../protocol/sayings.ts'

export interface ShellWord {
  /** As it stands in the line. */
  text: string
  /** What the command gets; undefined when only running the line would tell. A glob's value is its pattern. */
  value: string | undefined
  /** Stands for the names of files that are there. */
  glob: boolean
}

/** A word that means just this. */
export const plainWord = (value: string): ShellWord => ({ text: value, value, glob: false })

export interface ShellRedirect {
  operator: string
  target: ShellWord
  /** undefined: it stands in a text within the line. */
  at?: RedirectPlace
}

/** Where a target stands in the line. `first`: nothing runs before it. */
export interface RedirectPlace {
  pos: number
  end: number
  first: boolean
}

export interface ShellAssignment {
  text: string
  name: string
  value: ShellWord | undefined
}

export interface ShellCommand {
  text: string
  /** The program and its arguments; empty for a lone assignment or the redirects of a compound command. */
  words: ShellWord[]
  assignments: ShellAssignment[]
  redirects: ShellRedirect[]
  /** What a here-document or here-string of its own gives it to read, when that is known. */
  input?: string
}

export interface ShellLine {
  /** In source order. */
  commands: ShellCommand[]
  /** Why nobody can say what the line runs: it asks in every mode, whatever the rules. */
  doubts: Said[]
  /** Constructs that no rule can speak for. */
  unclear: Said[]
  /** It is more than plain commands, joined by pipes and lists. */
  odd: boolean
}
