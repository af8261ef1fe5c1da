/** The gauge of the model that is talked to. */
import { chatRequest } from '../agent/request.ts'
import type { Setup } from '../agent/run.ts'
import type { Gauge } from '../context/gauge.ts'
import type { Message } from '../protocol/messages.ts'

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
}
