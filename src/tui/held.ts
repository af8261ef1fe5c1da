/**
 * Words for the model that were sent while a command of the person's runs. They wait for its end, so that the model hears
 * with them what it said; until then they stand with whatever else waits.
 */
import type { State, Waiting } from './state.ts'

/** `shown`: as they stand in the conversation. */
export interface HeldWords {
  text: string
  shown?: string | undefined
}

interface Shower {
  change(change: (state: State) => State, options?: { now?: boolean }): void
}

export class Held {
  #app: Shower
  #words = new Map<Waiting['id'], HeldWords>()
  #count = 0

  constructor(app: Shower) {
    this.#app = app
  }

  add(words: HeldWords): void {
    const id = `held${++this.#count}`
    this.#words.set(id, words)
    const waiting = { id, content: words.shown ?? words.text, kind: 'follow_up' } as const
    this.#app.change(state => ({ ...state, queue: [...state.queue, waiting] }), { now: true })
  }

  /** They wait no more. undefined: they are not among these. */
  take(id: string): HeldWords | undefined {
    const words = this.#words.get(id)
    if (!words) return undefined
    this.#words.delete(id)
    this.#app.change(state => ({ ...state, queue: state.queue.filter(waiting => waiting.id !== id) }))
    return words
  }

  /** All of them, in the order in which they were sent. */
  takeAll(): HeldWords[] {
    return [...this.#words.keys()].flatMap(id => this.take(id) ?? [])
  }
}
