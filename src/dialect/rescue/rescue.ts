/**
 * Rescue: reads tool calls that a model wrote as plain text. Text passes through at once, except what may be the
 * beginning of a call: that is held back until it is known to be one, or not to be one.
 *
 * Every decision is taken at a character and never at the end of a piece, so the result does not depend on how the
 * text was cut. A call is handed on only when no continuation could take it back:
 * - after a marker (`<tool_call>`), or as bare JSON after a short lead-in: as soon as it is complete. A further call
 *   may follow after a sentence; more text than that is what the model imagines to happen next, and ends the reply.
 * - in a code fence, or as `f(…)`: when nothing follows, or a further call. Prose to the reply's end makes it an example,
 *   or an attempt that the model is told about.
 */
import type { EndReason, WireTool } from '../../protocol/wire.ts'
import type { ParsedCall, Unreadable } from '../dialect.ts'
import { LongText } from '../long-text.ts'
import { type Found, together } from '../matching.ts'
import type { Balance } from './balance.ts'
import { Candidate, type Outcome } from './candidate.ts'
import { isExample } from './example.ts'
import { Fences } from './fences.ts'
import { matchOpener, type OpenerKind, type Place } from './openers.ts'

const SENTENCE_END = /[.:!?。：！？]/
const QUOTATION = /["'`]/
const WORD = /[\p{L}\p{N}]/u
/** White space that may be held: an indentation is no call yet. */
const MAX_SPACE = 4
/** Characters between two calls. A longer text tells what the first is imagined to give. */
const MAX_BETWEEN = 300

export class Rescue {
  readonly #tools: readonly WireTool[]
  readonly #show: (text: string) => void
  readonly #calls: ParsedCall[] = []
  #problem: Unreadable | undefined
  #place: Place = { replyStart: true, lineStart: true, sentenceStart: true, quoted: false }
  /** White space at a line's start, which goes with what follows it: shown before text, dropped before a call. */
  #space = ''
  /** What may become an opener. */
  #opener = ''
  #candidate: Candidate | undefined
  /** Data that passes: openers do not count before its brackets close. */
  #data: Balance | undefined
  /** Code that passes: openers do not count before its fence closes. */
  #code: Fences | undefined
  /** A call was followed by text that belongs to none: what is no call now is only imagined. */
  #over = false
  /** What follows is not even searched for calls: the model answers itself. */
  #closed = false
  #surplus = 0
  #betweenLength = 0
  /** All that passed, and calls in it that text followed, with their places. */
  readonly #passed = new LongText()
  #prose = false
  #examples: { found: Found; start: number; end: number }[] = []

  constructor(tools: readonly WireTool[], show: (text: string) => void) {
    this.#tools = tools
    this.#show = show
  }

  /** The calls that are certain. It only grows. */
  get calls(): readonly ParsedCall[] {
    return this.#calls
  }

  /** The first call that was meant and could not be read. */
  get problem(): Unreadable | undefined {
    return this.#problem
  }

  /** True when nothing useful can follow: calls were, and then more than a few words. */
  get done(): boolean {
    return this.#closed
  }

  /** How many of the characters that were fed last do not belong to the reply; 0 until done. */
  get surplus(): number {
    return this.#surplus
  }

  feed(char: string): void {
    if (this.#over) this.#surplus++
    if (this.#closed) return
    this.#step(char)
    if (this.#over && this.#candidate?.found) this.#surplus = this.#candidate.surplus
  }

  /** Ends the reply; what is still held is shown or read. */
  finish(end: EndReason | 'cut'): void {
    const candidate = this.#candidate
    if (this.#over && !candidate?.found) return
    if (candidate?.finish(end) === 'over') this.#collect(candidate)
    else {
      if (candidate) this.#keepExample(candidate)
      this.release()
    }
    if (this.#calls.length === 0) this.#problem ??= this.#followed()
  }

  /** Shows what is held without reading it: a call has come by another way. */
  release(): void {
    this.#pass(this.#space + this.#opener + (this.#candidate?.text ?? ''))
    this.#space = this.#opener = ''
    this.#candidate = undefined
  }

  #step(char: string): void {
    if (this.#candidate) this.#conclude(this.#candidate, this.#candidate.feed(char))
    else if (this.#data) this.#passData(this.#data, char)
    else if (this.#code) this.#passCode(this.#code, char)
    else this.#feedProse(char)
  }

  #feedProse(char: string): void {
    if (this.#opener === '' && (char === '\n' || (char.trim() === '' && this.#place.lineStart))) {
      this.#space += char
      this.#place = { ...this.#place, lineStart: true, quoted: false }
      if (this.#space.length >= MAX_SPACE && !this.#place.replyStart) this.#passSpace()
      return
    }
    this.#opener += char
    const kind = this.#match()
    if (kind === undefined) this.#passFirst()
    else if (kind !== 'maybe') this.#begin(kind)
  }

  /** No opener begins here: the first character passes, the others may begin one. */
  #passFirst(): void {
    const opener = this.#opener
    this.#opener = ''
    this.#passSpace()
    this.#pass(opener.charAt(0))
    for (const char of opener.slice(1).split('')) this.#step(char)
  }

  #match(): OpenerKind | 'maybe' | undefined {
    const kind = matchOpener(this.#opener, this.#place, this.#tools)
    return this.#over && kind === 'function' ? undefined : kind
  }

  #begin(kind: OpenerKind): void {
    const opener = this.#opener
    this.#opener = ''
    const leadIn = this.#passed.length
    const prose = this.#prose
    this.#candidate = new Candidate(kind, { tools: this.#tools, leadIn, prose, further: this.#over })
    for (const char of opener.split('')) this.#step(char)
  }

  #conclude(candidate: Candidate, outcome: Outcome): void {
    this.#collect(candidate)
    if (outcome === 'held') return
    if (outcome === 'over') {
      this.#over = true
      this.#closed = candidate.closed
      this.#surplus = candidate.surplus
    }
    this.#candidate = undefined
    if (outcome === 'text') this.#keepExample(candidate)
    // A block that is no call, after calls: what they are imagined to give.
    if (outcome === 'text' && this.#over && candidate.kind !== 'marker') {
      this.#between(candidate.text)
      this.#closed = true
    }
    if (!this.#closed) this.#resume(candidate)
  }

  #keepExample(candidate: Candidate): void {
    const found = candidate.passed
    const start = this.#passed.length
    if (found) this.#examples.push({ found, start, end: start + candidate.text.length })
  }

  /** Calls in a text that goes on after them, except for those that it only explains. */
  #takeExamples(): Found {
    const passed = this.#examples.length > 0 ? this.#passed.toString() : ''
    const meant = this.#examples.splice(0).filter(place => !isExample(passed, place))
    const { calls, problem } = together(meant.map(({ found }) => found))
    for (const { from } of calls) if (from) from.after = true
    return { calls, ...(problem && { problem }) }
  }

  /** What the model is to be told of them where nothing else came. */
  #followed(): Unreadable | undefined {
    const { calls, problem } = this.#takeExamples()
    const names = [...new Set(calls.map(call => call.name))].join(', ')
    if (problem || calls.length === 0) return problem
    const detail = `The call of ${names} was not run because text follows it. A call is the last thing of a reply.`
    return { kind: 'no_format', detail }
  }

  /** What was held is text: where does it leave us? The last character may already begin something else. */
  #resume(candidate: Candidate): void {
    const { text, kind } = candidate
    this.#passSpace()
    this.#data = candidate.dataBrackets
    const code = kind === 'fence' ? new Fences() : undefined
    for (const char of text) code?.feed(char)
    this.#code = code?.closed ? undefined : code
    const passing = this.#data || this.#code
    this.#pass(passing ? text : text.slice(0, -1))
    if (!passing) this.#step(text.slice(-1))
  }

  #collect(candidate: Candidate): void {
    const calls = candidate.calls.splice(0)
    if (calls.length > 0 && this.#examples.length > 0) {
      const before = this.#takeExamples()
      this.#calls.push(...before.calls)
      this.#problem ??= before.problem
    }
    this.#calls.push(...calls)
    this.#problem ??= candidate.problem
  }

  /** A blank line ends data whose brackets never close. */
  #passData(data: Balance, char: string): void {
    const blankLine = char === '\n' && this.#place.lineStart
    this.#pass(char)
    if (data.feed(char) !== 'more' || blankLine) this.#data = undefined
  }

  #passCode(code: Fences, char: string): void {
    this.#pass(char)
    code.feed(char)
    if (code.closed) this.#code = undefined
  }

  #passSpace(): void {
    const space = this.#space
    this.#space = ''
    this.#pass(space)
  }

  #pass(text: string): void {
    if (text === '') return
    if (this.#over) this.#between(text)
    else {
      this.#show(text)
      this.#passed.add(text)
      this.#prose ||= WORD.test(text)
    }
    const last = text.at(-1) ?? ''
    const blank = last.trim() === ''
    this.#place = {
      replyStart: this.#place.replyStart && text.trim() === '',
      lineStart: last === '\n' || (blank && (this.#place.lineStart || text.includes('\n'))),
      sentenceStart: SENTENCE_END.test(last) || (blank && this.#place.sentenceStart),
      quoted: QUOTATION.test(last),
    }
  }

  /** Text after calls, which nobody is shown. */
  #between(text: string): void {
    if (WORD.test(text)) for (const { from } of this.#calls) if (from) from.after = true
    this.#betweenLength += text.length
    if (this.#betweenLength > MAX_BETWEEN) this.#closed = true
  }
}
