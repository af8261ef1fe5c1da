/**
 * Getting to know a model before a session's first request. What was remembered of it is not waited for: it is checked
 * alongside that request, and so is the server's version.
 */

import { RunError } from '../../protocol/errors.ts'
import type { Memory } from '../../protocol/memory.ts'
import type { Told } from '../../protocol/sayings.ts'
import { type Met, type ModelFacts, orUnknown, type Wishes } from '../backend.ts'
import { chooseContext } from './context.ts'
import { type InstalledModel, isSameModel, type LoadedModel, versionProblem } from './facts.ts'
import { createKnownModels, type KnownModel, verify } from './known-models.ts'

/** Milliseconds by which look-ups that nobody waits for let the first request go ahead. */
const beside = 20

export interface Acquaintance {
  host: string
  memory: Memory
  facts(model: string): Promise<ModelFacts>
  loaded(): Promise<LoadedModel[]>
  installed(): Promise<InstalledModel[]>
  version(): Promise<string>
}

/** Throws `RunError`. */
export async function meet(server: Acquaintance, model: string, wishes: Wishes): Promise<Met> {
  const known = createKnownModels(server)
  const remembered = known.lookUp(model)
  // Who has not pressed Enter yet is told at once that nobody is there, and offered to change it.
  const unless = (error: unknown) => {
    if (wishes.patient && error instanceof RunError && error.code === 'no_server') throw error
    return []
  }
  const asked = !remembered || wishes.patient ? server.loaded().catch(unless) : []
  if (remembered) setTimeout(() => void check(server, model, remembered), beside).unref()
  const [facts, loaded] = await Promise.all([
    remembered ? remembered.facts : server.facts(model).catch(orUnknown),
    asked,
  ])
  if (!remembered) {
    server.installed().then(
      installed => known.remember(model, installed.find(isNamed(model))?.digest, facts),
      () => {},
    )
  }
  const context = chooseContext({
    max_tokens: wishes.max_tokens,
    trained: facts.trained_context,
    loaded: loaded.find(isNamed(model))?.context_length,
  })
  return { facts, context }
}

const isNamed =
  (model: string) =>
  ({ name }: { name: string }): boolean =>
    isSameModel(name, model)

/** Asks whether what is remembered still holds; what changed is learned for the next start. */
async function check(server: Acquaintance, model: string, { digest, fresh }: KnownModel): Promise<void> {
  try {
    const [installed, loaded] = await Promise.all([server.installed(), server.loaded()])
    const now = verify(model, digest, { installed, loaded })
    const current =
      now.verdict === 'changed' ? now.digest : now.verdict === 'same' && !fresh ? digest : undefined
    if (current !== undefined) createKnownModels(server).remember(model, current, await server.facts(model))
  } catch {
    // The request itself meets the same trouble, and tells it.
  }
}

/** A server that is too old cuts prompts without a word: that is worth one of ours. */
export async function versionWarnings({ host, memory, version }: Acquaintance): Promise<Told[]> {
  const key = `${host} version`
  const ask = async (): Promise<string> => {
    const told = await version().catch(() => undefined)
    if (told !== undefined) memory.keep(key, { version: told })
    return told ?? ''
  }
  const { version: remembered } = (memory.recall(key) ?? {}) as { version?: unknown }
  const isKnown = typeof remembered === 'string'
  if (isKnown) setTimeout(() => void ask(), beside).unref()
  const problem = versionProblem(isKnown ? remembered : await ask())
  return problem === undefined ? [] : [problem]
}
