/** What the session knows about tokens and speed; made by whoever knows how they are learned. */
import { chatRequest } from '../agent/request.ts'
import type { Setup } from '../agent/run.ts'
import type { ChatRequest } from '../model/model.ts'
import type { AssistantMessage, Message, Usage } from '../protocol/messages.ts'
import type { Metrics } from '../protocol/wire.ts'

export interface Gauge {
  /** Tokens that a request will be. */
  tokens(request: ChatRequest): number
  /** Tokens of a bare text: quick, for what is still being typed. */
  textTokens(text: string): number
  /** What of a request the server has to read, and how long (ms) that takes here, once it was learned. */
  expect(request: ChatRequest): { new_tokens: number; eta_ms: number | undefined }
  /**
   * The server has read a request, and answered it if there are metrics: learns from it. `reply` is what it wrote, so
   * far as it is known. → what its figures mean.
   */
  answered(request: ChatRequest, answer: { metrics?: Metrics; reply?: AssistantMessage }): Usage | undefined
  /** No request follows: what is still to be learned is learned now. */
  settle(): void
  /** A resumed conversation: `request` is what `reply` was the answer to. */
  resume(request: ChatRequest, reply: AssistantMessage): void
}

/** One gauge per model: what is learned of one says nothing about another. */
export class Gauges {
  #gaugeFor: (model: string) => Gauge
  #current: { model: string; gauge: Gauge } | undefined

  constructor(gaugeFor: (model: string) => Gauge) {
    this.#gaugeFor = gaugeFor
  }

  /** What the server counted of a resumed conversation still holds: a new gauge begins with it. */
  of(setup: Setup, history: readonly Message[]): Gauge {
    const { model } = setup
    if (this.#current?.model === model) return this.#current.gauge
    const gauge = this.#gaugeFor(model)
    const last = history.findLastIndex(message => message.role === 'assistant' && message.usage !== undefined)
    const reply = history[last]
    if (reply?.role === 'assistant') gauge.resume(chatRequest(setup, history.slice(0, last)), reply)
    this.#current = { model, gauge }
    return gauge
  }

  /** The session ends. */
  settle(): void {
    this.#current?.gauge.settle()
  }
}
