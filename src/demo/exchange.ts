/** What the steps of a chat request hand to each other. */
import type { ServerResponse } from 'node:http'
import type { LoggedRequest } from './log.ts'
import type { ModelList } from './models.ts'
import type { DemoModel } from './reply.ts'
import type { Runners } from './runners.ts'
import type { Tokenizer } from './tokens.ts'

/** What chat requests share. */
export interface ChatRoom {
  model: DemoModel
  /** How often the model has been asked. */
  asked: number
  runners: Runners
  models: ModelList
  tokenizer(): Promise<Tokenizer>
  /** Does what reading so many tokens takes; a client that goes away does not end it. */
  prefill(tokens: number): Promise<void>
  /** Tokens a second. */
  decode: number
  violations: string[]
}

export interface Exchange {
  response: ServerResponse
  log: LoggedRequest
  /** Fires when the client has gone or the server closes. */
  signal: AbortSignal
}
