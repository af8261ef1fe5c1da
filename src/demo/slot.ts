/**
 * One slot of a runner: the tokens whose state (KV cache) it still has. A request reads only what follows the longest
 * common prefix with them.
 */
export interface Slot {
  tokens: readonly number[]
  busy: boolean
  /** The larger, the later. */
  used: number
}

export interface Reading {
  /** Tokens of the whole prompt, of them still known, of them to be read. */
  prompt: number
  cached: number
  read: number
}

/** What a prompt costs in this slot. At least one token is always evaluated, as in Ollama. */
export function measure(slot: Slot, prompt: readonly number[]): Reading {
  const cached = Math.max(0, Math.min(commonPrefix(slot.tokens, prompt), prompt.length - 1))
  return { prompt: prompt.length, cached, read: prompt.length - cached }
}

/** The slot after a generation: prompt and reply; a full context has lost its older half unless `shift` is off. */
export function keep(slot: Slot, tokens: readonly number[], context: number): void {
  slot.tokens = tokens.length <= context ? tokens : tokens.slice(tokens.length - Math.floor(context / 2))
}

function commonPrefix(a: readonly number[], b: readonly number[]): number {
  const limit = Math.min(a.length, b.length)
  let length = 0
  while (length < limit && a[length] === b[length]) length++
  return length
}
