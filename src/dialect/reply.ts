/**
 * The parser of one reply, the same for every dialect: it takes the pieces apart (thinking, text, calls that the server
 * hands over) and gives the text, character by character, to the dialect's reader. So no result can depend on where
 * the server cut the text.
 */
import type { EndReason, Piece, WireTool } from '../protocol/wire.ts'
import type { ParsedCall, Reply, ReplyParser, Shown, Unreadable } from './dialect.ts'
import { Rescue } from './rescue/rescue.ts'
import { ShownSoFar } from './shown.ts'
import { ThinkSplit } from './think.ts'

/** Reads the text of a reply in one dialect; what it wants shown goes to the `Show` that it was made with. */
export interface TextReader {
  feed(char: string): void
  finish(end: EndReason | 'cut'): void
  /** A call came beside the text: what is held is shown, and nothing more is fed. */
  release(): void
  readonly calls: readonly ParsedCall[]
  readonly problem: Unreadable | undefined
  readonly done: boolean
  /** How many of the characters that were fed last do not belong to the reply; 0 until done. */
  readonly surplus: number
}

export type Show = (type: Shown['type'], text: string) => void

export function createReplyParser(
  tools: readonly WireTool[],
  createReader: (show: Show) => TextReader,
): ReplyParser {
  return new StreamedReply(tools, createReader)
}

class StreamedReply implements ReplyParser {
  readonly #tools: readonly WireTool[]
  readonly #shown = new ShownSoFar()
  readonly #reader: TextReader
  readonly #think: ThinkSplit
  readonly #calls: ParsedCall[] = []
  /** Calls of the reader that have been taken over. */
  #taken = 0
  #content = ''
  /** A call came beside the text, or stands in no text that is sent back: from then on text is only text. */
  #beside = false

  constructor(tools: readonly WireTool[], createReader: (show: Show) => TextReader) {
    this.#tools = tools
    this.#reader = createReader((type, text) => this.#shown.add(type, text))
    this.#think = new ThinkSplit(
      text => this.#shown.add('thinking', text),
      char => (this.#beside ? this.#shown.add('text', char) : this.#reader.feed(char)),
    )
  }

  get calls(): readonly ParsedCall[] {
    return this.#calls
  }

  get done(): boolean {
    return this.#reader.done
  }

  push(piece: Piece): Shown[] {
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
    if (end === 'stop' && this.#isEmpty) this.#lookInThinking()
    const { text, thinking } = this.#shown
    const nothing = end === 'stop' && this.#isEmpty && thinking === ''
    const unreadable = this.#reader.problem ?? (nothing ? EMPTY : undefined)
    return {
      shown: this.#shown.take(),
      content: this.#content.slice(0, this.#content.length - this.#reader.surplus),
      text,
      thinking,
      calls: this.#calls,
      textCalls: this.#calls.length > 0 && !this.#beside,
      ...(unreadable && { unreadable }),
    }
  }

  #takeText(text: string): void {
    this.#content += text
    for (const char of text.split('')) this.#think.feed(char)
    this.#collect()
  }

  #takeServed({ id, name, arguments: args }: ParsedCall): void {
    this.#reader.release()
    this.#beside = true
    this.#calls.push({ ...(id !== undefined && { id }), name, arguments: args })
  }

  #collect(): void {
    this.#calls.push(...this.#reader.calls.slice(this.#taken))
    this.#taken = this.#reader.calls.length
  }

  get #isEmpty(): boolean {
    return this.#shown.text.trim() === '' && this.#calls.length === 0 && !this.#reader.problem
  }

  /** Some models call inside their thoughts and then stop. */
  #lookInThinking(): void {
    const rescue = new Rescue(this.#tools, () => {}, { markersOnly: true })
    for (const char of this.#shown.thinking.split('')) rescue.feed(char)
    rescue.finish('stop')
    if (rescue.calls.length > 0) this.#beside = true
    this.#calls.push(...rescue.calls)
  }
}

const EMPTY: Unreadable = { kind: 'swallowed', detail: 'The reply was empty.' }
