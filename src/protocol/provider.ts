/** What a configuration says of a server of models: `type` is its kind, everything else is that kind's own. */
import type { Price } from './wire.ts'

export interface OllamaProvider {
  type: 'ollama'
  /** By Ollama's rules for OLLAMA_HOST. */
  host: string
}

export interface OpenAiProvider {
  type: 'openai'
  /** What /chat/completions is added to. */
  base_url: string
  api_key?: string | undefined
  headers?: Record<string, string> | undefined
  /** The header in which the conversation's id goes along, for a router that keeps one conversation on one machine. */
  conversation_header?: string | undefined
  /** What the server does not tell: tokens of context, what they cost. */
  models?: Record<string, { context?: number | undefined; price?: Price | undefined }> | undefined
  /** ms; `ollama.timeout` where it is not said. */
  timeout?: number | undefined
  proxy?: string | undefined
  /** A file of certificates. */
  ca?: string | undefined
}
