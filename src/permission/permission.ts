/**
 * The one door to a tool: every call is decided here, with a reason that a person understands. `gather` looks at the
 * disk and the command, `decide` only puts what was found in order.
 */
import type { PermissionBy, PermissionMode, ToolKind } from '../protocol/events.ts'
import type { Judged } from './judge.ts'
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
