import type { Message, Usage } from '../protocol/messages.ts'
import type { Metrics } from '../protocol/wire.ts'

/**
 * Ollama does not tell what it had cached. The history only grows, so what stood in the context after the last reply
 * should still be there: that is the estimate.
 */
export function usageOf(metrics: Metrics, history: readonly Message[]): Usage {
  const { prompt_tokens, completion_tokens, load_ms, prefill_ms, decode_ms } = metrics
  const before = history.findLast(message => message.role === 'assistant' && message.usage !== undefined)
  const known = before?.role === 'assistant' ? (before.usage?.context_tokens ?? 0) : 0
  const reused_tokens = Math.max(0, Math.min(known, prompt_tokens - 1))
  return {
    prompt_tokens,
    completion_tokens,
    context_tokens: prompt_tokens + completion_tokens,
    read_tokens: prompt_tokens - reused_tokens,
    reused_tokens,
    estimated: true,
    load_ms,
    prefill_ms,
    decode_ms,
  }
}
