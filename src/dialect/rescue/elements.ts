/**
 * Calls whose arguments are elements: `<parameter=k>v</parameter>` (qwen3-coder), `<parameter name="k">v</parameter>`,
 * GLM's `<arg_key>k</arg_key><arg_value>v</arg_value>`, and `<read><path>a</path></read>` or `<read path="a"/>`, where a
 * tag is named after what it holds. Values are raw text.
 */
import { Balance, type Step } from './balance.ts'

const OPENER = /^<(parameter|arg_key|arg_value)\b/i
const NAMED_OPENER = /^<([\p{L}_][\p{L}\p{N}_-]*)>$/u
const CLOSERS = ['function', 'invoke', 'tool_call', 'tool_use', 'function_call']
/** No tag of these notations is longer. */
const MAX_TAG = 200

/** Follows the elements of one call until the tag that closes the call. */
export class Elements {
  /** The tool's own tag, where tags are named after what they hold. */
  readonly #named: string | undefined
  /** The closing tag of the element we are in; empty between elements. */
  #closer = ''
  #tail = ''
  #tag = ''
  /** The arguments stand as one JSON object instead: `<function=f>{…}`. */
  #json: Balance | undefined
  #any = false

  constructor(named?: string) {
    this.#named = named?.toLowerCase()
  }

  /** True between elements: what has come so far is whole. */
  get whole(): boolean {
    return this.#closer === '' && this.#tag === '' && !this.#json && this.#any
  }

  feed(char: string): Step {
    if (this.#json) return this.#json.feed(char)
    if (this.#closer !== '') {
      this.#tail = (this.#tail + char).slice(-this.#closer.length)
      if (this.#tail.toLowerCase() === this.#closer) this.#closer = ''
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
    const closed = /^<\/([^\s>]+)\s*>$/.exec(tag)?.[1]?.toLowerCase()
    if (closed !== undefined && (CLOSERS.includes(closed) || closed === this.#named)) return 'end'
    const element = (this.#named === undefined ? OPENER : NAMED_OPENER).exec(tag)?.[1]
    if (element) {
      this.#any = true
      this.#tail = ''
      this.#closer = `</${element.toLowerCase()}>`
    }
    return element || closed !== undefined ? 'more' : 'never'
  }
}

const TAG = /<(?:parameter(?:\s*=\s*|\s+name\s*=\s*)["']?([^"'>]{1,100})["']?\s*|(arg_key))>/giy
const VALUE = /\s*<arg_value>/iy
const NAMED_TAG = /<([\p{L}_][\p{L}\p{N}_-]*)>/uy
const ATTRIBUTE = /([\p{L}_][\p{L}\p{N}_-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/gu

/**
 * The arguments of a text that `Elements` has followed to its end. One line break inside each tag is layout. `named`:
 * tags are named after what they hold, and the first may be the tool's own, with attributes.
 */
export function readElements(text: string, { named = false } = {}): Record<string, unknown> {
  const pairs: [string, string][] = []
  const own = named ? /^<[^\s>]+\s([^<]*)>/.exec(text) : null
  for (const [, key = '', double, single] of own?.[1]?.matchAll(ATTRIBUTE) ?? [])
    pairs.push([key, double ?? single ?? ''])
  const lower = text.toLowerCase()
  let at = own?.[0].length ?? 0
  for (at = text.indexOf('<', at); at >= 0; at = text.indexOf('<', at)) {
    const read = readElement({ text, lower, at, named })
    if (read === 'open') break
    if (read) pairs.push([read.key, read.value.replace(/^\r?\n/, '').replace(/\r?\n$/, '')])
    at = read?.end ?? at + 1
  }
  return Object.fromEntries(pairs)
}

interface Spot {
  text: string
  lower: string
  at: number
  named: boolean
}

/** `open`: an element that nothing closes. */
function readElement(spot: Spot): { key: string; value: string; end: number } | 'open' | undefined {
  const { text, lower, at, named } = spot
  const tag = exec(named ? NAMED_TAG : TAG, text, at)
  if (!tag) return undefined
  const upTo = (closer: string, from: number) => {
    const end = lower.indexOf(closer, from)
    return end < 0 ? undefined : { value: text.slice(from, end), end: end + closer.length }
  }
  const from = at + tag[0].length
  const [, key = '', argument] = tag
  if (named) {
    const value = upTo(`</${key.toLowerCase()}>`, from)
    return value ? { key, ...value } : 'open'
  }
  if (argument === undefined) {
    const value = upTo('</parameter>', from)
    return value ? { key: key.trim(), ...value } : 'open'
  }
  const name = upTo('</arg_key>', from)
  const opener = name && exec(VALUE, text, name.end)
  const value = opener && upTo('</arg_value>', name.end + opener[0].length)
  return value ? { key: name.value.trim(), ...value } : name ? undefined : 'open'
}

function exec(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
