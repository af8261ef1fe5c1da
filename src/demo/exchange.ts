/** What the steps of a request hand to each other. */
import type { ServerResponse } from 'node:http'
import type { LoggedRequest } from './log.ts'
import type { DemoModelInfo, ModelList } from './models.ts'
import type { DemoModel } from './reply.ts'
import type { ChatBody } from './request.ts'
import type { Runners } from './runners.ts'
import type { Tokenizer } from './tokens.ts'

/** What requests share. */
export interface DemoRoom {
  version: string
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
  check?: Checks
}

/** Looks at what was asked before it is answered: throws an `HttpError` for what is to be refused. */
export interface Checks {
  body(text: string): void
  chat(body: ChatBody, model: DemoModelInfo, log: LoggedRequest): void
}

export interface Exchange {
  response: ServerResponse
  log: LoggedRequest
  /** Fires when the client has gone or the server closes. */
  signal: AbortSignal
}
