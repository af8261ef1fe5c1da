/** Whether a model fits into memory with its context. Pure; all numbers are bytes, except for tokens. */

/** Bytes besides weights and cache: what computing takes, and the server itself. */
const BESIDES = 400_000_000

interface Weights {
  weights: number
  /** Of one token of context. */
  each: number
}

export const needed = ({ weights, each, context }: Weights & { context: number }): number =>
  weights + each * context + BESIDES

/** Tokens of context that fit, in whole thousands (of 1024). */
export function fitting({ weights, each, free }: Weights & { free: number }): number {
  const tokens = (free - weights - BESIDES) / each
  return Math.max(0, Math.floor(tokens / 1024) * 1024)
}
