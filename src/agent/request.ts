import type { ChatRequest } from '../model/model.ts'
import type { Message } from '../protocol/messages.ts'
import type { Setup } from './run.ts'

/**
 * The request for a history: the same setup and history give the same bytes, and a longer history begins with them.
 * Prewarm and compaction are made by it too, so that they share the prefix.
 */
export function chatRequest(setup: Setup, history: readonly Message[]): ChatRequest {
  const { stop, ...shape } = setup.dialect.request(setup.wireTools)
  return {
    model: setup.model,
    messages: [{ role: 'system', content: setup.system }, ...setup.dialect.encode(history)],
    ...shape,
    think: setup.think,
    options: { num_ctx: setup.num_ctx, ...setup.options, ...(stop && { stop }) },
    keep_alive: setup.keep_alive,
  }
}
