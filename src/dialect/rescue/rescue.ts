/**
 * Rescue: reads tool calls that a model wrote as plain text. Text passes through at once, except what may be the
 * beginning of a call: that is held back until it is known to be one, or not to be one.
 *
 * Every decision is taken at a character and never at the end of a piece, so the result does not depend on how the
 * text was cut. A call is handed on only when no continuation could take it back:
 * - after a marker (`<tool_call>`), or as bare JSON after a short lead-in: as soon as it is complete. Text that follows
 *   is what the model imagines to happen next: it ends the reply.
 * - in a code fence, or as `f(…)`: when nothing follows. Prose after it makes it an example in an explanation.
 */
import type { EndReason, WireTool } from '../../protocol/wire.ts'
import type { ParsedCall, Unreadable } from '../dialect.ts'
import type { Balance } from './balance.ts'
import { Candidate, type Outcome } from './candidate.ts'
import { Fences } from './fences.ts'
import { matchOpener, type OpenerKind, type Place } from './openers.ts'

const SENTENCE_END = /[.:!?。：！？]/
const QUOTATION = /["'`]/

export class Rescue {
  readonly #tools: readonly WireTool[]
  readonly #show: (text: string) => void
  readonly #markersOnly: boolean
  readonly #calls: ParsedCall[] = []
  #problem: Unreadable | undefined
  #place: Place = { replyStart: true, lineStart: true, sentenceStart: true, quoted: false }
  #shownLength = 0
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

  /** `markersOnly`: no call but one with a marker counts (for text that only thinks about calls). */
  constructor(
    tools: readonly WireTool[],
    show: (text: string) => void,
    options: { markersOnly?: boolean } = {},
  ) {
    this.#tools = tools
    this.#show = show
    this.#markersOnly = options.markersOnly ?? false
  }

  /** The calls that are certain. It only grows. */
  get calls(): readonly ParsedCall[] {
    return this.#calls
  }

  /** The first call that was meant and could not be read. */
  get problem(): Unreadable | undefined {
    return this.#problem
  }

  /** True when nothing useful can follow: a call was, then text, and no further marker has begun. */
  get done(): boolean {
    return this.#over && !this.#candidate
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
    else this.release()
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
    this.#pass(this.#space + opener.charAt(0))
    this.#space = ''
    for (const char of opener.slice(1).split('')) this.#step(char)
  }

  #match(): OpenerKind | 'maybe' | undefined {
    const kind = matchOpener(this.#opener, this.#place, this.#tools)
    return (this.#markersOnly || this.#over) && kind !== 'marker' && kind !== 'maybe' ? undefined : kind
  }

  #begin(kind: OpenerKind): void {
    const opener = this.#opener
    this.#opener = ''
    this.#candidate = new Candidate(kind, { tools: this.#tools, leadIn: this.#shownLength })
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
    if (!this.#closed) this.#resume(candidate)
  }

  /** What was held is text: where does it leave us? The last character may already begin something else. */
  #resume(candidate: Candidate): void {
    const { text, kind } = candidate
    this.#pass(this.#space)
    this.#space = ''
    this.#data = candidate.dataBrackets
    const code = kind === 'fence' ? new Fences() : undefined
    for (const char of text) code?.feed(char)
    this.#code = code?.closed ? undefined : code
    const passing = this.#data || this.#code
    this.#pass(passing ? text : text.slice(0, -1))
    if (!passing) this.#step(text.slice(-1))
  }

  #collect(candidate: Candidate): void {
    this.#calls.push(...candidate.calls.splice(0))
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

  #pass(text: string): void {
    if (text === '') return
    if (!this.#over) this.#show(text)
    this.#shownLength += text.length
    const last = text.at(-1) ?? ''
    const blank = last.trim() === ''
    this.#place = {
      replyStart: this.#place.replyStart && text.trim() === '',
      lineStart: last === '\n' || (blank && (this.#place.lineStart || text.includes('\n'))),
      sentenceStart: SENTENCE_END.test(last) || (blank && this.#place.sentenceStart),
      quoted: QUOTATION.test(last),
    }
  }
}
