/**
 * One JSON object per reply, forced by Ollama's `format`: works with every model, also those that know no tools and
 * hold no form by themselves.
 */
import type { AssistantMessage, ToolMessage } from '../../protocol/messages.ts'
import type { Dialect } from '../dialect.ts'
import { encodeAsText, exampleArguments } from '../history.ts'
import { StreamedReply } from '../reply.ts'
import { replySchema, writeReply } from './form.ts'
import { JsonReader } from './reader.ts'

export const json: Dialect = {
  name: 'json',
  request: tools => ({ format: replySchema(tools) }),
  encode: history => encodeAsText(history, { assistant: assistantText, results: resultsText }),
  example: tool => writeReply('', [{ name: tool.function.name, arguments: exampleArguments(tool) }]),
  parser: tools => new StreamedReply(tools, show => new JsonReader(tools, show)),
}

/** Replies that were recorded in another dialect are written as this one's, so that the model sees one form only. */
function assistantText(message: AssistantMessage): string {
  if (message.text_calls || message.content.trimStart().startsWith('{')) return message.content
  const calls = message.tool_calls ?? []
  return message.content === '' && calls.length === 0 ? '' : writeReply(message.content, calls)
}

function resultsText(results: readonly ToolMessage[]): string {
  return results.map(result => `Result of ${result.tool_name}:\n${result.content}`).join('\n\n')
}
