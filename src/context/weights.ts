/**
 * How many tokens a text is, without a tokenizer: it is counted in pieces about as large as a token, by kind of writing,
 * and what a piece of each kind weighs is learned per model from the counts of its server. Pure.
 */

import type { Memory } from '../protocol/memory.ts'
import { fieldsOf } from '../text/record.ts'

/** What is weighed: pieces of text by kind, then what a template and the server add, by message, setup and image. */
export type Parts = Partial<Record<Kind, number>>
type Kind = keyof typeof beliefs

interface Weight {
  mean: number
  /** How far the mean may be off (standard deviation). */
  deviation: number
}

/** What is believed of a model that was never met. `setup` are the pieces of the system text and of the tools. */
const beliefs = {
  words: { mean: 0.95, deviation: 0.1, firmest: 0.02, least: 0.1, most: 4 },
  digits: { mean: 0.55, deviation: 0.3, firmest: 0.03, least: 0.1, most: 2 },
  foreign: { mean: 0.75, deviation: 0.25, firmest: 0.03, least: 0.05, most: 4 },
  setup: { mean: 1.05, deviation: 0.15, firmest: 0.01, least: 0.1, most: 4 },
  message: { mean: 7, deviation: 3, firmest: 0.5, least: 0, most: 60 },
  image: { mean: 700, deviation: 500, firmest: 10, least: 0, most: 8000 },
} satisfies Record<string, Weight & { firmest: number; least: number; most: number }>
const kinds = Object.keys(beliefs) as Kind[]

/** Texts of one kind differ: a share of their tokens, and tokens by which any count may be off (standard deviations). */
const textNoise = 0.08
const countNoise = 2

/** Letters from Greek on, CJK, and what needs two UTF-16 units; not dashes, arrows and box lines. */
const foreign = /[\u0370-\u1fff\u2c00-\ud7ff\ud800-\uffff]/g
const words =
  /[A-Z]{2,3}|[A-Za-z\u00c0-\u036f][a-z\u00c0-\u036f]{0,7}|[^\sA-Za-z0-9\u00c0-\u1fff\u2c00-\uffff]{1,3}\n?|\s{2,}|\n/g

export const partsOf = (text: string): Parts => ({
  words: count(text, words),
  digits: count(text, /\d/g),
  foreign: count(text, foreign),
})

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Adds `parts` so many times. */
export function add(sum: Parts, parts: Parts, times = 1): Parts {
  for (const kind of kinds) {
    const value = parts[kind]
    if (value) sum[kind] = (sum[kind] ?? 0) + value * times
  }
  return sum
}

export interface Weights {
  tokens(parts: Parts): number
  /** The server has counted so many tokens for these parts, among texts of so many tokens altogether. */
  learn(parts: Parts, tokens: number, compared: number): void
}

/** `key` names the server and the model. */
export function createWeights(memory: Memory, key: string): Weights {
  const weights = readWeights(memory.recall(key))

  const tokens = (parts: Parts): number =>
    kinds.reduce((sum, kind) => sum + weights[kind].mean * (parts[kind] ?? 0), 0)

  /** An error is shared out by how unsure each weight is, and what it was used on becomes surer. */
  function learn(parts: Parts, counted: number, compared: number): void {
    const expected = tokens(parts)
    const doubt = (kind: Kind) => weights[kind].deviation ** 2 * (parts[kind] ?? 0)
    const all = kinds.reduce((sum, kind) => sum + doubt(kind) * (parts[kind] ?? 0), 0)
    const variance = all + countNoise ** 2 + (textNoise * compared) ** 2
    const shares = kinds.map(kind => [kind, doubt(kind) / variance] as const)
    for (const [kind, share] of shares) {
      const { firmest, least, most } = beliefs[kind]
      const { mean, deviation } = weights[kind]
      weights[kind] = {
        mean: Math.min(most, Math.max(least, mean + share * (counted - expected))),
        deviation: Math.max(firmest, deviation * Math.sqrt(1 - share * (parts[kind] ?? 0))),
      }
    }
    memory.keep(key, { weights })
  }

  return { tokens, learn }
}

/** What a file says may be anything: whatever is not a possible weight is left out. */
function readWeights(kept: unknown): Record<Kind, Weight> {
  const given = fieldsOf(fieldsOf(kept).weights)
  const read = (kind: Kind): Weight => {
    const { mean, deviation } = fieldsOf(given[kind])
    const { least, most, firmest, ...usual } = beliefs[kind]
    if (!isWithin(mean, least, most) || !isWithin(deviation, 0, Number.MAX_VALUE)) {
      return { mean: usual.mean, deviation: usual.deviation }
    }
    return { mean, deviation: Math.min(usual.deviation, Math.max(firmest, deviation)) }
  }
  return Object.fromEntries(kinds.map(kind => [kind, read(kind)])) as Record<Kind, Weight>
}

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most
