/** What the dialects share when they encode a history. */
import type { AssistantMessage, Message, ToolMessage } from '../protocol/messages.ts'
import type { WireMessage, WireTool } from '../protocol/wire.ts'

/**
 * Roles must alternate: templates merge neighbours of one role or lose the second one's parts. So a user message that
 * follows a user message joins it, images included.
 */
export function joinUserMessages(messages: readonly WireMessage[]): WireMessage[] {
  const joined: WireMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role !== 'user' || last?.role !== 'user') joined.push(message)
    else joined[joined.length - 1] = joinTwo(last, message)
  }
  return joined
}

function joinTwo(first: WireMessage, second: WireMessage): WireMessage {
  const images = [...(first.images ?? []), ...(second.images ?? [])]
  return {
    ...first,
    content: `${first.content}\n\n${second.content}`,
    ...(images.length > 0 && { images }),
  }
}

/** How a dialect that knows only text writes down what is not text. */
export interface TextForms {
  assistant(message: AssistantMessage): string
  results(results: readonly ToolMessage[]): string
}

/** The history as user and assistant text: the results of one turn are one user message, in call order. */
export function encodeAsText(history: readonly Message[], forms: TextForms): WireMessage[] {
  const messages: WireMessage[] = []
  let results: ToolMessage[] = []
  const flush = () => {
    if (results.length > 0) messages.push({ role: 'user', content: forms.results(results) })
    results = []
  }
  for (const message of history) {
    if (message.role === 'tool') {
      results.push(message)
      continue
    }
    flush()
    if (message.role === 'user') messages.push(userMessage(message))
    else messages.push({ role: 'assistant', content: forms.assistant(message) })
  }
  flush()
  return joinUserMessages(messages.filter(message => message.content !== '' || message.role === 'user'))
}

export function userMessage(message: { content: string; images?: string[] }): WireMessage {
  return { role: 'user', content: message.content, ...(message.images && { images: message.images }) }
}

/** What an example of a call has in place of the arguments that it needs. */
export const exampleArguments = ({ function: { parameters } }: WireTool): Record<string, unknown> =>
  Object.fromEntries(
    parameters.required.map(key => [key, EXAMPLES[parameters.properties[key]?.type ?? ''] ?? '…']),
  )

const EXAMPLES: Readonly<Record<string, unknown>> = {
  integer: 1,
  number: 1,
  boolean: true,
  array: [],
  object: {},
}
