/** The server that the configuration means. */
import { isHere } from '../backends/address.ts'
import type { Backend } from '../backends/backend.ts'
import { type BackendOptions, calledBy, openBackend, openPool } from '../backends/backends.ts'
import type { Config, PoolProvider, Provider } from '../config/config.ts'
import { filled } from '../config/fill.ts'
import { chosenProvider, namedProvider } from '../config/provider.ts'
import { UsageError } from '../protocol/errors.ts'
import type { Memory } from '../protocol/memory.ts'
import type { Price } from '../protocol/wire.ts'
import { isKeyHeader } from './hidden.ts'

export interface Server {
  backend: Backend
  /** With the model as the server calls it. */
  config: Config
  /** Somebody may pay for every token: nothing is read that nobody asked for. */
  isPaid: boolean
  /** Addresses to which a key goes as everybody on the way can read it. */
  openKeys: readonly string[]
}

type Servers = Pick<Config, 'ollama' | 'providers'>

interface OpenOptions {
  memory?: Memory | undefined
  retry?: BackendOptions['retry']
  env?: NodeJS.ProcessEnv
}

/** Nothing is asked yet. Rejects with `RunError`, or with `UsageError` where a variable is not set. */
export async function openServer(config: Config, options: OpenOptions = {}): Promise<Server> {
  const { name, provider, model } = chosenProvider(config)
  const backend = await openProvider(config, { name, provider }, options)
  return {
    backend,
    config: { ...config, ollama: { ...config.ollama, model } },
    isPaid: isPaid(config, provider, model.slice(name.length + 1)),
    openKeys: openKeys(config, provider, backend.host),
  }
}

/** The server that has the model, by its name: the chosen one, or another provider's in its place. Rejects as `openServer`. */
export async function serverOf(
  model: string | undefined,
  chosen: Server,
  options: OpenOptions,
): Promise<Server> {
  const { config, backend } = chosen
  const wanted = { ...config, ollama: { ...config.ollama, model: model ?? config.ollama.model } }
  if (chosenProvider(wanted).name === chosenProvider(config).name) return chosen
  backend.close?.()
  return openServer(wanted, options)
}

/** The server of a provider; its models are called `PROVIDER/MODEL`, Ollama's as they are. */
export async function openProvider(
  config: Servers,
  { name, provider }: { name: string; provider: Provider },
  options: OpenOptions = {},
): Promise<Backend> {
  const backend = await openBare(config, { name, provider }, options)
  return name === 'ollama' ? backend : calledBy(name, backend)
}

/** Its models are called as it calls them itself. */
async function openBare(
  config: Servers,
  { name, provider }: { name: string; provider: Provider },
  { memory, retry, env = process.env }: OpenOptions,
): Promise<Backend> {
  if (provider.type === 'pool') return openMembers(config, { name, provider }, { memory, env })
  const { value, problems } = filled(provider, { path: `providers.${name}`, env })
  if (name !== 'ollama' && problems.length > 0) throw new UsageError(problems)
  const whole = name === 'ollama' ? provider : value
  const { timeout } = config.ollama
  return openBackend(whole, { name, timeout, ...(memory && { memory }), ...(retry && { retry }) })
}

async function openMembers(
  config: Servers,
  { name, provider }: { name: string; provider: PoolProvider },
  options: OpenOptions,
): Promise<Backend> {
  const members = provider.of.map(member => ({ name: member, provider: namedProvider(config, member) }))
  const problems = members.flatMap(({ name: member, provider }) =>
    provider && provider.type !== 'pool'
      ? []
      : [
          `providers.${name}.of: expected names of providers that are no pools; came ${JSON.stringify(member)}`,
        ],
  )
  if (problems.length > 0) throw new UsageError(problems)
  const retry = { refused: [], busy: [] }
  return openPool(
    await Promise.all(
      members.map(async ({ name, provider }) => ({
        name,
        backend: await openBare(config, { name, provider: provider! }, { ...options, retry }),
      })),
    ),
  )
}

/** What a model costs, where the configuration tells. */
export function priceOf(config: Servers, model: string): Price | undefined {
  const { ollama, providers } = config
  const { name, provider } = chosenProvider({ ollama: { ...ollama, model }, providers })
  const own = model.slice(name.length + 1)
  if (provider.type !== 'pool') return priceAt(provider, own)
  // Nobody keeps who of a pool has answered: it has a price where they all ask the same.
  const [first, ...others] = membersOf(config, provider).map(member => priceAt(member, own))
  return others.every(price => isSame(price, first)) ? first : undefined
}

const isSame = (one: Price | undefined, other: Price | undefined): boolean =>
  one?.input === other?.input && one?.output === other?.output && one?.cached === other?.cached

const membersOf = (config: Servers, { of }: PoolProvider): Provider[] =>
  of.flatMap(name => namedProvider(config, name) ?? [])

function priceAt(provider: Provider, model: string): Price | undefined {
  const { models = {} } = provider.type === 'openai' ? provider : {}
  return Object.hasOwn(models, model) ? models[model]?.price : undefined
}

function isPaid(config: Servers, provider: Provider, model: string): boolean {
  if (provider.type === 'pool') {
    return membersOf(config, provider).some(member => member.type !== 'pool' && isPaid(config, member, model))
  }
  if (provider.type === 'ollama') return false
  return hasKey(provider) || priceAt(provider, model) !== undefined
}

function hasKey(provider: Provider): boolean {
  if (provider.type !== 'openai') return false
  const { api_key, headers = {} } = provider
  return api_key !== undefined || Object.keys(headers).some(isKeyHeader)
}

function openKeys(config: Servers, provider: Provider, host: string): string[] {
  const all = provider.type === 'pool' ? membersOf(config, provider) : [provider]
  return host
    .split(', ')
    .filter((one, at) => all[at] && hasKey(all[at]) && /^http:/i.test(one) && !isHere(one))
}
