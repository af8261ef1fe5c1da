import type { ChatRequest } from '../backends/backend.ts'
import type { Message, UserMessage } from '../protocol/messages.ts'
import type { Setup } from './run.ts'

/**
 * The request for a history: the same setup and history give the same bytes, and a longer history begins with them.
 * Prewarm and compaction are made by it too, so that they share the prefix.
 */
export function chatRequest(setup: Setup, history: readonly Message[]): ChatRequest {
  const { stop: own = [], ...shape } = setup.dialect.request(setup.wireTools)
  const said = [...(setup.examples ?? []), ...withoutRepeats(history)]
  const stop = [...own, ...(setup.stop ?? [])]
  return {
    model: setup.model,
    messages: [{ role: 'system', content: setup.system }, ...setup.dialect.encode(said)],
    ...shape,
    think: setup.think,
    context: setup.context,
    ...(setup.options && { options: setup.options }),
    ...(stop.length > 0 && { stop }),
    keep_alive: setup.keep_alive,
  }
}

/** Words that were not answered and were said again: the model hears them once. */
function withoutRepeats(history: readonly Message[]): readonly Message[] {
  const isRepeated = (message: Message, at: number) => saidAgain(message, history[at + 1])
  return history.some(isRepeated) ? history.filter((message, at) => !isRepeated(message, at)) : history
}

function saidAgain(one: Message, next: Message | undefined): boolean {
  if (one.role !== 'user' || next?.role !== 'user') return false
  const words = (message: UserMessage) => message.shown ?? message.content
  return words(one) !== '' && words(one) === words(next) && !one.images && !next.images
}
