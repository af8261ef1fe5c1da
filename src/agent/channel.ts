/**
 * Joins the events of tasks that run side by side into one stream.
 * `put` resolves when the consumer has dealt with the event and asks for the next one, so that a task which awaits it
 * goes on only after the event is in the journal.
 */
export class Channel<T> {
  #queue: { item: T; taken: () => void }[] = []
  #wake: (() => void) | undefined
  #closed = false

  put(item: T): Promise<void> {
    return new Promise(resolve => {
      this.#queue.push({ item, taken: resolve })
      this.#wake?.()
    })
  }

  close(): void {
    this.#closed = true
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const next = this.#queue.shift()
      if (next) {
        yield next.item
        next.taken()
      } else if (this.#closed) {
        return
      } else {
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
      }
    }
  }
}
