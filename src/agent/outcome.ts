/** What became of a tool call. */
import type { ToolCall, ToolMessage } from '../protocol/messages.ts'
import type { Reason } from '../protocol/sayings.ts'
import { isRecord } from '../text/record.ts'
import type { Stopped, ToolResult } from '../tools/tool.ts'
import type { FinishedCall } from './limits.ts'
import { aborted, cancelled } from './words.ts'

export interface Outcome extends FinishedCall {
  id: string
  /** The call could not be run at all: no such tool, or arguments that do not fit. */
  unusable: boolean
  /** It was denied because nobody could be asked. */
  unasked: boolean
  details?: unknown
  /** What a sandbox kept it from. */
  stopped?: Stopped
}

/** A call that produced nothing but a message for the model. */
export const failed = (call: ToolCall, content: string): Outcome => ({
  id: call.id,
  name: call.name,
  accesses: undefined,
  arguments: call.arguments,
  content,
  is_error: true,
  unusable: false,
  unasked: false,
})

/** A call that was not run, or not to its end: `content` tells the model, `details` the person. */
export const unfinished = (
  call: ToolCall,
  content: string,
  details: { ended: 'denied' | 'aborted' } & Partial<Reason>,
): Outcome => ({ ...failed(call, content), details })

/** Whether the person or a rule said no. */
export const isDenied = ({ details }: Outcome): boolean => isRecord(details) && details.ended === 'denied'

export const finished = (
  call: ToolCall,
  { output, details, stopped, is_error = false }: ToolResult,
): Outcome => ({
  ...failed(call, output),
  is_error,
  details,
  ...(stopped && { stopped }),
})

/** What a call is answered with that the user cut short. */
export const interrupted = (call: ToolCall, signal: AbortSignal): Outcome =>
  unfinished(call, signal.reason === 'steer' ? cancelled() : aborted(), { ended: 'aborted' })

export const toMessage = (outcome: Outcome, id: string): ToolMessage => ({
  id,
  role: 'tool',
  content: outcome.content,
  tool_call_id: outcome.id,
  tool_name: outcome.name,
  is_error: outcome.is_error,
  ...(outcome.details !== undefined && { details: outcome.details }),
})
