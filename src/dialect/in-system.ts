/**
 * The native dialect for a model whose template renders the `tools` field badly: what the tools are stands in the system
 * message, calls are JSON text that the rescue reads, and results come back as text.
 */
import type { AssistantMessage, ToolMessage } from '../protocol/messages.ts'
import type { Dialect } from './dialect.ts'
import { encodeAsText } from './history.ts'
import { native } from './native.ts'

export const inSystem: Dialect = {
  ...native,
  request: () => ({}),
  encode: history => encodeAsText(history, { assistant: assistantText, results: resultsText }),
}

function assistantText({ content, tool_calls = [], text_calls }: AssistantMessage): string {
  const calls = text_calls
    ? []
    : tool_calls.map(({ name, arguments: args }) => JSON.stringify({ name, arguments: args }))
  return [content.trimEnd(), ...calls].filter(part => part !== '').join('\n')
}

const resultsText = (results: readonly ToolMessage[]): string =>
  results.map(({ tool_name, content }) => `Result of ${tool_name}:\n${content}`).join('\n\n')
