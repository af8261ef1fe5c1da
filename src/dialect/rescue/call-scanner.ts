/**
 * Follows one call written as text, from its first character to the one that completes it. Every notation is a head
 * of words and markers (`[TOOL_CALLS]f[ARGS]`, `<|channel|>commentary to=functions.f`, `Action: f`, nothing at all)
 * and a body: a bracketed value, or elements. So one scanner knows where any call ends; `read-block.ts` says what it is.
 */
import type { WireTool } from '../../protocol/wire.ts'
import { findTool } from '../matching.ts'
import { Balance, type Step } from './balance.ts'
import { Elements } from './elements.ts'
import { createDataJudge } from './interpret.ts'
import { CALL_MARKERS } from './openers.ts'

/** `name` comes from the head. `from` is where the body starts in the text that was fed. */
export interface Block {
  form: 'value' | 'python' | 'elements' | 'named elements'
  name: string | undefined
  from: number
}

export interface ScanOptions {
  tools: readonly WireTool[]
  /** The head may have words: the text before said that a call comes. */
  words: boolean
  /** The name in the head must be a tool's. */
  knownOnly: boolean
  /** The body may be any data: release it as soon as its keys say so. `undefined`: a call was announced. */
  data?: { knownOnly: boolean }
}

/** Words of a head that are not the tool's name. */
const NOISE_WORDS = new Set(
  (
    'function functions functools json assistant commentary analysis action action: input: tool_code code call ' +
    '动作 行动 动作输入 行动输入 输入'
  ).split(' '),
)
/** What surrounds the name in some heads: `to=functions.f`, `call:f`, `f:0`, `**f**`. */
const NAME_TRIMMINGS = /^(?:\*+|to=|call:|(?:action|动作|行动)[:：])+|:\d+$|\*+$/gi
const BRACKET_MARKERS = [
  ...['[tool_calls]', '[/tool_calls]', '[tool_call]', '[/tool_call]', '[args]', '[call_id]', '[tool]'],
  ...['[tool_request]', '[end_tool_request]'],
]
const FENCE_SO_FAR = /^(?:`{1,2}|`{3,}[a-z0-9_]{0,20})$/i
/** What models call a fence that holds a call. Code in one of these shows at its first word what it is. */
const FENCE =
  /^`{3,}(?:json[5cl]?|xml|html|tool_(?:code|calls?|use)|tools?|function(?:_calls?)?|call|javascript|js|python3?|py|bash|sh|shell|console|te?xt|plaintext|yaml)?$/i
const isTagSoFar = (token: string) => /^<\/?(?:[\p{L}_|｜][^<]*)?$/u.test(token)
/** Where a model begins to write the tool's answer itself. */
const RESULT_TAG = /^<[|｜]?(?:tool|function)[_▁]?(?:calls?[_▁])?(?:response|result|output)s?/i
const RESULT_WORD = /^(?:to=assistant$|\**observation\b|\**观察(?:结果)?[:：])/i
const FUNCTION_TAG = /^<(?:function|invoke)(?:\s*=\s*|\s+name\s*=\s*)["']?([^"'>]+?)["']?\s*>$/i
const TOOL_TAG = /^<([\p{L}_][\p{L}\p{N}_-]*)(\s[^<]*?)?(\/?)>$/u
const isListSoFar = (token: string) => /^\[\s*(?:[\p{L}_][^\s()[\]{}<>"'`,;:]*)?$/u.test(token)
const LIST_OF_CALLS = /^\[\s*([^\s()]+)\($/
/** Longer heads do not exist; it also bounds what prose that mentions a marker is held back for. */
const MAX_HEAD = 300

export class CallScanner {
  readonly #options: ScanOptions
  #length = 0
  /** The word, tag, bracket marker or fence that is being read. */
  #token = ''
  #name: string | undefined
  #words: boolean
  /** The next word is a call's id. */
  #skipWord = false
  #settled = 0
  #block: Block | undefined
  #body: Balance | Elements | undefined
  #isData = false
  #imagined = false

  constructor(options: ScanOptions) {
    this.#options = options
    this.#words = options.words
  }

  /** Set once the body has begun. */
  get block(): Block | undefined {
    return this.#block
  }

  /** Characters of the head up to its last marker. */
  get settled(): number {
    return this.#settled
  }

  /** True while no word has come, nothing but markers and white space. */
  get idle(): boolean {
    return !this.#block && this.#name === undefined && /^[<[`]|^$/.test(this.#token)
  }

  /** The brackets of a body that turned out to be data, for following it to its end. */
  get dataBrackets(): Balance | undefined {
    return this.#isData && this.#body instanceof Balance ? this.#body : undefined
  }

  /** True when the text may end here: every element that was opened is closed. */
  get whole(): boolean {
    return this.#body instanceof Elements && this.#body.whole
  }

  /** True when the text goes on with a tool's answer that the model made up. */
  get imagined(): boolean {
    return this.#imagined
  }

  /** True inside a string of the body: nothing that stands there is a label or a marker. */
  get inString(): boolean {
    return this.#body instanceof Balance && this.#body.inString
  }

  feed(char: string): Step {
    this.#length++
    if (!this.#body) return this.#length > MAX_HEAD ? 'never' : this.#feedHead(char)
    const step = this.#body.feed(char)
    return this.#isData ? 'never' : step
  }

  #feedHead(char: string): Step {
    switch (this.#token[0]) {
      case undefined:
        return this.#startToken(char)
      case '<':
        return this.#feedTag(char)
      case '[':
        return this.#feedBracket(char)
      case '`':
        return this.#feedFence(char)
      default:
        return this.#feedWord(char)
    }
  }

  #startToken(char: string): Step {
    if (char === '{') return this.#startValue(char)
    if (char === '"' || char === "'" || char === '(') return 'never'
    if (/[\s;,]/.test(char)) return 'more'
    if (/[}\])]/.test(char)) return this.#name === undefined ? this.#marker() : 'never'
    if (!/[<[`]/.test(char) && !this.#words) return 'never'
    this.#token = char
    return 'more'
  }

  #marker(text = ''): Step {
    this.#token = ''
    if (RESULT_TAG.test(text)) return this.#imagine()
    if (CALL_MARKERS.includes(text.toLowerCase())) this.#name = undefined
    if (this.#name === undefined) this.#settled = this.#length
    return 'more'
  }

  #feedTag(char: string): Step {
    this.#token += char
    if (!isTagSoFar(this.#token)) return 'never'
    if (char !== '>' || /=\s*(?:"[^"]*|'[^']*)$/.test(this.#token)) return 'more'
    const tag = this.#token
    const name = FUNCTION_TAG.exec(tag)?.[1]
    if (name !== undefined) {
      this.#name = name
      return this.#start('elements', new Elements(), '')
    }
    const named = this.#feedNamedTag(tag)
    if (named) return named
    if (/^<arg_key>$/i.test(tag) && this.#name !== undefined)
      return this.#start('elements', new Elements(), tag)
    if (/^<\/tool_call>$/i.test(tag) && this.#name !== undefined) return this.#callWithoutBody()
    this.#words = true
    return this.#marker(tag)
  }

  /** `<read>`, `<read path="a"/>`, and `<path>` after the name of a tool that has such a parameter. */
  #feedNamedTag(tag: string): Step | undefined {
    const [, word = '', attributes = '', closed = ''] = TOOL_TAG.exec(tag) ?? []
    const wanted = word.toLowerCase()
    const isTool = ({ function: { name } }: WireTool) => name.toLowerCase() === wanted
    const tool = this.#name === undefined ? this.#options.tools.find(isTool) : undefined
    if (tool) {
      this.#name = tool.function.name
      this.#start('named elements', new Elements(this.#name), '', attributes === '' ? 0 : tag.length)
      return closed === '' ? 'more' : 'end'
    }
    const named = this.#name === undefined ? undefined : findTool(this.#name, this.#options.tools)
    if (!named || attributes !== '' || !Object.hasOwn(named.function.parameters.properties, word))
      return undefined
    return this.#start('named elements', new Elements(named.function.name), tag)
  }

  /** GLM writes a call of a tool that takes nothing as its name alone. */
  #callWithoutBody(): Step {
    if (this.#name === undefined || !findTool(this.#name, this.#options.tools)) return 'never'
    this.#start('elements', new Elements(), '')
    return 'end'
  }

  #feedBracket(char: string): Step {
    const token = this.#token + char
    const marker = token.toLowerCase()
    if (BRACKET_MARKERS.includes(marker)) {
      this.#skipWord = marker === '[call_id]'
      this.#words = true
      return this.#marker(token)
    }
    this.#token = token
    if (isListSoFar(token) || BRACKET_MARKERS.some(known => known.startsWith(marker))) return 'more'
    const name = LIST_OF_CALLS.exec(token)?.[1]
    const isList = name === undefined ? /^\[\s*[{\]]$/.test(token) : this.#mayCall(name)
    return isList ? this.#startValue(token) : 'never'
  }

  #feedFence(char: string): Step {
    if (FENCE_SO_FAR.test(this.#token + char)) {
      this.#token += char
      return 'more'
    }
    if (!FENCE.test(this.#token)) return 'never'
    this.#words = /tool_code$/i.test(this.#token)
    this.#marker()
    return this.#feedHead(char)
  }

  #feedWord(char: string): Step {
    if (!/[\s{}()[\]<`"';]/.test(char)) {
      this.#token += char
      return 'more'
    }
    const word = this.#token
    this.#token = ''
    if (char === '(') return this.#startPython(word)
    return this.#takeWord(word) ? this.#feedHead(char) : 'never'
  }

  #imagine(): 'never' {
    this.#imagined = true
    return 'never'
  }

  #takeWord(word: string): boolean {
    if (RESULT_WORD.test(word)) this.#imagined = true
    if (this.#imagined) return false
    const name = word.replace(NAME_TRIMMINGS, '')
    if (this.#skipWord || name === '' || NOISE_WORDS.has(name.toLowerCase().replace(/：$/, ''))) {
      this.#skipWord = false
      return true
    }
    if (this.#name !== undefined || /[:：]$/.test(name)) return false
    this.#name = name
    return this.#mayCall(name)
  }

  #mayCall(name: string): boolean {
    return !this.#options.knownOnly || findTool(name, this.#options.tools) !== undefined
  }

  #startPython(word: string): Step {
    if (this.#name !== undefined || (word !== 'print' && !this.#mayCall(word))) return 'never'
    return this.#start('python', new Balance(), '(', word.length)
  }

  #startValue(text: string): Step {
    const { data, tools } = this.#options
    if (!data || this.#name !== undefined) return this.#start('value', new Balance(), text)
    const isData = createDataJudge(tools, data)
    const body = new Balance((key, value) => {
      if (isData(key, value)) this.#isData = true
    })
    return this.#start('value', body, text)
  }

  /** `text` is what has been read of the body; the `before` characters in front of it belong to it too. */
  #start(form: Block['form'], body: Balance | Elements, text: string, before = 0): Step {
    this.#body = body
    this.#block = { form, name: this.#name, from: this.#length - text.length - before }
    let step: Step = 'more'
    for (const char of text) step = body.feed(char)
    return step
  }
}
