/** A text that grows, without the white space around it: white space is let through only before more text. */
export class Trimmed {
  #space = ''
  #begun = false

  /** What this character lets through. */
  feed(char: string): string {
    this.#space += char
    if (char.trim() === '') return ''
    const through = this.#begun ? this.#space : this.#space.trimStart()
    this.#begun = true
    this.#space = ''
    return through
  }
}
