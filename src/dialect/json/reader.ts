/**
 * The text of a reply in the json dialect. The words stream as they are decoded; each call is handed on when its object
 * closes. A server that ignores `format` lets the model answer as it likes: several objects, one in text, or text alone,
 * which is read as in the native dialect.
 */

import type { EndReason, WireTool } from '../../protocol/wire.ts'
import { fieldsOf, isRecord } from '../../text/record.ts'
import type { ParsedCall, Unreadable } from '../dialect.ts'
import { type Found, failed, matchCall } from '../matching.ts'
import type { Show, TextReader } from '../reply.ts'
import { Balance, type Step } from '../rescue/balance.ts'
import { interpretJson } from '../rescue/interpret.ts'
import { readWholeJson } from '../rescue/lenient-json.ts'
import { Rescue } from '../rescue/rescue.ts'
import { CALL_ARGUMENTS, CALL_NAME, CALLS, KIND, TEXT } from './form.ts'
import { Members } from './members.ts'

/** The beginning of an object in this form, and of what may become one. */
const OPENER = new RegExp(`^\\{\\s*["'“](?:${[KIND, TEXT, CALLS].join('|')})["'”]$`)
const OPENER_SO_FAR = /^\{\s*(?:["'“]\w*)?$/
/** What may stand before an object, and between two: the fence that some models cannot leave out. */
const FENCE_SO_FAR = /^`{1,3}(?:[a-z]{0,10}\s*)?$/i
/** More white space than this is a model that has lost its way. */
const MAX_SPACE = 200
/** Where `format` is enforced nothing else can follow an object, and some models never stop writing it. */
const MAX_SPACE_AFTER = 8

export class JsonReader implements TextReader {
  readonly #tools: readonly WireTool[]
  readonly #show: Show
  #members: Members
  readonly #prose: Rescue
  readonly #calls: ParsedCall[] = []
  #problem: Unreadable | undefined
  #state: 'text' | 'object' | 'over' = 'text'
  /** What may become an object, or the fence around one. */
  #held = ''
  /** An object was read: what follows it is another one, or nothing. */
  #any = false
  /** Nothing was said yet: an object of any form is the reply. */
  #atStart = true
  /** The object as written, for replies in a form of their own. */
  #written = ''
  #kind = ''
  #text = ''
  /** Another object had words. */
  #said = false
  #surplus = 0
  /** Calls before this object, and calls of the text outside of objects. */
  #before = 0
  #rescued = 0
  /** White space after objects. */
  #space = 0
  #loose: Balance | undefined

  constructor(tools: readonly WireTool[], show: Show) {
    this.#tools = tools
    this.#show = show
    this.#prose = new Rescue(tools, text => show('text', text))
    this.#members = this.#createMembers()
  }

  #createMembers(): Members {
    return new Members({
      onText: (key, text) => this.#takeText(key, text),
      list: CALLS,
      onElement: written => this.#takeElement(written),
    })
  }

  get calls(): readonly ParsedCall[] {
    return this.#calls
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
    if (this.#state === 'object') this.#feedObject(char)
    else if (this.#state === 'text') this.#feedText(char)
    else this.#surplus++
  }

  finish(end: EndReason | 'cut'): void {
    if (this.#state === 'object') this.#finishObject(end)
    else if (!this.#any) this.#pass(this.#held)
    if (this.#any) return
    this.#prose.finish(end)
    this.#collectProse()
  }

  #finishObject(end: EndReason | 'cut'): void {
    this.#any = true
    if (this.#members.inElement) this.#fail(end === 'stop' ? UNFINISHED : CUT)
    else if (end === 'stop') this.#judge()
  }

  release(): void {
    if (this.#state === 'text' && !this.#any) this.#pass(this.#held)
    this.#held = ''
    this.#prose.release()
  }

  #feedText(char: string): void {
    const held = this.#held + char
    if (OPENER.test(held) || (this.#atStart && held.trimEnd().endsWith('{'))) this.#open(held)
    else if (held.length <= MAX_SPACE && (OPENER_SO_FAR.test(held) || FENCE_SO_FAR.test(held.trimStart()))) {
      this.#held = held
    } else if (this.#any) {
      this.#held = ''
      if (char.trim() !== '' || ++this.#space > MAX_SPACE_AFTER) this.#state = 'over'
    } else {
      // The last character may begin what the ones before it were not.
      const again = char === '{' || char === '`' ? char : ''
      this.#held = again
      this.#pass(again === '' ? held : held.slice(0, -1))
    }
  }

  /** Text outside of an object in this form. */
  #pass(text: string): void {
    this.#atStart = false
    for (const char of text.split('')) this.#prose.feed(char)
    this.#collectProse()
  }

  #collectProse(): void {
    this.#calls.push(...this.#prose.calls.slice(this.#rescued))
    this.#rescued = this.#prose.calls.length
  }

  #open(held: string): void {
    this.#held = ''
    this.#state = 'object'
    this.#members = this.#createMembers()
    this.#written = ''
    this.#kind = this.#text = ''
    this.#before = this.#calls.length
    for (const char of held.slice(held.indexOf('{')).split('')) {
      if (this.#written === '') this.#written = char
      else this.#feedObject(char)
    }
  }

  #feedObject(char: string): void {
    this.#written += char
    if (this.#loose) {
      if (this.#loose.feed(char) !== 'more') this.#endLoose()
      return
    }
    const step = this.#members.feed(char)
    if (step === 'more') return
    const saidNothing = this.#text === '' && this.#calls.length === this.#before
    if (step === 'never' && saidNothing && !this.#members.inElement) {
      this.#startLoose()
      return
    }
    this.#endObject()
    if (step === 'never' && (saidNothing || this.#members.inElement)) this.#fail(UNFINISHED)
    else this.#judge()
  }

  /** It is no JSON as a server writes it (other quotes, comments): followed to its end, then read leniently. */
  #startLoose(): void {
    this.#loose = new Balance()
    let step: Step = 'more'
    for (const char of this.#written) if (step === 'more') step = this.#loose.feed(char)
    if (step !== 'more') this.#endLoose()
  }

  #endLoose(): void {
    this.#loose = undefined
    this.#endObject()
    const value = readWholeJson(this.#written)
    if (!value.ok) {
      this.#fail(UNFINISHED)
      return
    }
    const { [KIND]: kind, [TEXT]: text, [CALLS]: calls } = fieldsOf(value.value)
    if (typeof kind === 'string') this.#kind = kind
    if (typeof text === 'string') this.#takeText(TEXT, text)
    for (const call of Array.isArray(calls) ? calls : []) this.#take(readCall(call, this.#tools))
    this.#judge()
  }

  #endObject(): void {
    this.#any = true
    this.#state = this.#problem ? 'over' : 'text'
  }

  #takeText(key: string, text: string): void {
    if (key === KIND) this.#kind += text
    if (key !== TEXT) return
    if (this.#text === '' && this.#said) this.#show('text', '\n\n')
    this.#text += text
    this.#said = true
    this.#show('text', text)
  }

  #takeElement(written: string): void {
    if (this.#problem) return
    const json = readWholeJson(written)
    this.#take(readCall(json.ok && json.value, this.#tools))
  }

  /** The object is over: has it said anything? */
  #judge(): void {
    if (this.#calls.length > this.#before || this.#problem) return
    if (this.#kind === 'call') this.#fail(NO_CALLS)
    else if (this.#text === '') this.#judgeOwnForm()
  }

  #judgeOwnForm(): void {
    const value = readWholeJson(this.#written)
    if (value.ok) this.#take(interpretJson(value.value, this.#tools))
    if (this.#calls.length === this.#before) this.#fail(NO_FORM)
  }

  #take({ calls, problem }: Found): void {
    this.#calls.push(...calls)
    this.#problem ??= problem
  }

  #fail(problem: Unreadable): void {
    this.#problem ??= problem
  }
}

function readCall(call: unknown, tools: readonly WireTool[]): Found {
  const { [CALL_NAME]: name, [CALL_ARGUMENTS]: args } = fieldsOf(call)
  return typeof name === 'string' && isRecord(args) ? matchCall(name, args, tools) : failed(NO_CALL)
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
