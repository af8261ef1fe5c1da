/**
 * How fast this machine reads with a model, learned from the server's times. Reading takes a fixed cost and a
 * time per token. A local server tells how many tokens a prompt has and how long it really worked, never what it still had: so
 * only requests count of which it is known that so many tokens at least were new.
 */
import type { Memory } from '../protocol/memory.ts'
import type { Metrics } from '../protocol/wire.ts'
import { fieldsOf, isRecord } from '../text/record.ts'

/** Requests that are remembered, so that a machine that has become slower or faster is noticed. */
const window = 24
/** With fewer new tokens a request says what the fixed cost is, with more how long a token takes. */
const telling = 96
/** Readings of many tokens without which nothing is foretold: the first ones may have been helped by a cache. */
const basis = 3
/** The fixed cost (ms) until one is known: what a real server needs for a prompt that it has. */
const usualFixed = 20
/** Milliseconds by token until they are known: a slow machine. */
const usualPerToken = 10
/** Milliseconds that a server which has the model loaded needs for a request beside reading, until that is known. */
const usualBookkeeping = 100
/** Milliseconds by which two readings of the same may differ: less is no evidence, and nobody feels it. */
const scatter = 100
/** Milliseconds that `load_ms` may reach although the model was loaded, until this server's usual figure is known. */
const usualLoad = 1000

/** What we know about a request ourselves. */
export interface Asked {
  /** Tokens that the server should have had to read. */
  expected: number
  /** Tokens that it can have seen nowhere: it read these at least. 0 when nothing is known. */
  unseen: number
  /** It stood in line behind another request of ours: its `load_ms` is that one's, and the model was there. */
  isBehind?: boolean
}

export interface Reading {
  /** Tokens of the prompt that were read anew, and tokens that the server still had. */
  read_tokens: number
  reused_tokens: number
  /** False where the server tells what it still had. */
  estimated: boolean
  /** The model was loaded for this request: nothing was left of what it had read before. */
  reloaded: boolean
  /** By the time that it took, far more was read than should have been. */
  missed: boolean
}

type Measured = Pick<Metrics, 'prompt_tokens' | 'cached_tokens' | 'prefill_ms' | 'load_ms'>

export interface Speed {
  /** What of a prompt was read, by the time that it took. To be asked before `learn` of the same request. */
  reading(metrics: Measured, asked: Asked): Reading
  /** Learns from an answered request. */
  learn(metrics: Metrics, asked: Asked): void
  /** Milliseconds that reading so many new tokens will take; undefined until enough was learned. */
  eta_ms(tokens: number): number | undefined
  /** The same with all that the server does beside, for a reading that nobody waits for; a guess until something was learned. */
  ahead_ms(tokens: number): number
}

interface Sample {
  tokens: number
  ms: number
}

interface Learned {
  /** Readings of many tokens, and of few. */
  long: Sample[]
  short: Sample[]
  /** `load_ms` of requests that found the model loaded. */
  idle: number[]
}

export function createSpeed({ memory, key }: { memory: Memory; key: string }): Speed {
  const learned = readLearned(memory.recall(key))
  // Worked out when something was learned, not when a reply has to be weighed: then the next request waits.
  let line = fit()
  let usualIdle = quantile(learned.idle, 0.5)

  /**
   * What was read is at least what is known to be new, so time by token is at most what a sample says: the true figure
   * is near the small ones. Not the smallest: where a server had seen the text after all, a sample is far too small.
   */
  function perToken(fixed: number): number | undefined {
    return quantile(
      learned.long.map(({ tokens, ms }) => Math.max(0.001, ms - fixed) / tokens),
      0.3,
    )
  }

  function fit(): { fixed: number; perToken: number } | undefined {
    const rough = perToken(usualFixed)
    if (rough === undefined) return undefined
    const rests = learned.short.map(({ tokens, ms }) => Math.max(0, ms - tokens * rough))
    const fixed = quantile(rests, 0.3) ?? usualFixed
    return { fixed, perToken: perToken(fixed) ?? rough }
  }

  function wasLoaded(load_ms: number): boolean {
    return load_ms > (usualIdle === undefined ? usualLoad : usualIdle * 4 + 250)
  }

  function reading(
    { prompt_tokens, cached_tokens, prefill_ms, load_ms }: Measured,
    { expected, isBehind = false }: Asked,
  ): Reading {
    if (cached_tokens !== undefined) return exactly(prompt_tokens, cached_tokens, expected)
    const loaded = !isBehind && wasLoaded(load_ms)
    const within = (tokens: number) => Math.round(Math.max(1, Math.min(prompt_tokens, tokens)))
    const result = (read_tokens: number, missed: boolean): Reading => ({
      read_tokens,
      reused_tokens: Math.max(0, prompt_tokens - read_tokens),
      estimated: true,
      reloaded: loaded,
      missed,
    })
    const should = within(expected)
    if (loaded) return result(within(prompt_tokens), isFarMore(prompt_tokens, should))
    if (!line || learned.long.length < basis) return result(should, false)
    // As long as the time fits what was expected, that is the better figure.
    const excess = prefill_ms - line.fixed - should * line.perToken
    const byTime = within((prefill_ms - line.fixed) / line.perToken)
    const fits = Math.abs(excess) < scatter || (byTime <= should * 2 + 64 && byTime >= should / 2 - 64)
    return fits ? result(should, false) : result(byTime, isFarMore(byTime, should))
  }

  function learn(metrics: Metrics, asked: Asked): void {
    const { prompt_tokens, prefill_ms, load_ms } = metrics
    const loaded = !asked.isBehind && wasLoaded(load_ms)
    if (!loaded && !asked.isBehind) push(learned.idle, load_ms)
    const told = metrics.cached_tokens === undefined ? undefined : prompt_tokens - metrics.cached_tokens
    const tokens = told ?? (loaded ? prompt_tokens : surelyRead(asked, prompt_tokens))
    if (prefill_ms > 0 && tokens > 0) {
      push(tokens >= telling ? learned.long : learned.short, { tokens, ms: prefill_ms })
    }
    line = fit()
    usualIdle = quantile(learned.idle, 0.5)
    memory.keep(key, learned)
  }

  return {
    reading,
    learn,
    eta_ms: tokens =>
      line && learned.long.length >= basis
        ? Math.round(line.fixed + Math.max(0, tokens) * line.perToken)
        : undefined,
    ahead_ms: tokens =>
      (usualIdle ?? usualBookkeeping) +
      (line?.fixed ?? usualFixed) +
      tokens * (line?.perToken ?? usualPerToken),
  }
}

/**
 * Where most of what was expected is new for certain, the rest — a call that is rendered anew, the template's words — was
 * read too; else only what is certain counts. With few tokens the difference is small, and the fixed cost is what counts.
 */
function surelyRead({ expected, unseen }: Asked, prompt_tokens: number): number {
  const mostlyNew = unseen >= expected / 2 || expected < telling
  return Math.min(prompt_tokens, mostlyNew ? Math.max(expected, unseen) : unseen)
}

function exactly(prompt_tokens: number, cached_tokens: number, expected: number): Reading {
  const read_tokens = prompt_tokens - cached_tokens
  return {
    read_tokens,
    reused_tokens: cached_tokens,
    estimated: false,
    reloaded: false,
    missed: isFarMore(read_tokens, expected),
  }
}

/** So much that no scatter of times explains it. */
const isFarMore = (read: number, expected: number): boolean => read >= 2 * expected + 256

function push<T>(list: T[], value: T): void {
  list.push(value)
  if (list.length > window) list.shift()
}

/** The value below which this share of the values lies; undefined without values. */
function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.round((sorted.length - 1) * share)]
}

/** What a file says may be anything: whatever is no possible figure is left out. */
function readLearned(kept: unknown): Learned {
  const given = fieldsOf(kept)
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(-window) : [])
  const isFigure = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 1e9
  const isSample = (value: unknown): value is Sample =>
    isRecord(value) && isFigure(value.ms) && isFigure(value.tokens) && value.tokens > 0
  return {
    long: list(given.long).filter(isSample),
    short: list(given.short).filter(isSample),
    idle: list(given.idle).filter(isFigure),
  }
}
