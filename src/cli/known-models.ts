/** The models that are there with what is known about them, by provider, for a list to choose from. */
import { openProvider } from '../assembly/provider.ts'
import type { Backend } from '../backends/backend.ts'
import type { Config } from '../config/config.ts'
import { providersOf } from '../config/provider.ts'
import type { KnownModel } from '../tui/list/items.ts'

/** How long (ms) a server that is not talked to may take to say what it has. */
const PATIENCE = 500

/**
 * Servers that were silent: they are not asked again. It lives as long as whoever holds it, so that a list that is opened
 * again does not wait again.
 */
export type Misses = Set<string>

/**
 * Those of the server that is talked to come first. Rejects with `RunError` where that one does not answer and no other
 * has anything. A model about which its server says nothing is listed all the same.
 */
export async function knownModels({
  backend,
  config,
  misses,
  patience = PATIENCE,
}: {
  backend: Backend
  config: Config
  misses: Misses
  /** Milliseconds for a server that is not talked to. Default: 500. */
  patience?: number
}): Promise<KnownModel[]> {
  const own = modelsOf(backend)
  const others = await Promise.all(
    providersOf(config).map(one => modelsElsewhere(one, config, { misses, patience })),
  )
  const elsewhere = others.flat()
  // A sentence is worth more than nothing, and less than a list.
  return [...(await own.catch(error => (elsewhere.length > 0 ? [] : Promise.reject(error)))), ...elsewhere]
}

async function modelsOf(backend: Backend, signal?: AbortSignal): Promise<KnownModel[]> {
  const models = await backend.models({ loaded: true, ...(signal && { signal }) })
  const known = await Promise.all(
    models.map(async model => {
      const facts = await backend.facts(model.name, signal && { signal }).catch(() => undefined)
      const context = facts?.trained_context
      return {
        ...model,
        ...(context !== undefined && { context }),
        // Who tells of no abilities at all does not tell.
        ...(facts && facts.capabilities.length > 0 && { capabilities: facts.capabilities }),
      }
    }),
  )
  return known.filter(model => !embedsOnly(model))
}

/** It turns texts into numbers, and has no conversation. */
const embedsOnly = ({ capabilities = [] }: KnownModel): boolean =>
  capabilities.includes('embedding') && !capabilities.includes('completion')

async function modelsElsewhere(
  chosen: ReturnType<typeof providersOf>[number],
  config: Config,
  { misses, patience }: { misses: Misses; patience: number },
): Promise<KnownModel[]> {
  const { name } = chosen
  if (misses.has(name)) return []
  let backend: Backend | undefined
  try {
    backend = await openProvider(config, chosen)
    return await modelsOf(backend, AbortSignal.timeout(patience))
  } catch {
    misses.add(name)
    return []
  } finally {
    backend?.close?.()
  }
}
