/** The messages of chat completions as Ollama's own endpoint has them. */
import type { WireMessage } from '../protocol/wire.ts'
import { fieldsOf, parseRecord } from '../text/record.ts'

/** The name of the tool that a result is of stands only in the call, before it. */
export function toMessages(messages: readonly unknown[]): WireMessage[] {
  const names = new Map<unknown, string>()
  return messages.map(message => {
    const { role, content, reasoning_content, tool_calls, tool_call_id } = fieldsOf(message)
    const calls = (Array.isArray(tool_calls) ? (tool_calls as unknown[]) : []).map(call => {
      const { id, function: called } = fieldsOf(call)
      const { name, arguments: given } = fieldsOf(called)
      names.set(id, String(name))
      return { id: String(id), function: { name: String(name), arguments: parseRecord(String(given)) ?? {} } }
    })
    const texts = Array.isArray(content)
      ? (content as unknown[]).map(part => fieldsOf(part).text ?? '')
      : [content ?? '']
    return {
      role: role as WireMessage['role'],
      content: texts.join(''),
      ...(typeof reasoning_content === 'string' && { thinking: reasoning_content }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(role === 'tool' && {
        tool_call_id: String(tool_call_id),
        tool_name: names.get(tool_call_id) ?? '',
      }),
    }
  })
}
