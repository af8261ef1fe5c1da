/** Which model a session talks to: the resumed session's if it is still there, else the one that is wanted. */
import { type Backend, type Met, orUnknown, type Wishes } from '../backends/backend.ts'
import { RunError } from '../protocol/errors.ts'
import { told } from '../words/sayings/told.ts'
import type { Notice } from './connection.ts'

export interface Search extends Wishes {
  backend: Backend
  model: string
  /** Somebody named the model: it is never replaced by another. */
  modelNamed: boolean
  /** The one of the resumed session. */
  before: string | undefined
  /** In place of `max_tokens`, for one model. */
  tokensFor?(model: string): number | undefined
}

export interface Found extends Met {
  model: string
  notices: Notice[]
}

/** If nobody named the model and it is not there, another takes its place. Rejects with `RunError`. */
export async function findModel(search: Search): Promise<Found> {
  const { modelNamed, model: wanted } = search
  const before = modelNamed ? undefined : search.before
  const notices: Notice[] = []
  if (before !== undefined) {
    const met = await meet(search, before).catch(unlessMissing)
    if (met) return { ...met, model: before, notices }
    notices.push(told('model.gone', { model: before }))
  }
  try {
    return { ...(await meet(search, wanted)), model: wanted, notices }
  } catch (error) {
    const used = modelNamed || !isMissing(error) ? undefined : await substitute(search.backend)
    if (used === undefined) throw error
    notices.push(told('model.substitute', { wanted, used }))
    return { ...(await meet(search, used)), model: used, notices }
  }
}

async function meet({ backend, patient, tokensFor, ...search }: Search, model: string): Promise<Met> {
  const max_tokens = tokensFor?.(model) ?? search.max_tokens
  if (backend.meet) return backend.meet(model, { max_tokens, patient })
  const facts = await backend.facts(model).catch(orUnknown)
  return { facts, context: contextLimit({ max_tokens, trained: facts.trained_context }) }
}

/** What max_tokens 0 means where nobody tells what the model and the server offer. */
const usual = 32_768

/** What a session may fill, in tokens: thresholds and percentages mean this number. */
export function contextLimit(lengths: {
  max_tokens: number
  trained: number | undefined
  context?: number
}): number {
  const { max_tokens, trained = Number.POSITIVE_INFINITY, context = Number.POSITIVE_INFINITY } = lengths
  const most = Math.min(max_tokens === 0 ? Number.POSITIVE_INFINITY : max_tokens, context, trained)
  return Number.isFinite(most) ? most : usual
}

/** Models that gopi is tuned for come first; those that only embed cannot talk. */
const preferred = [/^qwen2\.5-coder/, /^qwen3-coder/, /^qwen3/, /coder/]

async function substitute(backend: Backend): Promise<string | undefined> {
  const names = (await backend.models().catch(() => []))
    .map(({ name }) => name)
    .filter(name => !/embed|bge-|minilm/i.test(name))
  for (const pattern of preferred) {
    const found = names.find(name => pattern.test(name))
    if (found) return found
  }
  return names[0]
}

const isMissing = (error: unknown): boolean => error instanceof RunError && error.code === 'no_model'

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
  return undefined
}
