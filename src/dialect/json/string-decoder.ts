/** A JSON string, decoded while it arrives. Fed from after its opening quote, one UTF-16 unit at a time. */

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

export class StringDecoder {
  /** An escape that is not complete. */
  #escape = ''
  /** The first half of a character of two units: a face must never be given half a character. */
  #half = ''

  /** The text that is known now (often empty), or `end` at the closing quote. */
  feed(char: string): string | 'end' {
    if (this.#escape !== '') return this.#feedEscape(char)
    if (char === '"') return 'end'
    if (char !== '\\') return this.#whole(char)
    this.#escape = char
    return ''
  }

  #feedEscape(char: string): string {
    this.#escape += char
    if (!this.#escape.startsWith('\\u')) return this.#decoded(ESCAPES[char] ?? char)
    if (this.#escape.length < 6) return ''
    return this.#decoded(String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16)))
  }

  #decoded(char: string): string {
    this.#escape = ''
    return this.#whole(char)
  }

  #whole(char: string): string {
    const text = this.#half + char
    this.#half = /[\ud800-\udbff]$/.test(text) ? char : ''
    return this.#half === '' ? text : text.slice(0, -1)
  }
}
