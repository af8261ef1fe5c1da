/**
 * What rewinding took away from a conversation, so that it can be brought back until something new is said. Shared by the
 * session as it goes on and by the replay of its journal: both come to the same history.
 */
import type { FileMove, RewindEntry } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'

interface Undoing {
  messages: Message[]
  files: readonly FileMove[]
}

export class Undone {
  #stack: Undoing[] = []

  /** What would come back next. */
  get last(): Undoing | undefined {
    return this.#stack.at(-1)
  }

  /** Changes the history as the entry says. */
  apply(history: Message[], { to, files, redo }: RewindEntry): void {
    if (redo) {
      history.push(...(this.#stack.pop()?.messages ?? []))
      return
    }
    const at = to === undefined ? -1 : history.findIndex(({ id }) => id === to)
    this.#stack.push({ messages: at < 0 ? [] : history.splice(at), files })
  }

  /** The conversation has gone on another way. */
  forget(): void {
    this.#stack = []
  }
}
