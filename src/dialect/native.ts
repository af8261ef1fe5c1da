/**
 * Native: the tools travel in the request's `tools` field and the server hands the calls back as data. Models also
 * write calls as text that no server recognises; `rescue/` reads those.
 */
import type { Message, ToolCall } from '../protocol/messages.ts'
import type { WireMessage } from '../protocol/wire.ts'
import type { Dialect } from './dialect.ts'
import { exampleArguments, joinUserMessages, userMessage } from './history.ts'
import { StreamedReply } from './reply.ts'
import { Rescue } from './rescue/rescue.ts'

export const native: Dialect = {
  name: 'native',
  request: tools => (tools.length > 0 ? { tools: [...tools] } : {}),
  encode: encodeNative,
  example: tool => JSON.stringify({ name: tool.function.name, arguments: exampleArguments(tool) }),
  parser: tools => new StreamedReply(tools, show => new Rescue(tools, text => show('text', text))),
}

/**
 * The history for a server that knows calls. An assistant message with calls goes without its text: the templates of
 * qwen2.5, qwen3, hermes and mistral print either and prefer the text. Calls that were in the text go as that text,
 * which renders to the very tokens that were generated. Thinking goes back only inside the tool loop that it belongs to.
 */
function encodeNative(history: readonly Message[]): WireMessage[] {
  const lastUser = history.findLastIndex(message => message.role === 'user')
  const messages: WireMessage[] = []
  for (const [index, message] of history.entries()) {
    const wire = wireMessage(message, index > lastUser)
    if (wire) messages.push(wire)
  }
  return joinUserMessages(messages)
}

/**
 * What messages are sent as, with their thinking and without it: made once, so that a request shares its messages with
 * the one before, and whoever compares the two need not look into them.
 */
const withThinking = new WeakMap<Message, WireMessage>()
const withoutThinking = new WeakMap<Message, WireMessage>()

function wireMessage(message: Message, inLoop: boolean): WireMessage | undefined {
  const thinking = inLoop && message.role === 'assistant' ? message.thinking : undefined
  const made = thinking ? withThinking : withoutThinking
  const before = made.get(message)
  if (before) return before
  const wire = encodeMessage(message, thinking)
  if (wire) made.set(message, wire)
  return wire
}

function encodeMessage(message: Message, thinking: string | undefined): WireMessage | undefined {
  switch (message.role) {
    case 'user':
      return userMessage(message)
    case 'tool': {
      const { content, tool_name, tool_call_id } = message
      return { role: 'tool', content, tool_name, tool_call_id }
    }
    case 'assistant': {
      const thoughts = thinking ? { thinking } : {}
      const calls = message.text_calls ? [] : (message.tool_calls ?? [])
      if (calls.length > 0)
        return { role: 'assistant', content: '', ...thoughts, tool_calls: calls.map(wireCall) }
      return message.content === '' ? undefined : { role: 'assistant', content: message.content, ...thoughts }
    }
  }
}

function wireCall({ id, name, arguments: args }: ToolCall) {
  return { id, function: { name, arguments: args } }
}
