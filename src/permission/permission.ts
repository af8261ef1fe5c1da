/**
 * The one door to a tool: every call is decided here, with a reason that a person understands.
 */
import type { PermissionBy, PermissionMode, ToolKind } from '../protocol/events.ts'

export interface PermissionCall {
  tool: string
  kind: ToolKind
  arguments: Record<string, unknown>
  /** The real path that the call would touch, where it names one. */
  target?: string
}

export interface Decision {
  decision: 'allow' | 'ask' | 'deny'
  by: PermissionBy
  why: string
}

export interface PermissionFacts {
  mode: PermissionMode
  /** The session's directory, a real path. */
  cwd: string
  /** Rules of the user and the project: `Tool(pattern)`. */
  rules: {
    allow: readonly string[]
    ask: readonly string[]
    deny: readonly string[]
  }
}

export type Decide = (call: PermissionCall, facts: PermissionFacts) => Decision
