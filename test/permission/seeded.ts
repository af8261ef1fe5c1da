/** A whole number below `below`, evenly. */
export type Random = (below: number) => number

/** mulberry32: a few lines of arithmetic that give the same numbers everywhere. */
export function seeded(seed: number): Random {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}
