/**
 * A text that comes in very small pieces. Added one by one, the engine keeps a node for each of them, many times as large as
 * its character, for as long as the text lives.
 */
export class LongText {
  #whole = ''
  #recent = ''

  get length(): number {
    return this.#whole.length + this.#recent.length
  }

  add(text: string): void {
    this.#recent += text
    if (this.#recent.length >= enough) this.#fold()
  }

  clear(): void {
    this.#whole = this.#recent = ''
  }

  toString(): string {
    this.#fold()
    return this.#whole
  }

  #fold(): void {
    // To look at a character makes one string of the pieces.
    this.#recent.charCodeAt(0)
    this.#whole += this.#recent
    this.#recent = ''
  }
}

/** Characters that are kept in pieces. */
const enough = 256
