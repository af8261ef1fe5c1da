/** Durations as people write them: a whole number and ms, s, m or h. Inside gopi they are milliseconds. */

const UNITS = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const

/** Timers of Node take at most this many milliseconds (24.8 days); a longer one would fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1

/** Milliseconds of `30s`, `2m`, …; undefined when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,15})(ms|s|m|h)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS]
}

/** The shortest way to write so many whole milliseconds. */
export function formatDuration(milliseconds: number): string {
  for (const [unit, size] of Object.entries(UNITS)) {
    if (milliseconds % size === 0 && milliseconds >= size) return `${milliseconds / size}${unit}`
  }
  return `${milliseconds}ms`
}
