/** The kinds of servers that gopi talks to: another one is a folder next to this file, a line here, and its type. */
import { RunError } from '../protocol/errors.ts'
import type { OllamaProvider, OpenAiProvider } from '../protocol/provider.ts'
import { told } from '../words/sayings/told.ts'
import type { Backend } from './backend.ts'
import type { ClientOptions } from './http/options.ts'
import type { Member } from './pool.ts'

/** What the configuration says of a server. */
export type Provider = OllamaProvider | OpenAiProvider

export interface BackendOptions extends Pick<ClientOptions, 'timeout' | 'memory' | 'retry'> {
  /** The provider's name. */
  name: string
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
