/** Tokens and speed of one model on one server: what they are now, and what is remembered of them between starts. */
import { Estimate, type Expected } from '../context/estimate.ts'
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
  /** Tokens in the context after the last answer; undefined before the first. */
  let context: number | undefined
  /** What the request that is on its way was expected to have the server read. */
  let awaited = 1
  /**
   * What is still to be learned from the last answer. It waits for the next estimate, which is made when the next request
   * has left: until then every moment is somebody's.
   */
  let lesson: (() => Expected) | undefined

  function learn(): Expected | undefined {
    const due = lesson
    lesson = undefined
    return due?.()
  }

  function answered(
    request: ChatRequest,
    { metrics, reply }: { metrics?: Metrics; reply?: AssistantMessage },
  ): Usage | undefined {
    learn()
    const isFirst = context === undefined
    lesson = () => {
      const expected = estimate.answered(request, {
        ...(metrics && { counts: metrics }),
        ...(reply && { reply }),
      })
      const unseen = isFirst ? 0 : expected.unseen_tokens
      if (metrics) speed.learn(metrics, { expected: expected.new_tokens, unseen })
      return expected
    }
    if (!metrics) return undefined

    const { prompt_tokens, completion_tokens, load_ms, prefill_ms, decode_ms } = metrics
    // The history only grows: what the server counted last time it should still have. But for what is not sent again as
    // it was generated, thinking and calls: then more is read than the counts tell.
    const reading = speed.reading(metrics, {
      expected: Math.max(awaited, prompt_tokens - (context ?? 0)),
      unseen: 0,
    })
    awaited = 1
    const changed = reading.missed ? learn()?.changed : undefined
    const miss = missReason({ reading, known: !isFirst, changed, prompt_tokens })
    context = prompt_tokens + completion_tokens
    return {
      prompt_tokens,
      completion_tokens,
      context_tokens: context,
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
    answered,
    settle: () => void learn(),
    tokens(request) {
      learn()
      return estimate.expect(request).tokens
    },
    textTokens: text => estimate.text(text),
    expect(request) {
      learn()
      const { new_tokens } = estimate.expect(request)
      awaited = new_tokens
      return { new_tokens, eta_ms: speed.eta_ms(new_tokens) }
    },
    resume(request, reply) {
      estimate.resume(request, reply)
      context = reply.usage?.context_tokens
    },
  }
}
