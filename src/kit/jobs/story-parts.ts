/** A conversation as it is shown outside of gopi: who said what, and what was done. */
import type { AssistantMessage, Message } from '../../protocol/messages.ts'
import { sanitize } from '../../text/sanitize.ts'
import { subjectOf } from '../../text/tool-line.ts'

export type Part =
  | { who: 'person'; text: string }
  | { who: 'model'; text: string }
  | { who: 'tool'; name: string; subject: string; output: string; failed: boolean; diff?: string }

export interface Story {
  title: string
  /** Model, directory, time. */
  about: string
  parts: readonly Part[]
}

export function partsOf(messages: readonly Message[], readable: (reply: AssistantMessage) => string): Part[] {
  const calls = new Map<string, Record<string, unknown>>()
  const partOf = (message: Message): Part[] => {
    switch (message.role) {
      case 'user': {
        const text = message.shown ?? message.content
        return text === '' ? [] : [{ who: 'person', text: sanitize(text) }]
      }
      case 'assistant': {
        for (const call of message.tool_calls ?? []) calls.set(call.id, call.arguments)
        const text = readable(message).trim()
        return text === '' ? [] : [{ who: 'model', text: sanitize(text) }]
      }
      case 'tool': {
        const { diff } = (message.details ?? {}) as { diff?: unknown }
        const args = calls.get(message.tool_call_id) ?? {}
        return [
          {
            ...{ who: 'tool', name: message.tool_name, failed: message.is_error },
            subject: sanitize(subjectOf(args, { within: (pattern, place) => `${pattern} · ${place}` })),
            output: sanitize(message.content),
            ...(typeof diff === 'string' && diff !== '' && { diff: sanitize(diff) }),
          },
        ]
      }
    }
  }
  return messages.flatMap(partOf)
}
