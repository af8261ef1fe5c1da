/**
 * A stretch of text that began like a call, held back until it is known what it is: one call or several in a row, or
 * text after all.
 */
import type { EndReason, WireTool } from '../../protocol/wire.ts'
import type { ParsedCall, Unreadable } from '../dialect.ts'
import { type Found, findTool } from '../matching.ts'
import type { Balance } from './balance.ts'
import { type Block, CallScanner } from './call-scanner.ts'
import type { OpenerKind } from './openers.ts'
import { badJson, readBlock } from './read-block.ts'

/** `text`: no call, all of it may be shown. `over`: calls, and then text that belongs to none of them. */
export type Outcome = 'held' | 'text' | 'over'

export interface CandidateOptions {
  tools: readonly WireTool[]
  /** Characters of text that were shown before it. */
  leadIn: number
  /** There are words among them. */
  prose: boolean
  /** Calls have come already: this goes on with them. */
  further: boolean
}

/** A longer text before bare JSON is an explanation, of which the JSON may be an example. */
const SHORT_LEAD_IN = 400
/** The end of a text that broke off at `<name>`: it describes a call. */
const PLACEHOLDER = /<[a-z]$/i
const CALL_KEY = /["'“]?(?:name|arguments|parameters)["'”]?\s*[:：]/
const ARGUMENTS_KEY = /["'“]?(?:arguments|parameters|args|input)["'”]?\s*[:：]/
const NAME_FIELD = /["'“]?(?:name|tool|tool_name|function|action)["'”]?\s*[:：]\s*["'“]([^"'”]+)["'”]/

export class Candidate {
  /** The calls that no continuation could take back. */
  readonly calls: ParsedCall[] = []
  /** What was wrong with a call that was meant. */
  problem: Unreadable | undefined
  readonly kind: OpenerKind
  readonly #tools: readonly WireTool[]
  readonly #prose: boolean
  readonly #own: boolean
  /** Calls count as soon as they are complete; else only if nothing follows them. */
  readonly #firm: boolean
  /** A call that is wrong is a mistake to tell the model about; else it is an example that passes as text. */
  readonly #meant: boolean
  /** The blocks before, where they do not count yet, and the text since. */
  #blocks = ''
  #text = ''
  #found = false
  #spoilt = false
  /** What has been read and does not count yet. */
  #waiting: Found = { calls: [] }
  #scanner: CallScanner

  constructor(kind: OpenerKind, options: CandidateOptions) {
    const { tools, leadIn, further } = options
    this.kind = kind
    this.#tools = tools
    this.#prose = options.prose
    this.#own = kind === 'marker' || kind === 'action' || kind === 'element'
    this.#firm = this.#own || further || (kind === 'bare' && leadIn <= SHORT_LEAD_IN)
    this.#meant = this.#firm || leadIn === 0
    const maybeData = kind === 'bare' || kind === 'fence'
    this.#scanner = new CallScanner({
      tools,
      words: !maybeData,
      knownOnly: kind !== 'marker',
      ...(maybeData && { data: { knownOnly: leadIn > 0 || kind === 'fence' } }),
    })
  }

  /** What was fed and is not part of a certain call. */
  get text(): string {
    return this.#blocks + this.#text
  }

  /** True once a call has been read, or one that was meant. */
  get found(): boolean {
    return this.#found
  }

  /** After `over`: nothing that follows may be read, not even a call. */
  get closed(): boolean {
    return this.#scanner.imagined || this.#spoilt || this.#opensFence
  }

  /** A block began after the calls, and holds none: what they are imagined to give. */
  get #opensFence(): boolean {
    return this.#text.split('```').length > (this.kind === 'fence' ? 2 : 1)
  }

  /** After `over`: how many of the last characters do not belong to the calls. */
  get surplus(): number {
    return this.#spoilt ? 0 : this.#text.length - this.#scanner.settled
  }

  /** After `text`: whole calls that something follows, so that they do not count by themselves. */
  get passed(): Found | undefined {
    const apart = this.kind === 'fence' || this.#text.includes('\n')
    return this.#found && !this.#firm && apart ? this.#waiting : undefined
  }

  /** After `text`: the brackets of the data that it turned out to be, where they are still open. */
  get dataBrackets(): Balance | undefined {
    return this.#scanner.dataBrackets
  }

  feed(char: string): Outcome {
    this.#text += char
    const step = this.#scanner.feed(char)
    if (step === 'more') return 'held'
    const block = this.#scanner.block
    if (step === 'end' && block) return this.#take(this.#read(block))
    if (block && this.#isEvident(block) && !PLACEHOLDER.test(this.#text)) {
      return this.#spoil(badJson(this.#body(block)))
    }
    return this.#noCall()
  }

  /** Nothing more will come. */
  finish(end: EndReason | 'cut'): Outcome {
    const block = this.#scanner.block
    const outcome = block ? this.#finishBlock(block, end) : this.#finishHead(end)
    if (outcome !== 'held') return outcome
    this.#accept()
    return 'over'
  }

  #finishBlock(block: Block, end: EndReason | 'cut'): Outcome {
    if (end === 'stop' && this.#scanner.whole) return this.#take(this.#read(block))
    const body = this.#body(block)
    if (end === 'stop' && body.startsWith('[')) {
      const found = readBlock(block, `${body}]`, this.#tools)
      if (found.calls.length > 0) return this.#take(found)
    }
    if (!this.#isEvident(block)) return this.#noCall()
    this.#accept()
    return this.#spoil(unfinished(end))
  }

  #finishHead(end: EndReason | 'cut'): Outcome {
    if (this.#found) return this.#firm || this.#scanner.idle ? 'held' : 'text'
    return this.kind === 'marker' && end !== 'stop' ? this.#spoil(unfinished(end)) : 'text'
  }

  /** Brackets that hold no JSON are a call's only when something else says so. */
  #read(block: Block): Found {
    const found = readBlock(block, this.#body(block), this.#tools)
    return found.problem?.kind === 'bad_json' && !this.#isEvident(block) ? { calls: [] } : found
  }

  #body(block: Block): string {
    return this.#text.slice(block.from)
  }

  #take({ calls, problem }: Found): Outcome {
    if (calls.length === 0 && !problem) return this.#noCall()
    if (problem?.kind === 'unknown_tool' && !this.#meant) return this.#noCall()
    this.#found = true
    const block = this.#scanner.block
    const text = block ? this.#body(block) : this.#text
    for (const call of calls) {
      this.#waiting.calls.push({
        ...call,
        from: { from: 'text', text, own: this.#own, before: this.#prose, after: false },
      })
    }
    if (problem) this.#waiting.problem ??= problem
    if (problem?.kind === 'bad_json' && this.#firm) return this.#spoil(problem)
    if (this.#firm) this.#accept()
    else this.#blocks += this.#text
    this.#text = ''
    this.#scanner = new CallScanner({ tools: this.#tools, words: true, knownOnly: !this.#firm })
    return 'held'
  }

  #accept(): void {
    this.calls.push(...this.#waiting.calls)
    this.problem ??= this.#waiting.problem
    this.#waiting = { calls: [] }
  }

  #noCall(): Outcome {
    return this.#found && this.#firm ? 'over' : 'text'
  }

  /** A call that cannot be read. What follows is not read either: it may build on that call. */
  #spoil(problem: Unreadable): Outcome {
    this.problem ??= problem
    this.#spoilt = true
    return 'over'
  }

  #isEvident(block: Block): boolean {
    if (this.#scanner.dataBrackets || this.kind === 'element') return false
    const start = this.#body(block).slice(0, 2000)
    const name = block.name ?? NAME_FIELD.exec(start)?.[1]
    if (this.kind === 'marker' && (block.name !== undefined || CALL_KEY.test(start))) return true
    if (name === undefined || findTool(name, this.#tools) === undefined) return false
    return this.#meant || ARGUMENTS_KEY.test(start)
  }
}

function unfinished(end: EndReason | 'cut'): Unreadable {
  return end === 'stop'
    ? { kind: 'bad_json', detail: 'The call breaks off before it is complete.' }
    : { kind: 'cut', detail: 'The reply was cut off inside a call, so the call was not run.' }
}
