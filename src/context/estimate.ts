/**
 * How many tokens a request will be. The server's own count of what it last answered is the truth; only what it has not
 * seen yet is estimated: our count of it (cl100k) times weights that are learned from the server's answers, per model.
 */
import type { Memory } from '../protocol/memory.ts'
import type { AssistantMessage } from '../protocol/messages.ts'
import type { Metrics } from '../protocol/wire.ts'
import { type Anchor, type Answered, type Difference, difference } from './difference.ts'
import { beliefs, type PartName, type Parts, partNames, type Sent, vector } from './parts.ts'
import { Regression } from './regression.ts'
import { createTextMeasure, type Density, type TextMeasure, usualDensity } from './text-parts.ts'
import type { TokenCounter } from './token-counter.ts'
import { tokensFrom, unread } from './unread.ts'

/** Tokens, all of them estimates. */
export interface Expected {
  /** The whole request, as `prompt_tokens` will count it. */
  tokens: number
  /** What of it the server has to read, if it still has what it was last sent. */
  new_tokens: number
  /** What of it the server can have seen nowhere: a lower bound of what it reads. */
  unseen_tokens: number
  /** What we changed in what was already sent ("the tools", "message 3 (user)"): everything from there is read again. */
  changed?: string
}

export interface EstimateOptions {
  counter: Pick<TokenCounter, 'count'>
  memory: Memory
  /** Names the server and the model: what is learned holds for these. */
  key: string
}

type Counts = Pick<Metrics, 'prompt_tokens' | 'completion_tokens'>

/** Texts differ in how they are encoded although the weights are right: a share of their tokens (standard deviation). */
const textNoise = 0.03
/** The same for text that nobody has counted yet. */
const guessNoise = 0.2
/** Tokens by which any count may be off. */
const countNoise = 1.5

export class Estimate {
  readonly #memory: Memory
  readonly #key: string
  readonly #regression: Regression
  readonly #texts: TextMeasure
  /** The first request that was counted, which all later ones share their beginning with, and the last one. */
  #first: Anchor | undefined
  #last: Anchor | undefined
  #held: Answered | undefined

  constructor({ counter, memory, key }: EstimateOptions) {
    this.#memory = memory
    this.#key = key
    const learned = readLearned(memory.recall(key))
    this.#regression = new Regression(partNames.map(name => ({ ...beliefs[name], ...learned.weights[name] })))
    this.#texts = createTextMeasure(counter, learned.density)
  }

  /** What a request will be, to be asked before it is sent. */
  expect(request: Sent): Expected {
    const scale = this.#scale()
    const tokens = Math.max(1, Math.round(this.#tokens(request)))
    if (!this.#held) return { tokens, new_tokens: tokens, unseen_tokens: 0 }
    const { changed, unseen_tokens, ...place } = unread(this.#held, request, scale)
    const fresh = place.from === 0 ? tokens : Math.round(tokensFrom(request, place, scale))
    return {
      tokens,
      new_tokens: Math.min(tokens, Math.max(1, fresh)),
      unseen_tokens: Math.round(unseen_tokens),
      ...(changed !== undefined && { changed }),
    }
  }

  /**
   * The server has answered a request (a prewarm too): learns from its counts. Without them — the reply was cut — it is
   * only noted that the server has read it. → what was expected of the request, as of now.
   */
  answered(request: Sent, { counts, reply }: { counts?: Counts; reply?: AssistantMessage }): Expected {
    const expected = this.expect(request)
    if (counts && counts.prompt_tokens > 0) {
      this.#learn(request, counts)
      this.#anchor({ request, reply, ...counts })
    }
    this.#held = { request, reply }
    return expected
  }

  /** Takes up a resumed conversation: `request` is what `reply`, which has its usage, was the answer to. */
  resume(request: Sent, reply: AssistantMessage): void {
    if (!reply.usage) return
    const { prompt_tokens, completion_tokens } = reply.usage
    this.#anchor({ request, reply, prompt_tokens, completion_tokens })
    this.#held = { request, reply }
  }

  /** Tokens of a bare text, by its characters: quick, for text that is still being typed. */
  text(text: string): number {
    return Math.round(this.#scale().tokens(this.#texts.guess(text)))
  }

  #scale() {
    return {
      measure: this.#texts.measure,
      tokens: (parts: Parts) => this.#regression.predict(vector(parts)),
    }
  }

  /**
   * From the last count, unless so much has changed since (a compaction) that the first one, or none, leads there more
   * surely.
   */
  #tokens(request: Sent): number {
    const last = this.#from(this.#last, request)
    if (this.#last && last.compared < this.#last.prompt_tokens / 2) return last.tokens
    return [this.#from(this.#first, request), this.#from(undefined, request)].reduce(
      (best, other) => (other.variance < best.variance ? other : best),
      last,
    ).tokens
  }

  #from(anchor: Anchor | undefined, request: Sent) {
    const found = difference(anchor, request, this.#scale())
    const parts = vector(found.parts)
    return {
      tokens: (anchor?.prompt_tokens ?? 0) + this.#regression.predict(parts),
      variance: this.#regression.variance(parts) + noise(found),
      compared: found.compared,
    }
  }

  #learn(request: Sent, { prompt_tokens }: Counts): void {
    const last = this.#last
    const found = difference(last, request, this.#scale())
    const more = prompt_tokens - (last?.prompt_tokens ?? 0)
    if (Object.values(found.parts).some(part => part !== 0)) {
      this.#regression.learn(vector(found.parts), more, noise(found))
    }
    this.#memory.keep(this.#key, this.#learned())
  }

  #anchor(anchor: Anchor): void {
    this.#first ??= anchor
    this.#last = anchor
  }

  #learned(): Learned {
    const weights = this.#regression.learned.map((weight, index) => [partNames[index], weight])
    return { weights: Object.fromEntries(weights), density: this.#texts.density() }
  }
}

function noise({ compared, guessed }: Pick<Difference, 'compared' | 'guessed'>): number {
  return countNoise ** 2 + (textNoise * compared) ** 2 + (guessNoise * guessed) ** 2
}

interface Learned {
  weights: Partial<Record<PartName, { mean: number; deviation: number }>>
  density: Density
}

/** What a file says may be anything: whatever is not a possible weight is left out. */
function readLearned(kept: unknown): Learned {
  const { weights: given, density } = (kept ?? {}) as { weights?: unknown; density?: unknown }
  const weights: Learned['weights'] = {}
  for (const name of partNames) {
    const { mean, deviation } = fieldsOf(fieldsOf(given)[name])
    const { least, most, firmest, deviation: usual } = beliefs[name]
    if (!isWithin(mean, least, most) || !isWithin(deviation, 0, Number.MAX_VALUE)) continue
    weights[name] = { mean, deviation: Math.min(usual, Math.max(firmest, deviation)) }
  }
  const { latin, foreign } = fieldsOf(density)
  return {
    weights,
    density: {
      latin: isWithin(latin, 0.02, 2) ? latin : usualDensity.latin,
      foreign: isWithin(foreign, 0.02, 8) ? foreign : usualDensity.foreign,
    },
  }
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most
