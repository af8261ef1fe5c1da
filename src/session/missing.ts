import type { Message, ToolMessage } from '../protocol/messages.ts'

/** A result for every call of the history that has none: a call without one bricks a session. */
export function missingResults(history: readonly Message[], newId: () => string): ToolMessage[] {
  const answered = new Set(
    history.flatMap(message => (message.role === 'tool' ? [message.tool_call_id] : [])),
  )
  return history
    .flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
    .filter(({ id }) => !answered.has(id))
    .map(({ id, name }) => ({
      id: newId(),
      role: 'tool',
      content: '[aborted: gopi ended before the result]',
      tool_call_id: id,
      tool_name: name,
      is_error: true,
    }))
}
