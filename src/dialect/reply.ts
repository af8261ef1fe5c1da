/**
 * The parser of one reply, the same for every dialect: it takes the pieces apart (thinking, text, calls that the server
 * hands over) and gives the text, character by character, to the dialect's reader. So no result can depend on where
 * the server cut the text.
 */
import type { EndReason, Piece, WireTool } from '../protocol/wire.ts'
import type { ParsedCall, Reply, ReplyParser, Shown, Unreadable } from './dialect.ts'
import { findTool } from './matching.ts'
import { overlooked } from './rescue/overlooked.ts'
import { Rescue } from './rescue/rescue.ts'
import { ShownSoFar } from './shown.ts'
import { ThinkSplit } from './think.ts'

/** Reads the text of a reply in one dialect; what it wants shown goes to the `Show` that it was made with. */
export interface TextReader {
  feed(char: string): void
  finish(end: EndReason | 'cut'): void
  /** A call came apart from the text: what is held is shown, and nothing more is fed. */
  release(): void
  readonly calls: readonly ParsedCall[]
  readonly problem: Unreadable | undefined
  readonly done: boolean
  /** How many of the characters that were fed last do not belong to the reply. */
  readonly surplus: number
}

export type Show = (type: 'text' | 'thinking', text: string) => void

export class StreamedReply implements ReplyParser {
  readonly #tools: readonly WireTool[]
  readonly #shown = new ShownSoFar()
  readonly #createReader: () => TextReader
  #reader: TextReader
  readonly #think: ThinkSplit
  #calls: ParsedCall[] = []
  /** Calls of the reader that have been taken over. */
  #taken = 0
  #content = ''
  /** A call came apart from the text, or is in no text that is sent back: from then on text is only text. */
  #beside = false

  constructor(tools: readonly WireTool[], createReader: (show: Show) => TextReader) {
    this.#tools = tools
    this.#createReader = () => createReader((type, text) => this.#shown.add(type, text))
    this.#reader = this.#createReader()
    this.#think = new ThinkSplit({
      thinking: text => this.#shown.add('thinking', text),
      text: char => (this.#beside ? this.#shown.add('text', char) : this.#reader.feed(char)),
      stray: () => this.#wasThought(),
    })
  }

  get calls(): readonly ParsedCall[] {
    return this.#calls
  }

  get done(): boolean {
    return this.#reader.done
  }

  push(piece: Piece): Shown[] {
    if (this.done) return []
    if (piece.type === 'thinking') this.#shown.add('thinking', piece.text)
    else if (piece.type === 'call') this.#takeServed(piece)
    else this.#takeText(piece.text)
    return this.#shown.take()
  }

  finish(end: EndReason | 'cut'): Reply {
    this.#think.finish()
    if (this.#beside) this.#reader.release()
    else this.#reader.finish(end)
    this.#collect()
    const problem = this.#judge(end)
    const { text, thinking } = this.#shown
    return {
      shown: this.#shown.take(),
      content: this.#content.slice(0, this.#content.length - this.#reader.surplus),
      text,
      thinking,
      calls: this.#calls,
      textCalls: this.#calls.length > 0 && !this.#beside,
      ...(problem && { unreadable: problem }),
    }
  }

  /** What the model is to be told of its reply. */
  #judge(end: EndReason | 'cut'): Unreadable | undefined {
    if (end === 'stop' && this.#isEmpty) return this.#judgeThought()
    const calls = this.#calls.length
    const problem = this.#reader.problem
    if (this.#beside || end === 'cut') return problem
    if (!problem) return calls === 0 ? overlooked(this.#shown.text, this.#tools) : undefined
    // Some of a reply's calls do something else than all of them. What a limit cut off was not asked for yet.
    if (calls === 0 || problem.kind === 'cut') return problem
    this.#calls = []
    return { ...problem, detail: `${problem.detail} ${NONE_RUN}` }
  }

  /** Up to where it is done, wherever the piece ends. */
  #takeText(text: string): void {
    let at = 0
    while (at < text.length && !this.done) this.#think.feed(text.charAt(at++))
    this.#content += text.slice(0, at)
    this.#collect()
  }

  #takeServed({ id, name, arguments: args }: ParsedCall): void {
    this.#reader.release()
    this.#beside = true
    const tool = findTool(name, this.#tools)?.function.name
    const other = tool === undefined || tool === name ? {} : { wrote: name }
    this.#calls.push({ ...(id !== undefined && { id }), name: tool ?? name, arguments: args, ...other })
  }

  #collect(): void {
    this.#calls.push(...this.#reader.calls.slice(this.#taken))
    this.#taken = this.#reader.calls.length
  }

  get #isEmpty(): boolean {
    return this.#shown.text.trim() === '' && this.#calls.length === 0 && !this.#reader.problem
  }

  /** There was a closing tag of thoughts that nothing opened: all before it was one. */
  #wasThought(): void {
    if (this.#beside) return
    this.#reader.release()
    this.#shown.unsay()
    this.#calls = []
    this.#taken = 0
    this.#reader = this.#createReader()
  }

  /**
   * A reply that is only a thought: a call at its very end is one, since some models call inside their thoughts and then
   * stop. Else the thought is the answer.
   */
  #judgeThought(): Unreadable | undefined {
    const { thinking } = this.#shown
    if (thinking.trim() === '') return EMPTY
    const rescue = new Rescue(this.#tools, () => {})
    for (const char of thinking.split('')) rescue.feed(char)
    rescue.finish('stop')
    const own = rescue.calls.filter(call => call.from?.own)
    const last = own.filter(call => call.from?.after === false)
    if (last.length > 0) {
      this.#beside = true
      this.#calls.push(...last)
    } else if (own.length > 0) return ONLY_THOUGHT
    else {
      this.#shown.add('text', thinking)
      if (this.#content.trim() === '') this.#content = thinking
    }
    return undefined
  }
}

const NONE_RUN = 'No call of the reply was run.'
const EMPTY: Unreadable = { kind: 'swallowed', detail: 'The reply was empty.' }
const ONLY_THOUGHT: Unreadable = {
  kind: 'no_format',
  detail: 'It was only a thought, and a call in a thought is not run.',
}
