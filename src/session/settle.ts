/**
 * Makes of any messages a history that can be sent: it begins with the user, every result follows the call that it
 * answers, and no two replies stand side by side. One that can be sent stays as it is.
 */
import type { AssistantMessage, Message, ToolMessage } from '../protocol/messages.ts'

/** Calls without a result stay without one. */
export function settle(history: readonly Message[]): Message[] {
  const settled: Message[] = []
  const calls = callsOf(history)
  const results = resultsOf(history, calls)
  /** The last of those that are sent. */
  let last: Message | undefined
  for (const message of history) {
    if (message.role === 'tool') continue
    const sent = message.role === 'user' ? message : withOwnCalls(message, calls)
    if (!isSent(sent)) {
      settled.push(sent)
      continue
    }
    if (sent.role === 'assistant' && last === undefined) settled.unshift(beginning)
    if (sent.role === 'assistant' && last?.role === 'assistant' && !last.tool_calls?.length) {
      settled.splice(settled.indexOf(last), 1)
      last = { ...sent, content: joined(last.content, sent.content) }
    } else {
      last = sent
    }
    settled.push(last)
    const answers = (sent.role === 'assistant' && sent.tool_calls) || []
    for (const { id } of answers) {
      const result = results.get(id)
      if (!result) continue
      settled.push(result)
      last = result
    }
  }
  return settled
}

const beginning: Message = {
  id: 'lost',
  role: 'user',
  content: '[the beginning of this conversation is lost]',
}

const joined = (...texts: string[]): string => texts.filter(text => text !== '').join('\n\n')

/** Whose a call is: an id is there once, and belongs to the first message that has it. */
function callsOf(history: readonly Message[]): Map<string, Message> {
  const calls = new Map<string, Message>()
  for (const message of history) {
    if (message.role !== 'assistant') continue
    for (const { id } of message.tool_calls ?? []) if (!calls.has(id)) calls.set(id, message)
  }
  return calls
}

/** The first result of each call, under the name that it was called by. */
function resultsOf(
  history: readonly Message[],
  calls: ReadonlyMap<string, Message>,
): Map<string, ToolMessage> {
  const results = new Map<string, ToolMessage>()
  for (const message of history) {
    if (message.role !== 'tool' || results.has(message.tool_call_id)) continue
    const asked = calls.get(message.tool_call_id)
    const name =
      asked?.role === 'assistant' && asked.tool_calls?.find(({ id }) => id === message.tool_call_id)?.name
    if (!name) continue
    results.set(message.tool_call_id, name === message.tool_name ? message : { ...message, tool_name: name })
  }
  return results
}

function withOwnCalls(message: AssistantMessage, calls: ReadonlyMap<string, Message>): AssistantMessage {
  const { tool_calls = [], text_calls, ...rest } = message
  const own = tool_calls.filter(({ id }) => calls.get(id) === message)
  const isBare = text_calls === true && message.content === ''
  if (own.length === tool_calls.length && !isBare) return message
  return {
    ...rest,
    ...(own.length > 0 && { tool_calls: own }),
    ...(text_calls && !isBare && { text_calls }),
  }
}

/** A reply that came to nothing is kept, and left out of what is sent. */
const isSent = (message: Message): boolean =>
  message.role === 'user' ||
  message.content !== '' ||
  (message.role === 'assistant' && (message.tool_calls ?? []).length > 0)
