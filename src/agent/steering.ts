/**
 * The user's words that step into a run, and what they may interrupt.
 *
 * Words cut the reply in progress at once. While tools run they wait, unless the user cancels the tools.
 */
import { type Following, follow } from './abortable.ts'

/** Why something of a run was cancelled, as an AbortSignal's reason. */
export type CancelReason = 'user' | 'steer' | 'timeout' | 'limit' | 'enough'

export interface Words {
  /** Id of the journal's `steer` entry; the message that carries the words has the same one. */
  id: string
  content: string
  /** What of them the person typed: files that it names with `@` are put before the words. */
  typed?: string | undefined
  /** Base64. */
  images?: string[] | undefined
}

export class Steering {
  #words: Words[] = []
  #cut: AbortController | undefined
  #tools: AbortController | undefined
  /** The reply in progress is a thought so far. */
  thinking = false

  get waiting(): number {
    return this.#words.length
  }

  push(words: Words): void {
    this.#words.push(words)
    this.#cut?.abort('steer' satisfies CancelReason)
  }

  /** Those that have waited longest. */
  get first(): Words | undefined {
    return this.#words[0]
  }

  takeAll(): Words[] {
    return this.#words.splice(0)
  }

  /** Takes out the words with this id, if they still wait. */
  take(id: string): Words | undefined {
    const index = this.#words.findIndex(words => words.id === id)
    return index < 0 ? undefined : this.#words.splice(index, 1)[0]
  }

  /** Cancels the tools that run now, so that waiting words step in. True if there were any. */
  cancelTools(): boolean {
    if (!this.#tools) return false
    this.#tools.abort('steer' satisfies CancelReason)
    return true
  }

  /** Cuts the thought in progress, so that the model answers without one. True if there was any. */
  enough(): boolean {
    if (!this.thinking || !this.#cut) return false
    this.#cut.abort('enough' satisfies CancelReason)
    return true
  }

  /** For one reply: fires with the run's signal, and when words arrive (at once, when some wait already). */
  duringReply(signal: AbortSignal): Following {
    const following = follow(signal)
    if (this.#words.length > 0) following.controller.abort('steer' satisfies CancelReason)
    this.#cut = following.controller
    return following
  }

  /** For the tools of one reply: fires with the run's signal, and with `cancelTools`. */
  duringTools(signal: AbortSignal): Following {
    const following = follow(signal)
    this.#tools = following.controller
    return following
  }

  /** The reply, or its tools, are over: nothing of them can be interrupted any more. */
  over(following: Following): void {
    following.release()
    this.thinking = false
    if (this.#cut === following.controller) this.#cut = undefined
    if (this.#tools === following.controller) this.#tools = undefined
  }
}
