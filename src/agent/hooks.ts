/**
 * Steps that others put around every call. Before: they may change its arguments, deny it, have it asked about, or let run
 * what would only ask. After: they may add to its result.
 */
import type { Decision } from '../permission/permission.ts'
import type { ToolCall } from '../protocol/messages.ts'
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'

export interface CallHook {
  /** As the person is told about it. */
  name: string
  /** Sees a call whose arguments were checked. What it does not say stays as it is. */
  before?(call: ToolCall, signal: AbortSignal): Promise<Wish | undefined>
  /** Text that is added to what the model is told. */
  after?(
    call: ToolCall,
    outcome: { content: string; is_error: boolean },
    signal: AbortSignal,
  ): Promise<string | undefined>
}

/** Steps that others put around whole runs. */
export interface RunHook {
  /** The person's words are about to be sent. → what the model is told with them. Rejects with `RunError` where they are not to be. */
  submitted?(words: string, signal: AbortSignal): Promise<string | undefined>
  /** The person is about to be asked about a call. → an answer in their place. `isHard`: only they may say yes. */
  asking?(
    call: ToolCall,
    about: { why: string; isHard: boolean },
    signal: AbortSignal,
  ): Promise<{ allow: boolean; because?: string } | undefined>
  /** The model has nothing more to do. → what it is told so that it goes on. */
  stopping?(end: RunStop, signal: AbortSignal): Promise<string | undefined>
  /** Old history is about to be summarised. → why it is not. */
  compacting?(
    how: { trigger: 'auto' | 'manual'; hint: string | undefined },
    signal: AbortSignal,
  ): Promise<string | undefined>
}

export interface RunStop {
  /** The conversation at the side, where it is one. */
  thread: string | undefined
  /** The last reply. */
  text: string
  /** A step has made it go on before. */
  again: boolean
}

export interface Wish {
  /** In place of the call's; they are checked again. */
  arguments?: Record<string, unknown>
  decision?: Decision['decision']
  /** Why, for the person and the model. */
  because?: string
}

export interface StepRuling {
  decision: Decision['decision']
  why: Told
}

/** What a step wants of a call; undefined: nothing. */
export function rulingOf(step: string, { decision, because }: Wish): StepRuling | undefined {
  if (decision === undefined) return undefined
  const why =
    because === undefined
      ? told('permission.step', { step })
      : told('permission.step_because', { step, reason: because })
  return { decision, why }
}

const STRICTNESS = ['allow', 'ask', 'deny']

export const stricter = (a: StepRuling | undefined, b: StepRuling | undefined): StepRuling | undefined =>
  a && b ? (STRICTNESS.indexOf(b.decision) > STRICTNESS.indexOf(a.decision) ? b : a) : (a ?? b)

/** Nothing that a step says lets run what a rule denies, or what asks in every mode. */
export function withRuling(decision: Decision, ruling: StepRuling | undefined): Decision {
  if (!ruling || decision.decision === 'deny' || ruling.decision === decision.decision) return decision
  const isFixed = decision.decision === 'ask' && (decision.by === 'hard' || decision.by === 'protected')
  if (ruling.decision === 'allow' && isFixed) return decision
  return { ...decision, ...ruling, by: 'hook' }
}
