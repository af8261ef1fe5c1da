/**
 * What the person is told while a request is on its way, honest about what can be known: a server says nothing before
 * the first token, so `waiting` stays until something proves more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatRequest, ModelState } from '../backends/backend.ts'
import type { LiveEvent } from '../protocol/events.ts'
import type { Conversation } from './conversation.ts'

/** Milliseconds between two looks at a model that is there by the first, and at one that is being loaded. */
const lookAgain = 300
const whileLoading = 1000

export class Progress {
  #talk: Conversation
  #show: (event: LiveEvent) => void
  #warm: () => boolean
  #waiting = 0

  /** `warm`: the server has finished a request of ours since the model was loaded. */
  constructor(talk: Conversation, show: (event: LiveEvent) => void, warm: () => boolean) {
    this.#talk = talk
    this.#show = show
    this.#warm = warm
  }

  /**
   * The phase of a request that leaves now. What more is known, or what the server proves, is shown when it has left: an
   * estimate takes a moment, which the request must not wait for.
   */
  expectation(request: ChatRequest): LiveEvent {
    const current = ++this.#waiting
    this.#talk.gauge.leaves(request)
    setImmediate(() => {
      if (this.#waiting !== current) return
      if (this.#warm()) this.#reads(request)
      else void this.#watch(request, current)
    })
    return { type: 'phase', phase: 'waiting' }
  }

  #reads(request: ChatRequest): void {
    const { new_tokens: tokens, eta_ms } = this.#talk.gauge.expect(request)
    this.#show({ type: 'phase', phase: 'reading', tokens, ...(eta_ms !== undefined && { eta_ms }) })
  }

  /** Loading is said on evidence alone, and only for as long as it lasts. */
  async #watch(request: ChatRequest, current: number): Promise<void> {
    let before: ModelState | undefined
    for (let isSaid = false; ; ) {
      const state = await this.#talk.state?.().catch(() => 'untold' as const)
      if (this.#waiting !== current || !this.#talk.state || state === 'untold') return
      // Of a model that is still being loaded some servers say so too: then its end moves with the clock.
      const isLoaded = state !== undefined && before !== undefined && state.mark === before.mark
      if (isLoaded) return this.#reads(request)
      if (!isSaid && (state === undefined || before !== undefined)) {
        isSaid = true
        this.#show({ type: 'phase', phase: 'loading' })
      }
      before = state
      await sleep(state && !isSaid ? lookAgain : whileLoading, undefined, { ref: false })
      if (this.#waiting !== current) return
    }
  }

  /** The request has brought something, or is over. */
  arrived(): void {
    this.#waiting++
  }
}
