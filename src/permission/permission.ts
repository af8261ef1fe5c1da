/**
 * The one door to a tool: every call is decided here, by what it touches, with a reason that a person understands.
 * `gather` looks at the disk and the command, `decide` only puts what was found in order; `door` is the way in.
 */
import type { Access, BoundFile, Where } from '../protocol/access.ts'
import type { PermissionBy, PermissionMode } from '../protocol/events.ts'
import type { Said, Told } from '../protocol/sayings.ts'
import type { Base } from '../rules/match.ts'
import type { PermissionRules } from '../rules/rule.ts'
import type { Judged } from './judge/judged.ts'

export interface PermissionCall {
  /** As rules name it. */
  tool: string
  /** What it touches. A call that names nothing asks. */
  accesses: readonly Access[]
  /** Not in a sandbox: it has been there, and was stopped. */
  outside?: true
}

export interface Decision {
  decision: 'allow' | 'ask' | 'deny'
  by: PermissionBy
  why: Told
  /** The rule that decided, as it was written. */
  rule?: string
  /** Of a decision to ask: what the person is told besides. */
  question?: Question
  /** The one file that was decided upon: what the path means by now must still be it. */
  target?: DecidedFile
  /** A command that was understood in full and only reads, as it is to run: it changes nothing of the shell but where it is. */
  runs?: string
  /** Of a command line in the persistent bash: the files that its redirects write, and must still be those. */
  writes?: readonly BoundFile[]
  /** It reads what may hold secrets: who allows it wants to see them. */
  secrets?: true
  /** Of an allowed command line: where it may run. undefined: in the persistent bash. */
  where?: Where
}

/** A file as the decision saw it. */
export interface DecidedFile {
  /** The real path. */
  real: string
  /** Device and inode; undefined where there was nothing. */
  id: string | undefined
}

/** What a person who is asked about a call is told besides the reason. */
export interface Question {
  /** It asks whatever is allowed: there is no “always” for it. */
  hard: boolean
  /**
   * The rules that “for this session” and “always” would set, as they stand in config.yaml: the narrowest that let this
   * call run without asking. Empty: no safe rule can say it, so that answer is not on offer.
   */
  rules: { session: readonly string[]; always: readonly string[] }
  /** From `rules.session` on, step by step, rules that let more such calls run. Empty where no answer sets one. */
  wider: readonly Step[]
  /** Real paths that it is known to read or write, and names of hosts. */
  touches: readonly string[]
  /** What a command line does, part by part. Absent: it has one. */
  parts?: readonly LinePart[]
}

/** One command of a line. */
export interface LinePart {
  /** As it stands in the line. */
  text: string
  /** What of it is certain: `unknown` may be anything. */
  does: 'reads' | 'writes' | 'network' | 'unknown'
  /** Why this part asks. Absent: it does not. */
  why?: Told
}

/** Rules for a call, and what else they would mean. */
export interface Step {
  /** They are set together. */
  rules: readonly string[]
  /** What of this session asked and would not have: commands and files, the latest first. */
  earlier: readonly string[]
  /** They let every edit within the project run. */
  edits?: true
}

/** What an access means here. */
export type Subject =
  /** `stays`: no sandbox is made for it. */
  | { type: 'command'; judged: Judged; stays?: true }
  | {
      type: 'file'
      doing: 'read' | 'write'
      /** The real path. */
      target: string
      /** Device and inode; undefined where there is nothing. */
      id?: string
      /** Why no call may touch it. */
      refused?: Said
      /** Why it always asks. */
      protected?: Said
      /** It does not lie in the project. */
      outside: boolean
    }
  | { type: 'host'; host: string }
  | { type: 'task'; agent: string }
  /** It sends something out. */
  | { type: 'sending' }
  /** What the kit brings, by its name. */
  | { type: 'named'; name: string }
  /** Nothing that could be looked at. `unnamed`: the tool did not even say that; `changed`: it was something else before. */
  | { type: 'other'; what: 'none' | 'unknown' | 'unnamed' | 'changed' }

export interface PermissionFacts {
  mode: PermissionMode
  rules: PermissionRules
  /** What the globs of rules are relative to. */
  base: Base
  /** At least one. */
  subjects: readonly Subject[]
}
