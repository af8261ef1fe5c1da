/** What became of a tool call. */
import type { ToolCall, ToolMessage } from '../protocol/messages.ts'
import type { ToolResult } from '../tools/tool.ts'
import type { FinishedCall } from './limits.ts'
import { aborted, cancelled } from './words.ts'

export interface Outcome extends FinishedCall {
  id: string
  /** The call could not be run at all: no such tool, or arguments that do not fit. */
  unusable: boolean
  /** It was denied because nobody could be asked. */
  unasked: boolean
  details?: unknown
}

/** A call that brought nothing but words for the model. */
export const failed = (call: ToolCall, content: string): Outcome => ({
  id: call.id,
  name: call.name,
  kind: undefined,
  arguments: call.arguments,
  content,
  is_error: true,
  unusable: false,
  unasked: false,
})

/** A call that was not run, or not to its end: `content` tells the model, `ended` and `why` the person. */
export const unfinished = (
  call: ToolCall,
  content: string,
  { ended, why }: { ended: 'denied' | 'aborted'; why?: string | undefined },
): Outcome => ({ ...failed(call, content), details: { ended, ...(why !== undefined && { why }) } })

export const finished = (call: ToolCall, { output, details, is_error = false }: ToolResult): Outcome => ({
  ...failed(call, output),
  is_error,
  details,
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
