/**
 * How many tokens a request will be, and what of it the server has to read. The server's own count of what it answered
 * is the truth; only what it has not seen yet is estimated.
 */
import type { ChatRequest } from '../backends/backend.ts'
import type { Changed } from '../backends/miss.ts'
import type { Memory } from '../protocol/memory.ts'
import type { AssistantMessage } from '../protocol/messages.ts'
import type { Metrics, WireMessage, WireTool } from '../protocol/wire.ts'
import { add, createWeights, type Parts, partsOf, type Weights } from './weights.ts'

/** What the server is sent that takes room in the context. */
export type Sent = Pick<ChatRequest, 'messages' | 'tools'>

/** Tokens, all of them estimates. */
export interface Expected {
  /** The whole request, as `prompt_tokens` will count it. */
  tokens: number
  /** What of it the server has to read, if it still has what it was last sent. */
  new_tokens: number
  /** What of it the server can have seen nowhere: a lower bound of what it reads. */
  unseen_tokens: number
  /** What we changed in what was already sent: everything from there is read again. */
  changed?: Changed
}

type Counts = Pick<Metrics, 'prompt_tokens' | 'completion_tokens'>

/** A request that the server has read, what came of it, and its own counts. */
interface Answered {
  request: Sent
  reply: AssistantMessage | undefined
  counts: Counts
}

/**
 * A reply's count is believed as far as it fits its text: a server also counts what it generated and swallowed (a thought
 * that nobody asked for, a call that it could not read), and that is not sent back.
 */
const believable = { least: 0.5, most: 1.5 }

export class Estimate {
  readonly #weights: Weights
  /** The first request that was counted, which all later ones share their beginning with, and the last one. */
  #first: Answered | undefined
  #last: Answered | undefined
  /** What the server was last sent, counted or not. */
  #held: Omit<Answered, 'counts'> | undefined

  /** `key` names the server and the model: what is learned holds for these. */
  constructor({ memory, key }: { memory: Memory; key: string }) {
    this.#weights = createWeights(memory, key)
  }

  /** What a request will be, to be asked before it is sent. */
  expect(request: Sent): Expected {
    const tokens = this.tokens(request)
    return { tokens, ...this.#unread(request, tokens) }
  }

  /** What a request will be as a whole. */
  tokens(request: Sent): number {
    let { tokens, compared } = this.#from(this.#last, request)
    // So much has changed (a compaction) that the first count, or none, leads there more surely.
    if (this.#last && compared > this.#last.counts.prompt_tokens / 2) {
      for (const other of [this.#from(this.#first, request), this.#from(undefined, request)]) {
        if (other.compared < compared) ({ tokens, compared } = other)
      }
    }
    return Math.max(1, Math.round(tokens))
  }

  /**
   * The server has answered a request (a prewarm too): learns from its counts. Without them — the reply was cut — it is
   * only noted that the server has read it. → what was expected of the request.
   */
  answered(
    request: Sent,
    { counts, reply }: { counts?: Counts | undefined; reply?: AssistantMessage | undefined },
  ): Expected {
    const expected = this.expect(request)
    if (counts && counts.prompt_tokens > 0) {
      const { parts, counted, compared } = this.#from(this.#last, request)
      this.#weights.learn(parts, counts.prompt_tokens - counted, compared)
      this.#count({ request, reply, counts })
    }
    // What nothing came of may not have been read: it was given up, or the server is still at it.
    if (counts || reply) this.#held = { request, reply }
    return expected
  }

  /** Takes up a resumed conversation: `request` is what `reply`, which has its usage, was the answer to. */
  resume(request: Sent, reply: AssistantMessage): void {
    if (!reply.usage) return
    this.#count({ request, reply, counts: reply.usage })
    this.#held = { request, reply }
  }

  /** Tokens of a bare text. */
  text(text: string): number {
    return Math.round(this.#weights.tokens(partsOf(text)))
  }

  #count(answered: Answered): void {
    this.#first ??= answered
    this.#last = answered
  }

  /** What `now` has more, or less, than a request that was counted; without one: all of it. */
  #from(answered: Answered | undefined, now: Sent) {
    const before = answered?.request ?? { messages: [] }
    const parts: Parts = {}
    let counted = answered?.counts.prompt_tokens ?? 0
    let compared = 0
    const take = (more: Parts, times = 1) => {
      add(parts, more, times)
      compared += this.#weights.tokens(more)
    }
    if (!sameTools(before, now)) {
      for (const tool of before.tools ?? []) take(toolParts(tool), -1)
      for (const tool of now.tools ?? []) take(toolParts(tool))
    }
    const echo = answered && echoOf(answered, now)
    for (let index = 0; index < Math.max(before.messages.length, now.messages.length); index++) {
      const [was, is] = [before.messages[index], now.messages[index]]
      if (was && is && sameWords(was, is)) {
        if (was.thinking === is.thinking) continue
        take(partsOf(was.thinking ?? ''), -1)
        take(partsOf(is.thinking ?? ''))
        continue
      }
      if (was) take(messageParts(was), -1)
      if (is && is === echo && answered) {
        const tokens = this.#echoTokens(is, answered)
        counted += tokens
        compared += tokens
      } else if (is) take(messageParts(is))
    }
    return { parts, counted, compared, tokens: counted + this.#weights.tokens(parts) }
  }

  /** A reply that is sent back: the server counted what it generated, of which most comes back. */
  #echoTokens(message: WireMessage, { reply, counts }: Answered): number {
    const calls = reply?.text_calls ? [] : (reply?.tool_calls ?? [])
    const generated = [reply?.content ?? '', reply?.thinking ?? '', ...calls.map(call => callText(call))]
    const all = generated.reduce((sum, text) => sum + this.#weights.tokens(partsOf(text)), 0)
    const share = counts.completion_tokens / Math.max(1, all)
    const { message: frame, ...sent } = messageParts(message)
    const believed = Math.min(believable.most, Math.max(believable.least, share))
    return this.#weights.tokens(sent) * believed + this.#weights.tokens({ message: frame ?? 0 })
  }

  #unread(now: Sent, whole: number): Omit<Expected, 'tokens'> {
    const held = this.#held
    if (!held) return { new_tokens: whole, unseen_tokens: 0 }
    if (!sameTools(held.request, now))
      return { new_tokens: whole, unseen_tokens: 0, changed: { what: 'tools' } }
    const before = held.request.messages
    const found = before.findIndex((message, index) => {
      const other = now.messages[index]
      return !other || !sameWords(message, other) || message.thinking !== other.thinking
    })
    const from = found < 0 ? before.length : found
    const [was, is] = [before[from], now.messages[from]]
    if (!was) {
      // What was generated is still there, unless it is rendered anew.
      const echo = echoOf(held, now)
      const start = echo && !echo.tool_calls && !held.reply?.thinking ? from + 1 : from
      return this.#reads(now, { start, known: 0, whole })
    }
    const isSame = is !== undefined && sameWords(was, is)
    if (is && !isSame && (from < before.length - 1 || is.role === 'system')) {
      const { new_tokens } = this.#reads(now, { start: from, known: 0, whole })
      const changed: Changed =
        is.role === 'system' ? { what: 'system' } : { what: 'message', index: from, role: is.role }
      return { new_tokens, unseen_tokens: 0, changed }
    }
    const known = is && was.role === is.role ? commonStart(was.content, is.content) : 0
    const { new_tokens, unseen_tokens } = this.#reads(now, { start: from, known, whole })
    return { new_tokens, unseen_tokens: isSame ? 0 : unseen_tokens }
  }

  /** Reading begins at message `start`, of which the share `known` is there already. */
  #reads(
    now: Sent,
    { start, known, whole }: { start: number; known: number; whole: number },
  ): Pick<Expected, 'new_tokens' | 'unseen_tokens'> {
    let tokens = start === 0 ? whole : 0
    let unseen = 0
    for (const [index, message] of now.messages.entries()) {
      if (index < start) continue
      const part = index === start ? 1 - known : 1
      if (start > 0) tokens += this.#weights.tokens(messageParts(message)) * part
      // What the model said itself, the server has seen.
      if (message.role === 'user' || message.role === 'tool') {
        unseen += this.#weights.tokens(partsOf(message.content)) * part
      }
    }
    return {
      new_tokens: Math.min(whole, Math.max(1, Math.round(tokens))),
      unseen_tokens: Math.round(unseen),
    }
  }
}

/** Requests of one session share their messages and tools: each is measured once. */
const measured = new WeakMap<object, Parts>()

function once<T extends object>(measure: (thing: T) => Parts): (thing: T) => Parts {
  return thing => {
    const parts = measured.get(thing) ?? measure(thing)
    measured.set(thing, parts)
    return parts
  }
}

const toolParts = once((tool: WireTool) => setupParts(JSON.stringify(tool)))

const messageParts = once((message: WireMessage) => {
  const { role, content, thinking = '', tool_calls = [], images = [] } = message
  const parts: Parts = role === 'system' ? setupParts(content) : { message: 1, image: images.length }
  if (role !== 'system') add(parts, partsOf(content))
  for (const call of tool_calls) add(parts, { ...partsOf(callText(call.function)), message: 1 })
  return add(parts, partsOf(thinking))
})

function setupParts(text: string): Parts {
  const { words = 0, digits = 0, foreign = 0 } = partsOf(text)
  return { setup: words + digits / 2, foreign }
}

const callText = ({ name, arguments: args }: { name: string; arguments: object }): string =>
  JSON.stringify({ name, arguments: args })

/** The message with which the reply is sent back, where it directly follows what it answered. */
function echoOf({ request, reply }: Omit<Answered, 'counts'>, now: Sent): WireMessage | undefined {
  const message = now.messages[request.messages.length]
  if (!reply || message?.role !== 'assistant') return undefined
  return message.content === reply.content || message.tool_calls ? message : undefined
}

const sameTools = ({ tools: a = [] }: Sent, { tools: b = [] }: Sent): boolean =>
  a.length === b.length && a.every((tool, index) => sameJson(tool, b[index]))

/** The same apart from the thinking, which is not sent back once its run is over. */
const sameWords = (a: WireMessage, b: WireMessage): boolean =>
  a === b ||
  (a.role === b.role &&
    a.content === b.content &&
    a.images?.length === b.images?.length &&
    sameJson(a.tool_calls ?? [], b.tool_calls ?? []))

const sameJson = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The share of `text` that `before` begins with. */
function commonStart(before: string, text: string): number {
  const limit = Math.min(before.length, text.length)
  let length = 0
  while (length < limit && before.charCodeAt(length) === text.charCodeAt(length)) length++
  return text.length === 0 ? 0 : length / text.length
}
