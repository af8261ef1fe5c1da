/**
 * The user's words that step into a run, and what they may interrupt.
 *
 * Words cut the reply in progress at once. While tools run they wait, unless the user cancels the tools.
 */

/** Why something of a run was cancelled, as an AbortSignal's reason. */
export type CancelReason = 'user' | 'steer' | 'timeout' | 'limit'

export interface Words {
  /** Id of the journal's `steer` entry; the message that carries the words has the same one. */
  id: string
  content: string
}

export class Steering {
  #words: Words[] = []
  #cut: AbortController | undefined
  #tools: AbortController | undefined

  get waiting(): number {
    return this.#words.length
  }

  push(words: Words): void {
    this.#words.push(words)
    this.#cut?.abort('steer' satisfies CancelReason)
  }

  take(): Words[] {
    return this.#words.splice(0)
  }

  /** Takes out the words with this id, if they still wait. */
  takeBack(id: string): Words | undefined {
    const index = this.#words.findIndex(words => words.id === id)
    return index < 0 ? undefined : this.#words.splice(index, 1)[0]
  }

  /** Cancels the tools that run now, so that waiting words step in. True if there were any. */
  cancelTools(): boolean {
    if (!this.#tools) return false
    this.#tools.abort('steer' satisfies CancelReason)
    return true
  }

  /** The signal for one reply: fires with the run's, and when words arrive. */
  async *duringReply<T, R>(signal: AbortSignal, body: (signal: AbortSignal) => AsyncGenerator<T, R>) {
    this.#cut = new AbortController()
    if (this.#words.length > 0) this.#cut.abort('steer' satisfies CancelReason)
    try {
      return yield* body(AbortSignal.any([signal, this.#cut.signal]))
    } finally {
      this.#cut = undefined
    }
  }

  /** The signal for the tools of one reply: fires with the run's, and with `cancelTools`. */
  async *duringTools<T, R>(signal: AbortSignal, body: (signal: AbortSignal) => AsyncGenerator<T, R>) {
    this.#tools = new AbortController()
    try {
      return yield* body(AbortSignal.any([signal, this.#tools.signal]))
    } finally {
      this.#tools = undefined
    }
  }
}
