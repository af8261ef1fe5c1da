/**
 * The one door to a tool: every call is decided here, with a reason that a person understands. `gather` looks at the
 * disk and the command, `decide` only puts what was found in order.
 */
import type { PermissionBy, PermissionMode, ToolKind } from '../protocol/events.ts'
import type { Judged } from './judge/judged.ts'
import type { Base, Rule } from './rules.ts'

export interface PermissionCall {
  tool: string
  kind: ToolKind
  arguments: Record<string, unknown>
}

export interface Decision {
  decision: 'allow' | 'ask' | 'deny'
  by: PermissionBy
  why: string
  /** The rule that decided, as it was written. */
  rule?: string
  /** Of a decision to ask: what the person is told besides. */
  question?: Question
  /** The file that was decided upon: what the path means by now must still be it. */
  target?: DecidedFile
  /** It reads what may hold secrets: who allows it wants to see them. */
  secrets?: true
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
  /** Real paths that it is known to read or write. */
  touches: readonly string[]
}

export interface PermissionRules {
  allow: readonly Rule[]
  ask: readonly Rule[]
  deny: readonly Rule[]
}

/** What a call would touch. */
export type Subject =
  | { type: 'command'; judged: Judged }
  | {
      type: 'file'
      /** The real path. */
      target: string
      /** Device and inode; undefined where there is nothing. */
      id?: string
      /** Why no call may touch it. */
      refused?: string
      /** Why it always asks. */
      protected?: string
      /** It does not lie in the project. */
      outside: boolean
    }
  | { type: 'nothing' }

export interface PermissionFacts {
  mode: PermissionMode
  rules: PermissionRules
  /** What the globs of rules are relative to. */
  base: Base
  subject: Subject
}
