/** The kinds of servers that gopi talks to: another one is a folder next to this file, a line here, and its type. */
import { RunError } from '../protocol/errors.ts'
import type { Memory } from '../protocol/memory.ts'
import { told } from '../words/sayings/told.ts'
import type { Backend } from './backend.ts'
import type { RetryOptions } from './http/retry.ts'
import type { Member } from './pool.ts'

/** What the configuration says of a server. */
export type Provider = OllamaProvider | OpenAiProvider

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
  /** The header in which a conversation's id goes along. */
  conversation_header?: string | undefined
  /** What the server does not tell: tokens of context. */
  models?: Record<string, { context?: number | undefined }> | undefined
  /** ms. */
  timeout?: number | undefined
  proxy?: string | undefined
  /** A file. */
  ca?: string | undefined
}

export interface BackendOptions {
  /** The provider's name. */
  name: string
  /** ms for connecting and for small questions. */
  timeout: number
  /** What is remembered of models and servers between starts. Default: nothing. */
  memory?: Memory
  /** Default: as long as a server usually takes to start, or to have room again. */
  retry?: RetryOptions
}

type Open<Kind> = (provider: Kind, options: BackendOptions) => Promise<Backend>

const KINDS: { [Type in Provider['type']]: Open<Extract<Provider, { type: Type }>> } = {
  ollama: async ({ host }, options) =>
    (await import('./ollama/ollama.ts')).createOllama({ host, ...options }),
  openai: async ({ timeout, ...provider }, options) =>
    (await import('./openai/openai.ts')).createOpenAi({
      ...provider,
      ...options,
      timeout: timeout ?? options.timeout,
    }),
}

/** Loads the kind that is asked for; nothing is sent before the first request. Rejects with `RunError`. */
export function openBackend(provider: Provider, options: BackendOptions): Promise<Backend> {
  const open = KINDS[provider.type] as Open<Provider>
  return open(provider, options)
}

/** Servers that have the same models, as one. */
export const openPool = async (members: readonly Member[]): Promise<Backend> =>
  (await import('./pool.ts')).createPool(members)

/** The same server, whose models are called `PROVIDER/MODEL` by everybody outside. */
export function calledBy(provider: string, backend: Backend): Backend {
  const prefix = `${provider}/`
  const own = (model: string): string => {
    if (model.startsWith(prefix)) return model.slice(prefix.length)
    throw new RunError(told('no_model.other_provider', { model, provider }))
  }
  const { meet, state, shortfall, tokenBytes, pull } = backend
  return {
    ...backend,
    chat: (request, options) => backend.chat({ ...request, model: own(request.model) }, options),
    facts: async (model, options) => backend.facts(own(model), options),
    async models(options) {
      const models = await backend.models(options)
      return models.map(model => ({ ...model, name: prefix + model.name }))
    },
    ...(meet && { meet: async (model, wishes) => meet(own(model), wishes) }),
    ...(state && { state: async model => state(own(model)) }),
    ...(tokenBytes && { tokenBytes: async model => tokenBytes(own(model)) }),
    ...(pull && { pull: (model, options) => pull(own(model), options) }),
    ...(shortfall && { shortfall: async (model, context) => shortfall(own(model), context) }),
  }
}
