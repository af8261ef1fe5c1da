/** Side conversations that work for calls of the main one: the person's words and Esc go to the one that began last. */
import type { Words } from '../agent/steering.ts'
import type { Thread } from './thread.ts'

export interface Guest {
  thread: Thread
  stop: AbortController
  /** Of the agent. */
  name: string
}

export class Hosted {
  #guests: Guest[] = []

  /** Who works, by name. */
  get names(): readonly string[] {
    return this.#guests.map(({ name }) => name)
  }

  /** → takes it away again, with the words that it has not taken. */
  add(guest: Guest): () => Words[] {
    this.#guests.push(guest)
    return () => {
      this.#guests = this.#guests.filter(other => other !== guest)
      return guest.thread.steering.takeAll()
    }
  }

  /** → false: nobody is there. */
  steer(words: Words): boolean {
    const guest = this.#guests.at(-1)
    if (!guest) return false
    guest.thread.record.record({ type: 'steer', id: words.id, content: words.content })
    guest.thread.steering.push(words)
    return true
  }

  takeBack(id: string): string | undefined {
    for (const { thread } of this.#guests) {
      const words = thread.steering.take(id)
      if (words) return words.content
    }
    return undefined
  }

  /** Has waiting words step in, else ends the one that began last. → false: nobody is there, or it ends already. */
  stop(): boolean {
    const guest = this.#guests.findLast(({ stop }) => !stop.signal.aborted)
    if (!guest) return false
    const { steering } = guest.thread
    if (steering.waiting === 0 || !steering.cancelTools()) guest.stop.abort('user')
    return true
  }
}
