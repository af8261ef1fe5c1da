/**
 * A dialect is how tool calls travel between us and a model: in Ollama's `tools` field (native), as
 * Thought / Action / Action Input text (react), or as one JSON object per reply (json).
 * Everything here is pure: no I/O, no clock, and the same result however the text was cut into pieces.
 */
import type { DialectName, Message, ToolCall } from '../protocol/messages.ts'
import type { EndReason, Piece, WireMessage, WireTool } from '../protocol/wire.ts'

export interface Dialect {
  readonly name: DialectName
  /** The request fields that carry the tools. The same tools give the same bytes. */
  request(tools: readonly WireTool[]): { tools?: WireTool[]; format?: object; stop?: string[] }
  /**
   * The history as it is sent, without the system message. Append-only: a longer history's encoding starts with the
   * shorter one's, up to its last user message (a user message that follows a user message joins it with "\n\n").
   */
  encode(history: readonly Message[]): WireMessage[]
  /** A call of the tool as a model is to write it, with a word for each argument that it needs. */
  example(tool: WireTool): string
  /** A parser for one reply. */
  parser(tools: readonly WireTool[]): ReplyParser
}

/** A call as the parser read it; the loop gives it its id when the server gave none. */
export type ParsedCall = Omit<ToolCall, 'id'> & {
  id?: string
  /** The name as the model wrote it, where that is not the tool's. */
  wrote?: string
  /** Read from text. undefined: the server handed it over, or the reply's form holds it. */
  from?: Written
}

/** Where in a reply's text a call stands. */
export interface Written {
  from: 'text'
  /** As the model wrote it. */
  text: string
  /** In a notation that models are trained to call with, not as mere JSON or code. */
  own: boolean
  /** There is prose before it, and after it. The latter is not known before the reply's end. */
  before: boolean
  after: boolean
}

/** What a face may be shown. Text that looks like a call is held back until it is known not to be one. */
export interface Shown {
  /** `unsaid`: what was shown as the answer so far was a thought. */
  type: 'text' | 'thinking' | 'unsaid'
  text: string
}

export interface ReplyParser {
  /** Takes the next piece; returns what may be shown now. */
  push(piece: Piece): Shown[]
  /** True once nothing useful can follow: the loop may stop the generation. What is pushed then does not count. */
  readonly done: boolean
  /**
   * The calls whose arguments are complete so far, in order. It only grows, until the reply turns out to hold a broken
   * call, or to have been a thought: then there are none.
   */
  readonly calls: readonly ParsedCall[]
  /** The reply is over: `cut` when it was us who ended it (steer, abort, a broken stream). Called once. */
  finish(end: EndReason | 'cut'): Reply
}

/** Why a reply could not be read; `detail` is a sentence for the model about what was wrong. */
export interface Unreadable {
  kind: 'unknown_tool' | 'bad_json' | 'bad_arguments' | 'cut' | 'no_format' | 'swallowed'
  detail: string
}

export interface Reply {
  /** What was held back and may be shown after all. */
  shown: Shown[]
  /** The text as generated, as the history keeps it. */
  content: string
  /** The answer as a person reads it: without the dialect's own words. */
  text: string
  thinking: string
  calls: ParsedCall[]
  /** True when the calls are in `content` (react, json, rescue). */
  textCalls: boolean
  unreadable?: Unreadable
}
