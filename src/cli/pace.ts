/** How fast a model comes onto the server. */
import type { Pulling } from '../backends/backend.ts'

/** Milliseconds over which the speed is taken: a connection that stands still is seen within them. */
const WINDOW = 5000
/** Before so many have passed, nothing is said of the speed. */
const SHORTEST = 500

/** Bytes a second, of late. Another part of the model begins anew; undefined: too early to say. */
export function paceOf(): (step: Pulling, now: number) => number | undefined {
  let part: string | undefined
  let seen: { at: number; bytes: number }[] = []
  return ({ status, completed = 0 }, now) => {
    if (status !== part) seen = []
    part = status
    seen.push({ at: now, bytes: completed })
    while ((seen[1]?.at ?? now) <= now - WINDOW) seen.shift()
    const [first = { at: now, bytes: completed }] = seen
    // A part that failed is taken back.
    const come = Math.max(0, completed - first.bytes)
    return now - first.at < (come === 0 ? WINDOW / 2 : SHORTEST)
      ? undefined
      : (come * 1000) / (now - first.at)
  }
}
