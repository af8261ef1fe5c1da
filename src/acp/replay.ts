/** A conversation that was had before, as updates. */
import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk'
import type { AssistantMessage, Message } from '../protocol/messages.ts'
import { sanitize } from '../text/sanitize.ts'
import type { Words } from '../words/words.ts'
import { kindOf, locationsOf, titleOf } from './calls.ts'
import { endOf, planIn } from './updates.ts'

export interface ReplayLook {
  words: Words
  /** The session's directory, as the editor calls it. */
  base: string
  /** What a person reads of a reply. */
  readable(reply: AssistantMessage): string
}

export function replayed(
  messages: readonly Message[],
  { words, base, readable }: ReplayLook,
): SessionUpdate[] {
  const calls = new Map<string, Record<string, unknown>>()
  let plan: SessionUpdate | undefined
  const updates = messages.flatMap((message): SessionUpdate[] => {
    const chunk = (
      sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
      content: ContentBlock,
    ) => ({ sessionUpdate, content, messageId: message.id }) as const
    const text = (said: string) => ({ type: 'text' as const, text: sanitize(said) })
    if (message.role === 'user') {
      const { content, shown = content, images = [] } = message
      // Words of gopi's own to the model.
      if (shown === '') return []
      return [text(shown), ...images.map(imageOf)].map(block => chunk('user_message_chunk', block))
    }
    if (message.role === 'tool') {
      plan = planIn(message.details) ?? plan
      const args = calls.get(message.tool_call_id)
      return args === undefined ? [] : [endOf(message, args, { base, isTerminal: false })]
    }
    const said = readable(message)
    return [
      ...(message.thinking ? [chunk('agent_thought_chunk', text(message.thinking))] : []),
      ...(said.trim() === '' ? [] : [chunk('agent_message_chunk', text(said))]),
      ...(message.tool_calls ?? []).map(({ id, name, arguments: args }): SessionUpdate => {
        calls.set(id, args)
        return {
          ...{ sessionUpdate: 'tool_call', toolCallId: id, title: titleOf(name, args, words.tool) },
          ...{ kind: kindOf(name), status: 'pending', locations: locationsOf(args, base), rawInput: args },
        }
      }),
    ]
  })
  return plan ? [...updates, plan] : updates
}

const TYPES = { iVBOR: 'png', '/9j/': 'jpeg', R0lGOD: 'gif', UklGR: 'webp' }

function imageOf(data: string): ContentBlock {
  const [, type = 'png'] = Object.entries(TYPES).find(([start]) => data.startsWith(start)) ?? []
  return { type: 'image', data, mimeType: `image/${type}` }
}
