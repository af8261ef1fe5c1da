/** What every history that is sent to a model must hold. Tests of other rooms assert that nothing was found. */
import type { WireMessage } from '../../../src/protocol/wire.ts'

/** The broken rules of a request's messages, a sentence each. */
export function findViolations(messages: readonly WireMessage[]): string[] {
  const found: string[] = []
  for (const [index, message] of messages.entries()) {
    const complain = (what: string) => found.push(`message ${index} (${message.role}): ${what}`)
    const before = messages[index - 1]
    if (index === 0 && message.role !== 'system') complain('the first message is not the system message')
    if (index > 0 && message.role === 'system') complain('a system message after the first')
    if (message.role === 'user' && before?.role === 'user') complain('two user messages in a row')
    if (message.role === 'assistant') {
      if (before?.role === 'assistant') complain('two assistant messages in a row')
      if (before?.role === 'system') complain('an assistant message before any user message')
      if (message.content === '' && !message.tool_calls?.length) complain('an empty assistant message')
      for (const problem of missingResults(messages, index)) complain(problem)
    }
    if (message.role === 'tool') {
      if (before?.role !== 'tool' && before?.role !== 'assistant')
        complain('a tool result that answers no call')
      if (!message.tool_name) complain('a tool result without tool_name')
    }
  }
  if (messages.at(-1)?.role === 'assistant') found.push('the last message is an assistant message')
  return found
}

/** The results that follow an assistant message's calls must be theirs, in order, and all of them. */
function missingResults(messages: readonly WireMessage[], index: number): string[] {
  const calls = messages[index]?.tool_calls ?? []
  if (calls.length === 0) return []
  const rest = messages.slice(index + 1)
  const end = rest.findIndex(message => message.role !== 'tool')
  const results = end < 0 ? rest : rest.slice(0, end)
  if (results.length !== calls.length)
    return [`${calls.length} tool calls are followed by ${results.length} results`]
  return calls.flatMap((call, at) => {
    const result = results[at]
    if (result?.tool_name !== call.function.name)
      return [`call ${at} of ${call.function.name} is followed by a result of ${result?.tool_name}`]
    if (call.id && result.tool_call_id && call.id !== result.tool_call_id)
      return [`call ${call.id} is followed by the result of ${result.tool_call_id}`]
    return []
  })
}
