import type { PartialEntry } from '../protocol/events.ts'

/** Milliseconds between two partial entries of a reply: at most four a second. */
const interval = 250

/**
 * Keeps what a reply has said so far, so that a crash loses at most a quarter of a second of it. The first piece is
 * written at once, later ones together.
 */
export class PartialWriter {
  #write: (partial: PartialEntry) => void
  #messageId = ''
  #text = ''
  #timer: NodeJS.Timeout | undefined

  constructor(write: (partial: PartialEntry) => void) {
    this.#write = write
  }

  add(messageId: string, text: string): void {
    this.#messageId = messageId
    this.#text += text
    if (!this.#timer) this.#flush()
  }

  /** The message is whole: its entry says it all. The time to the next entry runs on, also for another message. */
  end(): void {
    this.#text = ''
  }

  close(): void {
    this.end()
    clearTimeout(this.#timer)
  }

  /** Writes what there is, then nothing for a while. */
  #flush(): void {
    this.#timer = undefined
    if (this.#text === '') return
    this.#timer = setTimeout(() => this.#flush(), interval)
    this.#timer.unref()
    this.#write({ type: 'message_partial', message_id: this.#messageId, text: this.#text })
    this.#text = ''
  }
}
