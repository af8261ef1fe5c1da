/**
 * What a scripted model answers. A piece of text is one token and one chunk: counts, `num_predict` and speed mean
 * pieces.
 */
import type { ChatBody } from './request.ts'

/** Holds a reply at a point until a test lets it go on. */
export interface Gate {
  /** Resolves when the server has come to the gate. */
  readonly reached: Promise<void>
  readonly opened: Promise<void>
  reach(): void
  open(): void
}

export function gate(): Gate {
  let reach = () => {}
  let open = () => {}
  const reached = new Promise<void>(resolve => (reach = resolve))
  const opened = new Promise<void>(resolve => (open = resolve))
  return { reached, opened, reach: () => reach(), open: () => open() }
}

export interface ScriptCall {
  name: string
  arguments: Record<string, unknown>
  /** Default: `call_` and eight characters, as Ollama makes them. */
  id?: string
  /** Tokens that writing it takes; default: what its text counts. */
  tokens?: number
}

/**
 * One step of a reply. A string is text. `thinking` is only generated when the request thinks. `call` comes in a chunk
 * of its own. `hidden` is a token that the server swallows (a tag, a call to a tool it does not know). `gate` waits for
 * the test, `hang` for ever. `line` writes bytes as they are, with no newline added. `error` ends the stream with an
 * error line, `cut` by destroying the socket.
 */
export type Step =
  | string
  | { text: string }
  | { thinking: string }
  | { call: ScriptCall }
  | { hidden: string }
  | { gate: Gate }
  | { hang: true }
  | { line: string | Uint8Array }
  | { error: string }
  | { cut: true }

export interface ReplyShape {
  /** Everything in order; or the three below, in their order. A string is cut into tokens, a list is taken as it is. */
  steps?: Step[]
  thinking?: string | string[]
  text?: string | string[]
  calls?: ScriptCall[]
  /** Calls only in the final chunk, as the native path of Ollama ≥ 0.30 sends them. */
  callsAtEnd?: boolean
  /** Instead of a reply, before the first chunk: a status and the text of its JSON error. */
  failure?: { status: number; error: string }
  /** `no-done`: the stream ends cleanly without its final record. Default `done`. */
  end?: 'done' | 'no-done'
  done_reason?: 'stop' | 'length'
}

/** A text, steps, or everything. */
export type Reply = string | Step[] | ReplyShape

/**
 * The model behind the server. `index` counts the requests that it has been asked (0-based; loads, unloads and
 * prewarms with `num_predict: 1` do not ask it). `undefined`: it has nothing more to say, which is a violation.
 */
export type DemoModel = (request: ChatBody, index: number) => Reply | undefined | Promise<Reply | undefined>

/** A model that answers from a list, one reply (or function of the request) each. */
export function script(
  replies: readonly (Reply | ((request: ChatBody, index: number) => Reply | Promise<Reply>))[],
): DemoModel {
  return (request, index) => {
    const reply = replies[index]
    return typeof reply === 'function' ? reply(request, index) : reply
  }
}

/** The steps of a reply in order. */
export function stepsOf(reply: Reply): Step[] {
  if (typeof reply === 'string') return cutIntoTokens(reply)
  if (Array.isArray(reply)) return reply
  if (reply.steps) return reply.steps
  return [
    ...pieces(reply.thinking).map(thinking => ({ thinking })),
    ...pieces(reply.text),
    ...(reply.calls ?? []).map(call => ({ call })),
  ]
}

function pieces(text: string | string[] | undefined): string[] {
  return text === undefined ? [] : typeof text === 'string' ? cutIntoTokens(text) : text
}

/** Pieces of about the size of a model's tokens: words with their space, single CJK characters, runs of signs. */
export function cutIntoTokens(text: string): string[] {
  return (
    text.match(
      / ?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]| ?[\p{L}\p{M}]{1,8}| ?\p{N}{1,3}|\s+| ?[^\s\p{L}\p{M}\p{N}]{1,4}/gu,
    ) ?? []
  )
}
