/**
 * The candidate that was probably meant by `name`, or undefined when none is near. Case, `-` and `_` do not count;
 * a name that begins a candidate is near, and so is one that is a typing slip or two away (one per three letters).
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(name)
  if (wanted === '' || wanted.length > LONGEST) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    const known = plain(candidate)
    const begins = wanted.length >= 3 && known.startsWith(wanted)
    const slips = typingSlips(wanted, known)
    const distance = begins ? slips / known.length : slips
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Nobody mistypes a name of more letters; comparing them would only take time. */
const LONGEST = 64

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}

/** Edit distance where a swap of two neighbours is one slip (optimal string alignment). */
export function typingSlips(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
        swapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
