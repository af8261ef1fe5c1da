/**
 * ReAct, for models whose server knows no tools for them: calls travel as `Action:` / `Action Input:` text, results as
 * `Observation:`. What the model is told about it stands in the system message.
 */
import type { AssistantMessage, ToolMessage } from '../../protocol/messages.ts'
import type { Dialect } from '../dialect.ts'
import { encodeAsText } from '../history.ts'
import { createReplyParser } from '../reply.ts'
import { ReactReader } from './reader.ts'

export const react: Dialect = {
  name: 'react',
  request: () => ({ stop: ['Observation:'] }),
  encode: history => encodeAsText(history, { assistant: assistantText, results: resultsText }),
  parser: tools => createReplyParser(tools, show => new ReactReader(tools, show)),
}

/** Calls that were recorded in the native dialect are written as actions; calls that stand in the text are there. */
function assistantText(message: AssistantMessage): string {
  const calls = message.text_calls ? [] : (message.tool_calls ?? [])
  if (calls.length === 0) return message.content
  const actions = calls.map(call => `Action: ${call.name}\nAction Input: ${JSON.stringify(call.arguments)}`)
  return [message.content.trimEnd(), ...actions].filter(part => part !== '').join('\n')
}

/** The label stands before each result alone, so that the stop sequence is what the model has seen. */
function resultsText(results: readonly ToolMessage[]): string {
  const [only, ...others] = results
  if (only && others.length === 0) return `Observation: ${only.content}`
  return results.map(result => `Observation: (${result.tool_name}) ${result.content}`).join('\n\n')
}
