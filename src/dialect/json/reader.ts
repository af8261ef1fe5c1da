/**
 * The text of a reply in the json dialect. The words stream as they are decoded; each call is handed on when its object
 * closes. A server that ignores `format` lets the model answer as it likes: such a reply is read as plain text.
 */
import type { EndReason, WireTool } from '../../protocol/wire.ts'
import type { ParsedCall, Unreadable } from '../dialect.ts'
import { isRecord, matchCall } from '../matching.ts'
import type { Show, TextReader } from '../reply.ts'
import { type Found, interpretJson } from '../rescue/interpret.ts'
import { readWholeJson } from '../rescue/lenient-json.ts'
import { Rescue } from '../rescue/rescue.ts'
import { CALL_ARGUMENTS, CALL_NAME, CALLS, KIND, TEXT } from './form.ts'
import { Members } from './members.ts'

/** What may stand before the object: white space, and the fence that some models cannot leave away. */
const BEFORE_OBJECT = /^\s*(?:`{1,2}|`{3}[a-z]*\s*)?$/
/** More white space than this is a model that has lost its way. */
const MAX_BEFORE = 200

export class JsonReader implements TextReader {
  readonly #tools: readonly WireTool[]
  readonly #show: Show
  readonly #members: Members
  readonly #prose: Rescue
  readonly #calls: ParsedCall[] = []
  #problem: Unreadable | undefined
  #state: 'before' | 'object' | 'prose' | 'over' = 'before'
  #held = ''
  /** The object as written, for replies in a form of their own. */
  #written = ''
  #kind = ''
  #text = ''
  #surplus = 0

  constructor(tools: readonly WireTool[], show: Show) {
    this.#tools = tools
    this.#show = show
    this.#prose = new Rescue(tools, text => show('text', text))
    this.#members = new Members({
      onText: (key, text) => this.#takeText(key, text),
      list: CALLS,
      onElement: written => this.#takeElement(written),
    })
  }

  get calls(): readonly ParsedCall[] {
    return this.#state === 'prose' ? this.#prose.calls : this.#calls
  }

  get problem(): Unreadable | undefined {
    return this.#problem ?? this.#prose.problem
  }

  get done(): boolean {
    return this.#state === 'over' || this.#prose.done
  }

  get surplus(): number {
    return this.#surplus + this.#prose.surplus
  }

  feed(char: string): void {
    if (this.#state === 'before') this.#feedBefore(char)
    else if (this.#state === 'object') this.#feedObject(char)
    else if (this.#state === 'prose') this.#prose.feed(char)
    else this.#surplus++
  }

  finish(end: EndReason | 'cut'): void {
    if (this.#state === 'before') this.#startProse()
    if (this.#state === 'prose') this.#prose.finish(end)
    else if (this.#state === 'object') this.#finishObject(end)
  }

  #finishObject(end: EndReason | 'cut'): void {
    if (this.#members.inElement) this.#fail(end === 'stop' ? UNFINISHED : CUT)
    else if (end === 'stop') this.#judge()
  }

  release(): void {
    if (this.#state === 'before') this.#startProse()
    this.#prose.release()
  }

  #feedBefore(char: string): void {
    this.#held += char
    if (char === '{') {
      this.#state = 'object'
      this.#written = char
    } else if (this.#held.length > MAX_BEFORE || !BEFORE_OBJECT.test(this.#held)) this.#startProse()
  }

  #startProse(): void {
    this.#state = 'prose'
    for (const char of this.#held.split('')) this.#prose.feed(char)
  }

  #feedObject(char: string): void {
    this.#written += char
    const step = this.#members.feed(char)
    if (step === 'more') return
    this.#state = 'over'
    const saidNothing = this.#text === '' && this.#calls.length === 0
    if (step === 'never' && (saidNothing || this.#members.inElement)) this.#fail(UNFINISHED)
    else this.#judge()
  }

  #takeText(key: string, text: string): void {
    if (key === KIND) this.#kind += text
    if (key !== TEXT) return
    this.#text += text
    this.#show('text', text)
  }

  #takeElement(written: string): void {
    if (!this.#problem) this.#take(readCall(written, this.#tools))
  }

  /** The object is over: has it said anything? */
  #judge(): void {
    if (this.#calls.length > 0 || this.#problem) return
    if (this.#kind === 'call') this.#fail(NO_CALLS)
    else if (this.#text === '') this.#judgeOwnForm()
  }

  #judgeOwnForm(): void {
    const value = readWholeJson(this.#written)
    if (value.ok) this.#take(interpretJson(value.value, this.#tools))
    if (this.#calls.length === 0) this.#fail(NO_FORM)
  }

  #take({ calls, problem }: Found): void {
    this.#calls.push(...calls)
    this.#problem ??= problem
  }

  #fail(problem: Unreadable): void {
    this.#problem ??= problem
  }
}

function readCall(written: string, tools: readonly WireTool[]): Found {
  const json = readWholeJson(written)
  const call = json.ok && isRecord(json.value) ? json.value : {}
  const { [CALL_NAME]: name, [CALL_ARGUMENTS]: args } = call
  if (typeof name !== 'string' || !isRecord(args)) return { calls: [], problem: NO_CALL }
  const matched = matchCall(name, args, tools)
  return 'call' in matched ? { calls: [matched.call] } : { calls: [], problem: matched.problem }
}

const UNFINISHED: Unreadable = { kind: 'bad_json', detail: 'The reply is not one complete JSON object.' }
const CUT: Unreadable = {
  kind: 'cut',
  detail: 'The reply was cut off inside a call, so the call was not run.',
}
const NO_CALL: Unreadable = {
  kind: 'bad_json',
  detail: `Each element of ${CALLS} needs ${CALL_NAME} and ${CALL_ARGUMENTS}, an object.`,
}
const NO_CALLS: Unreadable = { kind: 'no_format', detail: `${KIND} is "call", but ${CALLS} holds no call.` }
const NO_FORM: Unreadable = {
  kind: 'no_format',
  detail: `The reply has neither words in ${TEXT} nor a call in ${CALLS}.`,
}
