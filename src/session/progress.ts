/**
 * What the person is told while a request is on its way, honest about what can be known: Ollama says nothing before
 * the first token, so `waiting` stands until something proves more.
 */
import type { LoadedModel } from '../model/model.ts'
import type { LiveEvent } from '../protocol/events.ts'

export interface ProgressParts {
  show(event: LiveEvent): void
  /** The runner that has the session's model loaded, if there is one. */
  runner(): Promise<LoadedModel | undefined>
  /** The server has finished a request of ours since the model was loaded. */
  warm(): boolean
  /** Tokens of the next request that the server has not read yet (an estimate). */
  unread(): number
  /** Milliseconds that reading so many tokens takes on this machine; undefined until that was learned. */
  eta_ms(tokens: number): number | undefined
}

export class Progress {
  #parts: ProgressParts
  #waiting = 0

  constructor(parts: ProgressParts) {
    this.#parts = parts
  }

  /** The phase of a request that leaves now; what /api/ps proves meanwhile is shown as soon as it answers. */
  expectation(): LiveEvent {
    const request = ++this.#waiting
    const { show, runner, warm, unread, eta_ms } = this.#parts
    if (warm()) {
      const tokens = unread()
      const eta = eta_ms(tokens)
      return {
        type: 'phase',
        phase: 'reading',
        tokens,
        ...(eta !== undefined && { eta_ms: Math.round(eta) }),
      }
    }
    runner().then(
      () => {
        if (this.#waiting === request) show({ type: 'phase', phase: 'loading' })
      },
      () => {},
    )
    return { type: 'phase', phase: 'waiting' }
  }

  /** The request has brought something, or is over. */
  arrived(): void {
    this.#waiting++
  }
}
