/**
 * Calls whose arguments are elements: `<parameter=k>v</parameter>` (qwen3-coder), `<parameter name="k">v</parameter>`,
 * and GLM's `<arg_key>k</arg_key><arg_value>v</arg_value>`. Values are raw text.
 */
import { Balance, type Step } from './balance.ts'

const PARAMETER = /<parameter(?:\s*=\s*|\s+name\s*=\s*)["']?([^"'>]+)["']?\s*>([\s\S]*?)<\/parameter>/g
const ARGUMENT = /<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g
const OPENER = /^<(parameter|arg_key|arg_value)\b/
const CLOSER = /^<\/(function|invoke|tool_call)\s*>$/
/** No tag of these notations is longer. */
const MAX_TAG = 200

/** Follows the elements of one call until the tag that closes the call. */
export class Elements {
  /** The closing tag of the element we are in; empty between elements. */
  #closer = ''
  #tail = ''
  #tag = ''
  /** The arguments stand as one JSON object instead: `<function=f>{…}`. */
  #json: Balance | undefined
  #any = false

  /** True between elements: what has come so far is whole. */
  get whole(): boolean {
    return this.#closer === '' && this.#tag === '' && !this.#json && this.#any
  }

  feed(char: string): Step {
    if (this.#json) return this.#json.feed(char)
    if (this.#closer !== '') {
      this.#tail = (this.#tail + char).slice(-this.#closer.length)
      if (this.#tail === this.#closer) this.#closer = ''
      return 'more'
    }
    if (this.#tag !== '') return this.#inTag(char)
    if (char === '<') this.#tag = char
    else if (char === '{' && !this.#any) return this.#startJson(char)
    else if (char.trim() !== '') return 'never'
    return 'more'
  }

  #startJson(char: string): Step {
    this.#json = new Balance()
    return this.#json.feed(char)
  }

  #inTag(char: string): Step {
    this.#tag += char
    if (char !== '>') return this.#tag.length > MAX_TAG || char === '<' ? 'never' : 'more'
    const tag = this.#tag
    this.#tag = ''
    if (CLOSER.test(tag)) return 'end'
    const element = OPENER.exec(tag)?.[1]
    if (element) {
      this.#any = true
      this.#tail = ''
      this.#closer = `</${element}>`
    }
    return element || tag.startsWith('</') ? 'more' : 'never'
  }
}

/** The arguments of a text that `Elements` has followed to its end. One line break inside each tag is layout. */
export function readElements(text: string): Record<string, unknown> {
  const pairs = [...text.matchAll(PARAMETER), ...text.matchAll(ARGUMENT)]
  return Object.fromEntries(
    pairs.map(([, key = '', value = '']) => [key.trim(), value.replace(/^\r?\n/, '').replace(/\r?\n$/, '')]),
  )
}
