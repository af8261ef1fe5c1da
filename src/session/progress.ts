/**
 * What the person is told while a request is on its way, honest about what can be known: Ollama says nothing before
 * the first token, so `waiting` stands until something proves more.
 */
import type { ChatRequest, LoadedModel } from '../model/model.ts'
import type { LiveEvent } from '../protocol/events.ts'

export interface ProgressParts {
  show(event: LiveEvent): void
  /** The runner that has the session's model loaded, if there is one. */
  runner(): Promise<LoadedModel | undefined>
  /** The server has finished a request of ours since the model was loaded. */
  warm(): boolean
  /** Tokens of a request that the server has to read (an estimate), and how long that takes once it was learned. */
  expect(request: ChatRequest): { new_tokens: number; eta_ms: number | undefined }
}

export class Progress {
  #parts: ProgressParts
  #waiting = 0

  constructor(parts: ProgressParts) {
    this.#parts = parts
  }

  /**
   * The phase of a request that leaves now. What more is known, or what /api/ps proves, is shown when it has left: an
   * estimate takes a moment, which the request must not wait for.
   */
  expectation(request: ChatRequest): LiveEvent {
    const current = ++this.#waiting
    setImmediate(() => {
      if (this.#waiting === current) this.#knowMore(request, current)
    })
    return { type: 'phase', phase: 'waiting' }
  }

  #knowMore(request: ChatRequest, current: number): void {
    const { show, runner, warm, expect } = this.#parts
    if (warm()) {
      const { new_tokens: tokens, eta_ms } = expect(request)
      show({ type: 'phase', phase: 'reading', tokens, ...(eta_ms !== undefined && { eta_ms }) })
      return
    }
    runner().then(
      () => {
        if (this.#waiting === current) show({ type: 'phase', phase: 'loading' })
      },
      () => {},
    )
  }

  /** The request has brought something, or is over. */
  arrived(): void {
    this.#waiting++
  }
}
