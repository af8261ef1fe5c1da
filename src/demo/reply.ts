/**
 * What the model behind the server answers. A piece of text is one token and one chunk: counts, `num_predict` and speed mean
 * pieces.
 */
import type { ServerResponse } from 'node:http'
import type { LoggedRequest } from './log.ts'
import type { ChatBody } from './request.ts'
import type { Pace } from './wait.ts'

export interface ScriptCall {
  name: string
  arguments: Record<string, unknown>
  /** Default: `call_` and eight characters, as Ollama makes them. */
  id?: string
  /** Tokens that writing it takes; default: what its text counts. */
  tokens?: number
}

/** A request in the middle of its answer. */
export interface Live {
  response: ServerResponse
  log: LoggedRequest
  /** Fires when the client has gone or the server closes. */
  signal: AbortSignal
  progress: Progress
  pace: Pace
}

/** What has been generated so far. */
export interface Progress {
  thinking: string
  text: string
  tokens: number
}

/**
 * One step of a reply. A string is text. `thinking` is only generated when the request thinks. `call` comes in a chunk
 * of its own. A function does to the connection what a model does not: false ends the answer as it stands.
 */
export type Step = string | { thinking: string } | { call: ScriptCall } | ((live: Live) => Promise<boolean>)

export interface ReplyShape {
  /** In this order. A string is cut into tokens, a list is taken as it is. */
  thinking?: string | string[]
  text?: string | string[]
  calls?: ScriptCall[]
  /** Calls only in the final chunk, as the native path of Ollama ≥ 0.30 sends them. */
  callsAtEnd?: boolean
}

/** A text, steps, or everything. */
export type Reply = string | Step[] | ReplyShape

/**
 * The model behind the server. `index` counts the requests that it has been asked (0-based; loads, unloads and
 * prewarms with `num_predict: 1` do not ask it).
 */
export type DemoModel = (request: ChatBody, index: number, log: LoggedRequest) => Reply | Promise<Reply>

/** The steps of a reply in order. */
export function stepsOf(reply: Reply): Step[] {
  if (typeof reply === 'string') return cutIntoTokens(reply)
  if (Array.isArray(reply)) return reply
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
function cutIntoTokens(text: string): string[] {
  return (
    text.match(
      / ?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]| ?[\p{L}\p{M}]{1,8}| ?\p{N}{1,3}|\s+| ?[^\s\p{L}\p{M}\p{N}]{1,4}/gu,
    ) ?? []
  )
}
