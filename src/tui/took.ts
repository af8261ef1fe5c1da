/** What a run took: time without what the person thought about, and tokens; one row below its answer. */
import type { SessionEvent } from '../protocol/events.ts'
import type { Usage } from '../protocol/messages.ts'
import type { Took } from './cells/cell.ts'

export interface Tally {
  /** Of performance.now(). */
  readonly since: number
  /** Calls that ask the person now, since when, and how long they did before (ms). */
  readonly asks: number
  readonly askedAt: number
  readonly askedMs: number
  readonly usages: readonly Usage[]
}

/** undefined: no run goes on. `now`: performance.now(), ms. */
export function tallyAfter(tally: Tally | undefined, event: SessionEvent, now: number): Tally | undefined {
  if (!tally) {
    const begins = event.type === 'agent_start' || (event.type === 'phase' && event.phase === 'waiting')
    return begins ? { since: now, asks: 0, askedAt: 0, askedMs: 0, usages: [] } : undefined
  }
  switch (event.type) {
    case 'permission_request':
      return { ...tally, asks: tally.asks + 1, askedAt: tally.asks === 0 ? now : tally.askedAt }
    case 'permission':
      if (tally.asks === 0) return tally
      return {
        ...tally,
        asks: tally.asks - 1,
        askedMs: tally.askedMs + (tally.asks === 1 ? now - tally.askedAt : 0),
      }
    case 'message':
      return event.role === 'assistant' && event.usage
        ? { ...tally, usages: [...tally.usages, event.usage] }
        : tally
    case 'agent_end':
      return undefined
    default:
      return tally
  }
}

/** Milliseconds of writing from which a rate says something. */
const WORTH_A_RATE = 500

/** undefined: nothing was answered. */
export function tookOf({ since, asks, askedAt, askedMs, usages }: Tally, now: number): Took | undefined {
  if (usages.length === 0) return undefined
  const sum = (figure: (usage: Usage) => number) => usages.reduce((all, usage) => all + figure(usage), 0)
  const decodeMs = sum(({ decode_ms }) => decode_ms)
  const missed = usages.findLast(({ miss }) => miss !== undefined)
  return {
    ms: now - since - askedMs - (asks > 0 ? now - askedAt : 0),
    reused: sum(({ reused_tokens }) => reused_tokens),
    read: sum(({ read_tokens }) => read_tokens),
    isEstimated: usages.some(({ estimated }) => estimated),
    ...(decodeMs >= WORTH_A_RATE && {
      rate: (1000 * sum(({ completion_tokens }) => completion_tokens)) / decodeMs,
    }),
    ...(missed?.miss !== undefined && {
      miss: {
        code: missed.miss_code ?? '',
        message: missed.miss,
        ...(missed.miss_facts && { facts: missed.miss_facts }),
      },
    }),
  }
}
