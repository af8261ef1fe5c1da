/** Which server is meant by the name of a model. */
import type { Config, Provider } from './config.ts'

export interface Chosen {
  /** `ollama` is the one that the section of that name describes. */
  name: string
  provider: Provider
  /** As it is called in the conversation: `PROVIDER/MODEL`, of Ollama's the bare name. */
  model: string
}

/** The one that is called so. */
export function namedProvider(
  { ollama, providers }: Pick<Config, 'ollama' | 'providers'>,
  name: string,
): Provider | undefined {
  if (name === 'ollama') return { type: 'ollama', host: ollama.host }
  return Object.hasOwn(providers, name) ? providers[name] : undefined
}

/** The servers besides the one that the chosen model is of. */
export function providersOf(
  config: Pick<Config, 'ollama' | 'providers'>,
): Pick<Chosen, 'name' | 'provider'>[] {
  const { name: current } = chosenProvider(config)
  const all = Object.entries(config.providers).map(([name, provider]) => ({ name, provider }))
  if (all.length === 0) return []
  const own = { name: 'ollama', provider: { type: 'ollama' as const, host: config.ollama.host } }
  return [own, ...all].filter(({ name }) => name !== current)
}

/** `PROVIDER/MODEL` where there is a provider of that name; any other name, with slashes or without, is Ollama's. */
export function chosenProvider({ ollama, providers }: Pick<Config, 'ollama' | 'providers'>): Chosen {
  const { host, model } = ollama
  const name = model.slice(0, Math.max(0, model.indexOf('/')))
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined
  if (provider && model.length > name.length + 1) return { name, provider, model }
  const own = { name: 'ollama', provider: { type: 'ollama' as const, host } }
  return { ...own, model: model.replace(/^ollama\/(?=.)/, '') }
}
