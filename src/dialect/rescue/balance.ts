/**
 * Finds the end of a bracketed text while it arrives, one character at a time: `{…}`, `[…]`, `(…)` with strings in it.
 * What it remembers does not grow with the text, so a call of any size is followed in linear time.
 */
import { CLOSING_QUOTES, GEMMA_QUOTES } from './lenient-json.ts'

/** `end`: this character closes it. `never`: it cannot become one any more. */
export type Step = 'more' | 'end' | 'never'

/** Hears each key of the outermost object, and its value when that is a string and has ended. */
export type SeenField = (key: string, value: string | undefined) => void

const CLOSERS: Record<string, string> = { '{': '}', '[': ']', '(': ')' }
/** Longer keys and names are of no interest to anybody. */
const MAX_WORD = 200

export class Balance {
  readonly #seen: SeenField | undefined
  readonly #closers: string[] = []
  /** What ends the string we are in; empty outside. */
  #quote = ''
  #escaped = false
  /** The last characters of the string, as many as its quote has. */
  #tail = ''
  #stringIsEmpty = false
  /** An empty string has just ended with this quote: one more makes it a triple one. */
  #emptied = ''
  /** A `<…` outside of strings, which may become one of Gemma's quotes. */
  #mark = ''
  /** The comment that we are in, by what it began with; `/` is half a beginning. */
  #comment: '' | '/' | '//' | '/*' | '/**' = ''
  #key = ''
  #word = ''
  #wordIsString = false

  /** `seen` is told of the outermost object's fields, or of those of every object in an outermost array. */
  constructor(seen?: SeenField) {
    this.#seen = seen
  }

  get inString(): boolean {
    return this.#quote !== ''
  }

  feed(char: string): Step {
    if (this.#quote !== '') return this.#inString(char)
    if (this.#mark !== '' || char === '<') return this.#inMark(char)
    if (this.#comment !== '' && this.#inComment(char)) return 'more'
    if (char === '/' || char === '#') return this.#startComment(char)
    const emptied = this.#emptied
    this.#emptied = ''
    const quote = CLOSING_QUOTES[char]
    if (quote !== undefined) return this.#open(char === emptied ? char.repeat(3) : quote)
    const closer = CLOSERS[char]
    if (closer !== undefined) {
      this.#closers.push(closer)
      this.#word = ''
      return 'more'
    }
    if (char === '}' || char === ']' || char === ')') return this.#close(char)
    if (this.#watching) this.#between(char)
    return 'more'
  }

  #open(quote: string): Step {
    this.#quote = quote
    this.#tail = ''
    this.#stringIsEmpty = true
    this.#word = ''
    this.#wordIsString = true
    return 'more'
  }

  #inString(char: string): Step {
    if (this.#escaped) {
      this.#escaped = false
    } else if (char === '\\' && !GEMMA_QUOTES.includes(this.#quote)) {
      this.#escaped = true
      this.#tail = ''
    } else {
      this.#tail = (this.#tail + char).slice(-this.#quote.length)
      if (this.#tail === this.#quote) {
        this.#emptied = this.#stringIsEmpty && this.#quote.length === 1 ? char : ''
        this.#quote = ''
        return 'more'
      }
    }
    this.#stringIsEmpty = false
    if (this.#watching && this.#word.length < MAX_WORD) this.#word += char
    return 'more'
  }

  #startComment(char: string): Step {
    this.#comment = char === '#' ? '//' : '/'
    return 'more'
  }

  /** False where the slash began no comment: the character is still to be read. */
  #inComment(char: string): boolean {
    switch (this.#comment) {
      case '/':
        this.#comment = char === '/' ? '//' : char === '*' ? '/*' : ''
        return this.#comment !== ''
      case '//':
        if (char === '\n') this.#comment = ''
        return true
      case '/*':
        if (char === '*') this.#comment = '/**'
        return true
      default:
        if (char !== '*') this.#comment = char === '/' ? '' : '/*'
        return true
    }
  }

  #inMark(char: string): Step {
    this.#mark += char
    if (!GEMMA_QUOTES.some(quote => quote.startsWith(this.#mark))) return 'never'
    if (!GEMMA_QUOTES.includes(this.#mark)) return 'more'
    const quote = this.#mark
    this.#mark = ''
    return this.#open(quote)
  }

  #close(char: string): Step {
    if (this.#watching) this.#fieldEnds()
    if (this.#closers.pop() !== char) return 'never'
    return this.#closers.length === 0 ? 'end' : 'more'
  }

  /** A character of the watched object that stands outside of strings and brackets. */
  #between(char: string): void {
    if (char === ':' || char === '：') {
      this.#key = this.#word
      this.#seen?.(this.#key, undefined)
      this.#startWord()
    } else if (char === ',' || char === '，') {
      this.#fieldEnds()
      this.#startWord()
    } else if (char.trim() !== '' && !this.#wordIsString && this.#word.length < MAX_WORD) {
      this.#word += char
    }
  }

  #startWord(): void {
    this.#word = ''
    this.#wordIsString = false
  }

  #fieldEnds(): void {
    if (this.#wordIsString && this.#key !== '') this.#seen?.(this.#key, this.#word)
    this.#key = ''
  }

  get #watching(): boolean {
    const depth = this.#closers[0] === '}' ? 1 : 2
    return this.#seen !== undefined && this.#closers.length === depth && this.#closers[depth - 1] === '}'
  }
}
