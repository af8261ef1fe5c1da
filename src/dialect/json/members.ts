/** One JSON object, read while it arrives: strings as they grow, the objects of one list as they are complete. */
import { Balance, type Step } from '../rescue/balance.ts'
import { StringDecoder } from './string-decoder.ts'

export interface MemberHandler {
  /** The member whose value is a list of objects; other lists are passed over. */
  readonly list: string
  /** A further piece of a string member. */
  onText(key: string, text: string): void
  /** A whole object of the list, as written. */
  onElement(written: string): void
}

type State = 'key' | 'colon' | 'value' | 'string' | 'list' | 'element' | 'nested' | 'bare'

export class Members {
  readonly #handler: MemberHandler
  #state: State = 'key'
  #key = ''
  #strings: StringDecoder | undefined
  #brackets: Balance | undefined
  #element = ''

  constructor(handler: MemberHandler) {
    this.#handler = handler
  }

  /** True inside an object of the list: a call that is not complete. */
  get inElement(): boolean {
    return this.#state === 'element'
  }

  /** Fed from after the opening brace; `end` at the closing one. */
  feed(char: string): Step {
    switch (this.#state) {
      case 'key':
        return this.#feedKey(char)
      case 'colon':
        return this.#expect(char, ':', 'value')
      case 'value':
        return this.#startValue(char)
      case 'string':
        return this.#feedString(char)
      case 'list':
        return this.#feedList(char)
      case 'element':
      case 'nested':
        return this.#feedBrackets(char)
      case 'bare':
        return this.#feedBare(char)
    }
  }

  #feedKey(char: string): Step {
    if (this.#strings) {
      const text = this.#strings.feed(char)
      if (text !== 'end') this.#key += text
      else this.#to('colon')
      return 'more'
    }
    if (char === '}') return 'end'
    if (char === '"') {
      this.#key = ''
      this.#strings = new StringDecoder()
      return 'more'
    }
    return char === ',' || isSpace(char) ? 'more' : 'never'
  }

  #startValue(char: string): Step {
    if (isSpace(char)) return 'more'
    if (char === '"') {
      this.#to('string')
      this.#strings = new StringDecoder()
    } else if (char === '[' && this.#key === this.#handler.list) this.#to('list')
    else if (char === '[' || char === '{') this.#open('nested', char)
    else this.#to('bare')
    return 'more'
  }

  #feedString(char: string): Step {
    const text = this.#strings?.feed(char) ?? 'end'
    if (text === 'end') this.#to('key')
    else if (text !== '') this.#handler.onText(this.#key, text)
    return 'more'
  }

  #feedList(char: string): Step {
    if (char === '{') this.#open('element', char)
    else if (char === ']') this.#to('key')
    else if (char !== ',' && !isSpace(char)) return 'never'
    return 'more'
  }

  #feedBrackets(char: string): Step {
    const isElement = this.inElement
    if (isElement) this.#element += char
    const step = this.#brackets?.feed(char) ?? 'never'
    if (step !== 'end') return step
    this.#to(isElement ? 'list' : 'key')
    if (isElement) this.#handler.onElement(this.#element)
    return 'more'
  }

  #feedBare(char: string): Step {
    if (char !== ',' && char !== '}') return 'more'
    this.#to('key')
    return this.#feedKey(char)
  }

  #open(state: 'element' | 'nested', char: string): void {
    this.#to(state)
    this.#element = char
    this.#brackets = new Balance()
    this.#brackets.feed(char)
  }

  #expect(char: string, wanted: string, next: State): Step {
    if (char === wanted) this.#to(next)
    return char === wanted || isSpace(char) ? 'more' : 'never'
  }

  #to(state: State): void {
    this.#state = state
    this.#strings = undefined
  }
}

function isSpace(char: string): boolean {
  return char.trim() === ''
}
