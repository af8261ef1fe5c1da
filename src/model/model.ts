/**
 * The model as the rest of gopi sees it. A recorded file, a script and a real Ollama are the same to the loop.
 */
import type { EndReason, Metrics, Piece, WireMessage, WireTool } from '../protocol/wire.ts'

export type Think = boolean | 'low' | 'medium' | 'high' | 'max'

export interface ChatRequest {
  model: string
  messages: WireMessage[]
  tools?: WireTool[]
  /** A JSON Schema that the reply must follow. */
  format?: object
  think: Think
  /** Runner options never vary within a session: a changed `num_ctx` makes the server reload the model. */
  options: { num_ctx: number; num_predict?: number; stop?: string[] } & Record<string, unknown>
  /** Seconds, or a Go duration such as "30m"; negative: for ever. */
  keep_alive: string | number
}

/** What a request yields. `notice` is a sentence for the person (a retry, a long silence). */
export type ModelEvent =
  | Piece
  | { type: 'notice'; code: string; message: string }
  | { type: 'end'; reason: EndReason; metrics: Metrics }

/** What the server says about a model. */
export interface ModelFacts {
  capabilities: string[]
  /** Trained context length in tokens; undefined when the server does not tell. */
  trained_context: number | undefined
  /** Hash of the model's files, where known. */
  digest: string | undefined
}

/** A model that is loaded now. */
export interface LoadedModel {
  name: string
  /** Context length in tokens that the runner was started with. */
  context_length: number | undefined
  size: number
  /** Bytes of it on the GPU, where the server tells. */
  size_vram: number | undefined
  digest: string | undefined
  /** When the server will unload it if nobody asks: later than our own requests explain, another client has asked. */
  expires_at: string | undefined
}

export interface ChatModel {
  /**
   * One request. Contract: the stream ends with exactly one `end` event or throws a `RunError`, never silently;
   * when `signal` fires it throws the signal's reason at once, also while the server loads or reads the prompt,
   * and the connection is closed; leaving the loop early closes the connection too.
   */
  chat(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ModelEvent>
  /** What the server knows about the model. Throws `RunError` `no_model` when it is not installed. */
  facts(model: string, options?: { signal?: AbortSignal }): Promise<ModelFacts>
  /** The models that are loaded now. */
  loaded(options?: { signal?: AbortSignal }): Promise<LoadedModel[]>
  /** The models that are installed, by name. */
  installed(options?: { signal?: AbortSignal }): Promise<InstalledModel[]>
  /** The server's version. Throws `RunError` `no_server` when nobody answers. */
  version(options?: { signal?: AbortSignal }): Promise<string>
  /** The server's address, as it is told to people. */
  readonly host: string
}

export interface InstalledModel {
  name: string
  /** Bytes on disk. */
  size: number
  digest: string
  parameter_size: string | undefined
}
