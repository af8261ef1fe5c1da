/** How full the context is. The server's counts are the truth; characters stand for what it has not seen yet. */
import type { Message } from '../protocol/messages.ts'
import type { WireTool } from '../protocol/wire.ts'

/** Characters a token is taken to have, code and prose in English mixed. */
const charactersPerToken = 3.5

export interface Told {
  system: string
  wireTools: readonly WireTool[]
}

/** Tokens in the context now: the server's count after the last reply, plus an estimate of what came since. */
export function contextTokens(history: readonly Message[], told: Told): number {
  const last = history.findLastIndex(message => message.role === 'assistant' && message.usage !== undefined)
  const seen = history[last]
  const counted = seen?.role === 'assistant' ? (seen.usage?.context_tokens ?? 0) : 0
  const unseen = history.slice(last + 1)
  const fixed = seen ? 0 : told.system.length + JSON.stringify(told.wireTools).length
  return counted + Math.ceil((fixed + characters(unseen)) / charactersPerToken)
}

/** Of those, the tokens that the server has not been sent yet. */
export function unreadTokens(history: readonly Message[], told: Told): number {
  const last = history.findLast(message => message.role === 'assistant' && message.usage !== undefined)
  const known = last?.role === 'assistant' ? (last.usage?.context_tokens ?? 0) : 0
  return contextTokens(history, told) - known
}

function characters(messages: readonly Message[]): number {
  let sum = 0
  for (const message of messages) {
    sum += message.content.length
    if (message.role === 'assistant' && message.tool_calls) sum += JSON.stringify(message.tool_calls).length
  }
  return sum
}
