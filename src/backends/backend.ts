/**
 * A model server as the rest of gopi sees it. A recorded file, a script and a real server are the same to the loop.
 * What a kind of server cannot tell, it has no function for. Its members are functions of their own: they need no `this`.
 */
import { RunError } from '../protocol/errors.ts'
import type { Said, Told } from '../protocol/sayings.ts'
import type { EndReason, Metrics, Piece, WireMessage, WireTool } from '../protocol/wire.ts'

export type Think = boolean | 'low' | 'medium' | 'high' | 'max'

export interface ChatRequest {
  model: string
  messages: WireMessage[]
  tools?: WireTool[]
  /** A JSON Schema that the reply must follow. */
  format?: object
  think: Think
  /** Tokens that the server is to have room for. Never varies within a session: it might load the model anew. */
  context: number
  /** Most tokens of the reply. */
  most?: number
  stop?: string[]
  /** Names the conversation, where a server can use it to keep all of one in one cache. */
  conversation?: string | undefined
  /** Sampling options of the user's, as the server calls them. */
  options?: Readonly<Record<string, unknown>>
  /** How long the model stays loaded afterwards: seconds, or a duration such as "30m"; negative: for ever. */
  keep_alive: string | number
}

/** What a request yields. `notice` is for the person: a retry, a long silence. `metrics`: where the server tells them. */
export type ModelEvent =
  | Piece
  | { type: 'notice'; code: string; facts?: Said['facts']; message: string }
  | { type: 'end'; reason: EndReason; metrics?: Metrics }

/** What the server says about a model. */
export interface ModelFacts {
  /** `tools`, `thinking`, `vision` …; empty when the server does not tell. */
  capabilities: string[]
  /** Trained context length in tokens; undefined when the server does not tell. */
  trained_context: number | undefined
}

export interface ListedModel {
  name: string
  /** Bytes. */
  size?: number
  /** Such as `7.6B`. */
  parameters?: string
  isLoaded?: boolean
}

/** A model as it is loaded now. */
export interface ModelState {
  /** Tokens that it has room for. */
  context: number | undefined
  /** Another than after our own last request: somebody else has asked since. */
  mark: string | undefined
  /** Bytes that it takes, and how many of them on a GPU, where the server tells. */
  size?: number
  gpu?: number
}

/** How far a download has come: what is done now, and of it so many bytes. */
export interface Pulling {
  status: string
  total?: number
  completed?: number
}

/** What a session wishes of the model that it begins with. */
export interface Wishes {
  /** Tokens; 0: what the model and the server offer. */
  max_tokens: number
  /** Nobody has pressed Enter yet: what makes the answer better may be waited for. */
  patient: boolean
}

export interface Met {
  facts: ModelFacts
  /** The context to ask for from now on, in tokens. */
  context: number
}

export interface Asking {
  signal?: AbortSignal
}

export interface Backend {
  /** The server's address, as it is told to people. */
  readonly host: string
  /**
   * One request. Contract: the stream ends with exactly one `end` event or throws a `RunError`, never silently;
   * when `signal` fires it throws the signal's reason at once, also while the server loads or reads the prompt,
   * and the connection is closed; leaving the loop early closes the connection too.
   */
  chat(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ModelEvent>
  /** What the server knows about the model. Throws `RunError`: `no_model` when it is not there. */
  facts(model: string, options?: Asking): Promise<ModelFacts>
  /** The models that are there. Throws `RunError`. `loaded`: also which of them are loaded, where the server tells. */
  models(options?: Asking & { loaded?: boolean }): Promise<ListedModel[]>
  /** The same as `facts` and what follows from it for a session, sooner or better. Throws `RunError`. */
  meet?(model: string, wishes: Wishes): Promise<Met>
  /** Whether somebody is there now, and which version. Throws `RunError` `no_server` when nobody answers. */
  version?(options?: Asking): Promise<string>
  /** What the person should hear about the server before the first request. Never rejects. */
  warnings?(): Promise<Told[]>
  /** The model as it is loaded now; undefined: it is not. */
  state?(model: string): Promise<ModelState | undefined>
  /** After a request: what the person should hear where the model does not run as it was asked to. */
  shortfall?(model: string, context: number): Promise<Told | undefined>
  /** Bytes of memory that each token of context takes in this model, where the server tells. */
  tokenBytes?(model: string): Promise<number | undefined>
  /** Gets the model onto the server. What has come stays when it is stopped, and the next time begins there. Throws `RunError`. */
  pull?(model: string, options: { signal: AbortSignal }): AsyncIterable<Pulling>
  /** Conversations that it keeps and answers at once, as it is known to be made. Default: nobody knows. */
  places?(): number
  /** Nobody waits for an answer any more: no connection is left. */
  close?(): void
}

/** A server that cannot tell about its models may still talk with them: its refusals are met when they come. */
export function orUnknown(error: unknown): ModelFacts {
  if (error instanceof RunError && (error.code === 'no_model' || error.code === 'no_server')) throw error
  return { capabilities: [], trained_context: undefined }
}
