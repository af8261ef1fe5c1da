/**
 * Models that think although thinking is off write `<think>…</think>` at the start of their text: told apart here from
 * the answer. Only the start counts: later the tag is something the answer talks about. Where a template wrote the
 * opening tag, a closing one comes alone: what came before the first was the thought, if the tag ends a sentence or line.
 */
import { Trimmed } from './trimmed.ts'

const OPENER = '<think>'
const CLOSER = '</think>'

const SENTENCE_END = /[\n.!?…。！？]/

export interface ThinkHandler {
  thinking(text: string): void
  /** The text, one character at a time. */
  text(char: string): void
  /** All text so far was a thought. */
  stray(): void
}

export class ThinkSplit {
  readonly #handler: ThinkHandler
  #state: 'start' | 'thinking' | 'gap' | 'text' = 'start'
  /** The end of the text so far, as long as the closing tag and what may stand around it. */
  #tail = ''
  #mayBeStray = true
  /** In a code block, and how many backticks have come. */
  #inCode = false
  #ticks = 0
  /** White space at the start, and what may become a tag. */
  #space = ''
  #held = ''
  readonly #thoughts = new Trimmed()

  constructor(handler: ThinkHandler) {
    this.#handler = handler
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
        this.#text(char)
        return
      case 'text':
        this.#text(char)
    }
  }

  #text(char: string): void {
    this.#handler.text(char)
    if (!this.#mayBeStray) return
    this.#ticks = char === '`' ? this.#ticks + 1 : 0
    if (this.#ticks === 3) this.#inCode = !this.#inCode
    if (this.#inCode) return
    this.#tail = (this.#tail + char).slice(-CLOSER.length - 2)
    const isAfterSentence =
      this.#tail.endsWith(CLOSER) && SENTENCE_END.test(this.#tail.at(-CLOSER.length - 1) ?? '\n')
    if (isAfterSentence || this.#tail.endsWith(`${CLOSER}\n`)) this.#endStray()
  }

  #endStray(): void {
    this.#mayBeStray = false
    this.#handler.stray()
    this.#enter('gap')
  }

  /** Hands on what is held: no tag was completed. */
  finish(): void {
    const held = this.#space + this.#held
    this.#space = this.#held = ''
    const thinking = this.#state === 'thinking'
    if (!thinking) this.#state = 'text'
    if (this.#mayBeStray && !this.#inCode && this.#tail.endsWith(CLOSER)) this.#endStray()
    for (const char of held.split('')) {
      if (thinking) this.#think(char)
      else this.#text(char)
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
    this.#handler.thinking(this.#thoughts.feed(char))
  }

  #enter(state: 'thinking' | 'gap'): void {
    if (state === 'thinking') this.#mayBeStray = false
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
