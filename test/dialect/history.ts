/** Messages of a history, with what the tests do not care about filled in. */
import type { AssistantMessage, ToolMessage, UserMessage } from '../../src/protocol/messages.ts'

export function user(content: string): UserMessage {
  return { id: `user-${content}`, role: 'user', content }
}

export function assistant(content: string, rest: Partial<AssistantMessage> = {}): AssistantMessage {
  return { id: `assistant-${content}`, role: 'assistant', content, stop_reason: 'stop', ...rest }
}

export function result(callId: string, content: string, tool = 'read'): ToolMessage {
  return {
    id: `result-${callId}`,
    role: 'tool',
    content,
    tool_call_id: callId,
    tool_name: tool,
    is_error: false,
  }
}
