/**
 * Native: the tools travel in the request's `tools` field and the server hands the calls back as data. Models also
 * write calls as text that no server recognises; `rescue/` reads those.
 */
import type { Message, ToolCall } from '../protocol/messages.ts'
import type { WireMessage } from '../protocol/wire.ts'
import type { Dialect } from './dialect.ts'
import { joinUserMessages, userMessage } from './history.ts'
import { createReplyParser } from './reply.ts'
import { Rescue } from './rescue/rescue.ts'

export const native: Dialect = {
  name: 'native',
  request: tools => (tools.length > 0 ? { tools: [...tools] } : {}),
  encode: encodeNative,
  parser: tools => createReplyParser(tools, show => new Rescue(tools, text => show('text', text))),
}

/**
 * The history for a server that knows calls. An assistant message with calls goes without its text: the templates of
 * qwen2.5, qwen3, hermes and mistral print either and prefer the text. Calls that stood in the text go as that text,
 * which renders to the very tokens that were generated. Thinking goes back only inside the tool loop that it belongs to.
 */
function encodeNative(history: readonly Message[]): WireMessage[] {
  const lastUser = history.findLastIndex(message => message.role === 'user')
  return joinUserMessages(history.flatMap((message, index) => encodeMessage(message, index > lastUser)))
}

function encodeMessage(message: Message, inLoop: boolean): WireMessage[] {
  switch (message.role) {
    case 'user':
      return [userMessage(message)]
    case 'tool': {
      const { content, tool_name, tool_call_id } = message
      return [{ role: 'tool', content, tool_name, tool_call_id }]
    }
    case 'assistant': {
      const thinking = inLoop && message.thinking ? { thinking: message.thinking } : {}
      const calls = message.text_calls ? [] : (message.tool_calls ?? [])
      if (calls.length > 0)
        return [{ role: 'assistant', content: '', ...thinking, tool_calls: calls.map(wireCall) }]
      return message.content === '' ? [] : [{ role: 'assistant', content: message.content, ...thinking }]
    }
  }
}

function wireCall({ id, name, arguments: args }: ToolCall) {
  return { id, function: { name, arguments: args } }
}
