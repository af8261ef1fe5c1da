/** Tokens and speed of one model on one server: what they are now, and what is remembered of them between starts. */
import { Estimate } from '../context/estimate.ts'
import type { TokenCounter } from '../context/token-counter.ts'
import { missReason } from '../model/miss.ts'
import type { ChatRequest } from '../model/model.ts'
import { createSpeed } from '../model/speed.ts'
import type { Memory } from '../protocol/memory.ts'
import type { AssistantMessage, Usage } from '../protocol/messages.ts'
import type { Metrics } from '../protocol/wire.ts'
import type { Gauge } from '../session/gauge.ts'

export interface GaugeOptions {
  /** Names the server and the model. */
  key: string
  counter: Pick<TokenCounter, 'count'>
  memories: { tokens: Memory; speeds: Memory }
}

export function createGauge({ key, counter, memories }: GaugeOptions): Gauge {
  const estimate = new Estimate({ counter, memory: memories.tokens, key })
  const speed = createSpeed({ memory: memories.speeds, key })
  let answers = 0

  function answered(
    request: ChatRequest,
    { metrics, reply }: { metrics?: Metrics; reply?: AssistantMessage },
  ): Usage | undefined {
    const counts = metrics && {
      prompt_tokens: metrics.prompt_tokens,
      completion_tokens: metrics.completion_tokens,
    }
    const expected = estimate.answered(request, { ...(counts && { counts }), ...(reply && { reply }) })
    if (!metrics) return undefined
    const asked = { expected: expected.new_tokens, unseen: answers === 0 ? 0 : expected.unseen_tokens }
    const reading = speed.reading(metrics, asked)
    speed.learn(metrics, asked)
    const { prompt_tokens, completion_tokens, load_ms, prefill_ms, decode_ms } = metrics
    const miss = missReason({ reading, known: answers++ > 0, changed: expected.changed, prompt_tokens })
    return {
      prompt_tokens,
      completion_tokens,
      context_tokens: prompt_tokens + completion_tokens,
      read_tokens: reading.read_tokens,
      reused_tokens: reading.reused_tokens,
      estimated: reading.estimated,
      load_ms,
      prefill_ms,
      decode_ms,
      ...(miss !== undefined && { miss }),
    }
  }

  return {
    tokens: request => estimate.expect(request).tokens,
    textTokens: text => estimate.text(text),
    expect(request) {
      const { new_tokens } = estimate.expect(request)
      return { new_tokens, eta_ms: speed.eta_ms(new_tokens) }
    },
    answered,
    resume(request, reply) {
      estimate.resume(request, reply)
      answers++
    },
  }
}
