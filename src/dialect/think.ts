/**
 * Models that think although thinking is off write `<think>…</think>` at the start of their text: told apart here from
 * the answer. Only the start counts: later the tag is something the answer talks about.
 */
import { Trimmed } from './trimmed.ts'

const OPENER = '<think>'
const CLOSER = '</think>'

export class ThinkSplit {
  readonly #onThinking: (text: string) => void
  readonly #onText: (char: string) => void
  #state: 'start' | 'thinking' | 'gap' | 'text' = 'start'
  /** White space at the start, and what may become a tag. */
  #space = ''
  #held = ''
  readonly #thoughts = new Trimmed()

  /** `onText` gets the text one character at a time. */
  constructor(onThinking: (text: string) => void, onText: (char: string) => void) {
    this.#onThinking = onThinking
    this.#onText = onText
  }

  feed(char: string): void {
    switch (this.#state) {
      case 'start':
        this.#feedStart(char)
        return
      case 'thinking':
        this.#held += char
        if (this.#held === CLOSER) this.#enter('gap')
        else this.#releaseThinking()
        return
      case 'gap':
        if (char.trim() === '') return
        this.#state = 'text'
        this.#onText(char)
        return
      case 'text':
        this.#onText(char)
    }
  }

  /** Hands on what is held: no tag was completed. */
  finish(): void {
    const held = this.#space + this.#held
    this.#space = this.#held = ''
    const thinking = this.#state === 'thinking'
    if (!thinking) this.#state = 'text'
    for (const char of held.split('')) {
      if (thinking) this.#think(char)
      else this.#onText(char)
    }
  }

  #feedStart(char: string): void {
    if (this.#held === '' && char.trim() === '') {
      this.#space += char
      return
    }
    this.#held += char
    if (this.#held === OPENER) this.#enter('thinking')
    else if (!OPENER.startsWith(this.#held)) this.finish()
  }

  #think(char: string): void {
    this.#onThinking(this.#thoughts.feed(char))
  }

  #enter(state: 'thinking' | 'gap'): void {
    this.#state = state
    this.#space = this.#held = ''
  }

  #releaseThinking(): void {
    while (this.#held !== '' && !CLOSER.startsWith(this.#held)) {
      this.#think(this.#held.charAt(0))
      this.#held = this.#held.slice(1)
    }
  }
}
