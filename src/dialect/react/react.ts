/**
 * ReAct, for models whose server knows no tools for them: calls travel as `Action:` / `Action Input:` text, results as
 * `Observation:`. What the model is told about it is in the system message.
 */
import type { AssistantMessage, ToolMessage } from '../../protocol/messages.ts'
import type { Dialect } from '../dialect.ts'
import { encodeAsText, exampleArguments } from '../history.ts'
import { StreamedReply } from '../reply.ts'
import { ReactReader } from './reader.ts'

export const react: Dialect = {
  name: 'react',
  request: () => ({ stop: ['Observation:'] }),
  encode: history => encodeAsText(history, { assistant: assistantText, results: resultsText }),
  example: tool => `\nAction: ${tool.function.name}\nAction Input: ${JSON.stringify(exampleArguments(tool))}`,
  parser: tools => new StreamedReply(tools, show => new ReactReader(tools, show)),
}

/** Calls that were recorded in the native dialect are written as actions; calls that are in the text stay there. */
function assistantText(message: AssistantMessage): string {
  const calls = message.text_calls ? [] : (message.tool_calls ?? [])
  if (calls.length === 0) return message.content
  const actions = calls.map(call => `Action: ${call.name}\nAction Input: ${JSON.stringify(call.arguments)}`)
  return [message.content.trimEnd(), ...actions].filter(part => part !== '').join('\n')
}

/** Each result has a label of its own, so that the stop sequence is what the model has seen. */
function resultsText(results: readonly ToolMessage[]): string {
  const [only, ...others] = results
  if (only && others.length === 0) return `Observation: ${only.content}`
  return results.map(result => `Observation: (${result.tool_name}) ${result.content}`).join('\n\n')
}
