/**
 * Several servers that have the same models, as one. A conversation stays with the server that has it in its cache for as
 * long as that one answers; how each is doing is known from its last answers, nobody is asked for it.
 */
import { RunError } from '../protocol/errors.ts'
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'
import type { Backend, ChatRequest, ModelEvent } from './backend.ts'
import { DEFAULT_RETRY, planRetries, sleep } from './http/retry.ts'

/** Its requests are not tried again by itself: another server may have the answer sooner. */
export interface Member {
  /** The provider's name. */
  name: string
  backend: Backend
}

interface Place extends Member {
  /** Requests under way. */
  busy: number
  /** What its last answer was, where it was none, and when (ms). */
  failure?: { error: RunError; at: number } | undefined
}

/** How long (ms) a server that has failed is asked last. */
const REST = 30_000

/** Nothing is sent before the first request. Of servers with the same room the one named first is taken. */
export function createPool(members: readonly Member[]): Backend {
  const places: Place[] = members.map(member => ({ ...member, busy: 0 }))
  const host = members.map(({ backend }) => backend.host).join(', ')
  /** Where each conversation is in the cache; the first one is the person's. */
  const homes = new Map<string, Place>()

  /** Those that may be asked, the best first. */
  function ranked(without: ReadonlySet<Place>, home?: Place): Place[] {
    const [main] = homes.values()
    const rank = (place: Place) => [isResting(place), place !== home, place.busy, place === main].map(Number)
    return places
      .filter(place => !without.has(place))
      .map(place => ({ place, rank: rank(place) }))
      .sort((one, other) => one.rank.map((value, i) => value - other.rank[i]!).find(Boolean) ?? 0)
      .map(({ place }) => place)
  }

  async function* chat(
    request: ChatRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent> {
    const name = request.conversation ?? ''
    const plan = planRetries(DEFAULT_RETRY, { host, model: request.model })
    const tried = new Set<Place>()
    for (;;) {
      const home = homes.get(name)
      const place = ranked(tried, home)[0]!
      homes.set(name, place)
      if (home?.failure && place !== home) yield { type: 'notice', ...moved(home.failure.error, place) }
      let begun = false
      let failure: RunError
      place.busy++
      try {
        for await (const event of place.backend.chat(request, { signal })) {
          begun ||= event.type !== 'notice'
          if (begun) place.failure = undefined
          yield event
        }
        return
      } catch (error) {
        signal.throwIfAborted()
        failure = noted(place, error)
      } finally {
        place.busy--
      }
      if (begun) {
        const next = ranked(tried.add(place)).find(other => !isResting(other))
        if (!next) throw failure
        homes.set(name, next)
        throw toBeMended(failure)
      }
      tried.add(place)
      if (tried.size < places.length) continue
      const again = plan(failure)
      if (!again) throw failure
      if (again.notice) yield { type: 'notice', ...again.notice }
      await sleep(again.wait, signal)
      tried.clear()
    }
  }

  /** The answer of the first that has one. */
  async function first<Answer>(ask: (backend: Backend) => Promise<Answer>): Promise<Answer> {
    const [main] = homes.values()
    let failure: RunError | undefined
    for (const place of ranked(new Set(), main)) {
      try {
        return await ask(place.backend)
      } catch (error) {
        failure ??= noted(place, error)
      }
    }
    throw failure
  }

  /** Who has the person's conversation, or would get it. */
  const main = (): Backend => (homes.values().next().value ?? ranked(new Set())[0]!).backend

  const all = members.map(({ backend }) => backend)
  return {
    host,
    chat,
    facts: (model, options) => first(backend => backend.facts(model, options)),
    async models(options) {
      const answers = await Promise.allSettled(all.map(backend => backend.models(options)))
      const lists = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))
      if (lists.length === 0) throw (answers[0] as PromiseRejectedResult).reason
      return [...new Map(lists.flat().map(model => [model.name, model])).values()]
    },
    ...(all.every(({ meet }) => meet) && {
      meet: (model, wishes) => first(backend => backend.meet!(model, wishes)),
    }),
    // Of a member that cannot tell nobody knows that the model is not loaded.
    ...(all.every(({ state }) => state) && { state: async model => main().state?.(model) }),
    shortfall: async (model, context) => main().shortfall?.(model, context),
    places: () => Math.max(1, places.filter(place => !isResting(place)).length),
    warnings: async () => (await Promise.all(all.map(backend => backend.warnings?.() ?? []))).flat(),
    close() {
      for (const backend of all) backend.close?.()
    },
  }
}

const isResting = ({ failure }: Place): boolean =>
  failure !== undefined && performance.now() - failure.at < REST

/** What another server may do better is kept in mind; anything else is thrown. */
function noted(place: Place, error: unknown): RunError {
  const isItsOwn = error instanceof RunError && error.remedy === undefined && OWN.has(error.code)
  if (!isItsOwn) throw error
  place.failure = { error, at: performance.now() }
  return error
}

const OWN: ReadonlySet<string> = new Set(['no_server', 'no_model', 'busy', 'stream', 'memory'])

const moved = ({ code, facts, message }: RunError, { name }: Place): Told =>
  told('pool.moved', { reason: facts ? { code, facts } : message, name })

/** What was said belongs to the conversation by now: who keeps that has to ask again. */
function toBeMended(cause: RunError): RunError {
  const { code, facts, message } = cause
  const options = { remedy: 'elsewhere', cause } as const
  return facts ? new RunError({ code, facts, message }, options) : new RunError(code, message, options)
}
