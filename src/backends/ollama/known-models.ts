/**
 * What `/api/show` said about models, remembered per server and model: the first request of a session need not wait for
 * a look-up. Whether it still holds is checked alongside that request, by the digest that `/api/tags` and `/api/ps` tell.
 */
import type { Memory } from '../../protocol/memory.ts'
import { isRecord } from '../../text/record.ts'
import type { ModelFacts } from '../backend.ts'
import { type InstalledModel, isSameModel, type LoadedModel } from './facts.ts'

/** Milliseconds. A server that was updated sees more in the same model: what is older is asked again. */
const fresh = 24 * 3_600_000

export interface KnownModel {
  digest: string
  facts: ModelFacts
  /** False when it should be asked again soon although the digest may be the same. */
  fresh: boolean
}

export interface KnownModels {
  /** What was remembered; undefined: the model is new here, or what was kept cannot be read. */
  lookUp(model: string): KnownModel | undefined
  /** Without a digest nothing is kept: nobody could tell when it no longer holds. */
  remember(model: string, digest: string | undefined, facts: ModelFacts): void
}

export interface KnownModelsOptions {
  memory: Memory
  host: string
  /** Milliseconds since 1970. */
  now?: () => number
}

export function createKnownModels({ memory, host, now = Date.now }: KnownModelsOptions): KnownModels {
  const keyOf = (model: string) => `${host} ${model}`
  return {
    lookUp: model => readKnown(memory.recall(keyOf(model)), now()),
    remember(model, digest, facts) {
      if (!digest) return
      const { capabilities, trained_context } = facts
      memory.keep(keyOf(model), { digest: bare(digest), capabilities, trained_context, learned: now() })
    },
  }
}

/**
 * `same`: what is remembered holds. `changed`: it must be asked anew (`digest` is the new one). `missing`: the model is
 * not installed any more. `unknown`: the answers do not tell.
 */
export type Verdict = { verdict: 'same' | 'missing' | 'unknown' } | { verdict: 'changed'; digest: string }

/** Compares what is remembered with what the server says; answers that did not come are left out. */
export function verify(
  model: string,
  digest: string,
  { installed, loaded }: { installed?: readonly InstalledModel[]; loaded?: readonly LoadedModel[] },
): Verdict {
  const isMeant = ({ name }: { name: string }) => isSameModel(name, model)
  // What is installed is what the next load takes; a loaded model may be an older one.
  const found = installed?.find(isMeant)
  if (installed && !found) return { verdict: 'missing' }
  const current = found?.digest || loaded?.find(isMeant)?.digest
  if (!current) return { verdict: 'unknown' }
  return bare(current) === bare(digest) ? { verdict: 'same' } : { verdict: 'changed', digest: bare(current) }
}

const bare = (digest: string): string => digest.toLowerCase().replace(/^sha256[:-]/, '')

/** What a file says may be anything. */
function readKnown(kept: unknown, now: number): KnownModel | undefined {
  if (!isRecord(kept)) return undefined
  const { digest, capabilities, trained_context, learned } = kept
  const isList = Array.isArray(capabilities) && capabilities.every(one => typeof one === 'string')
  if (typeof digest !== 'string' || digest === '' || !isList) return undefined
  const isLength = typeof trained_context === 'number' && trained_context > 0
  const age = typeof learned === 'number' ? now - learned : Number.POSITIVE_INFINITY
  return {
    digest,
    facts: { capabilities, trained_context: isLength ? trained_context : undefined },
    fresh: age >= 0 && age < fresh,
  }
}
