/** Tokens and speed of one model on one server: what they are now, and what is remembered of them between starts. */
import type { ChatRequest } from '../backends/backend.ts'
import { missReason } from '../backends/miss.ts'
import { createSpeed } from '../backends/speed.ts'
import type { Memory } from '../protocol/memory.ts'
import type { AssistantMessage, Usage } from '../protocol/messages.ts'
import type { Metrics } from '../protocol/wire.ts'
import { Estimate } from './estimate.ts'

export interface GaugeOptions {
  /** Names the server and the model. */
  key: string
  memories: { tokens: Memory; speeds: Memory }
}

export interface GaugedAnswer {
  metrics?: Metrics
  reply?: AssistantMessage
  /** Another conversation of the session used the model since the last answer. Default: none did. */
  besides?: boolean
}

export interface Gauge {
  /** Tokens that a request will be. */
  tokens(request: ChatRequest): number
  /** Tokens of a bare text. */
  textTokens(text: string): number
  /** What of a request the server has to read, and how long (ms) that takes here, once it was learned. */
  expect(request: ChatRequest): { new_tokens: number; eta_ms: number | undefined }
  /** Milliseconds that a request takes which has so many new tokens read ahead; until that was learned, on a slow machine. */
  ahead_ms(tokens: number): number
  /**
   * The server has read a request, and answered it if there are metrics: learns from it. `reply` is what it wrote, so
   * far as it is known. → what its figures mean.
   */
  answered(request: ChatRequest, answer: GaugedAnswer): Usage | undefined
  /** A request leaves now. */
  leaves(request: ChatRequest): void
  /** The server may be reading something that we gave up: nothing is learned from how long the next request takes. */
  gaveUp(): void
  /** A resumed conversation: `request` is what `reply` was the answer to. */
  resume(request: ChatRequest, reply: AssistantMessage): void
}

export function createGauge({ key, memories }: GaugeOptions): Gauge {
  const estimate = new Estimate({ memory: memories.tokens, key })
  const speed = createSpeed({ memory: memories.speeds, key })
  /** Tokens in the context after the last answer; undefined before the first. */
  let context: number | undefined
  /** What the request that is on its way was expected to have the server read. */
  let awaited = 1
  /** Answers so far, also when each request that is on its way left. */
  let answers = 0
  const leftAfter = new WeakMap<ChatRequest, number>()
  let isDoubtful = false

  function answered(
    request: ChatRequest,
    { metrics, reply, besides = false }: GaugedAnswer,
  ): Usage | undefined {
    const isFirst = context === undefined
    const { new_tokens, unseen_tokens, changed } = estimate.answered(request, { counts: metrics, reply })
    if (!metrics) {
      isDoubtful ||= reply === undefined
      return undefined
    }

    const { prompt_tokens, completion_tokens, load_ms, prefill_ms, decode_ms } = metrics
    const isBehind = (leftAfter.get(request) ?? answers) < answers
    answers++
    // The history only grows: what the server counted last time it should still have, except for what is not sent again
    // as it was generated, thinking and calls: then more is read than the counts tell.
    const reading = speed.reading(metrics, {
      expected: Math.max(awaited, prompt_tokens - (context ?? 0)),
      unseen: 0,
      isBehind,
    })
    awaited = 1
    if (!isDoubtful)
      speed.learn(metrics, { expected: new_tokens, unseen: isFirst ? 0 : unseen_tokens, isBehind })
    isDoubtful = false
    const miss = missReason({
      ...{ reading, known: !isFirst, besides },
      changed: reading.missed ? changed : undefined,
    })
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
      ...(miss && { miss: miss.message, miss_code: miss.code, miss_facts: miss.facts }),
    }
  }

  return {
    answered,
    tokens: request => estimate.tokens(request),
    textTokens: text => estimate.text(text),
    expect(request) {
      const { new_tokens } = estimate.expect(request)
      awaited = new_tokens
      return { new_tokens, eta_ms: speed.eta_ms(new_tokens) }
    },
    ahead_ms: tokens => speed.ahead_ms(tokens),
    leaves(request) {
      leftAfter.set(request, answers)
    },
    gaveUp() {
      isDoubtful = true
    },
    resume(request, reply) {
      estimate.resume(request, reply)
      context = reply.usage?.context_tokens
    },
  }
}
