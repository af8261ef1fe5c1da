/** JSON, times and durations as Go writes and reads them: Ollama is a Go program, and clients see its habits. */

const ESCAPED: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** JSON as `json.Marshal` writes it: compact, with `<`, `>` and `&` escaped. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, c => ESCAPED[c] ?? c)
}

/** The same for a Go map, whose keys are sorted at every depth. */
export function goMapJson(value: unknown): string {
  return goJson(sorted(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

/** A time as RFC 3339 with up to nine digits, trailing zeros dropped. `ms` since 1970, fractions count. */
export function goTime(ms: number): string {
  const seconds = new Date(ms).toISOString().slice(0, 19)
  const fraction = String(Math.floor((ms % 1000) * 1e6))
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${seconds}${fraction && `.${fraction}`}Z`
}

/** Now, in milliseconds since 1970 with the fine clock's fractions. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

const UNITS: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1e3, m: 6e4, h: 36e5 }

/**
 * `keep_alive` in milliseconds: a number of seconds or a Go duration ("1h30m"); negative means for ever (Infinity).
 * Throws an `Error` with Go's words.
 */
export function goDuration(value: string | number): number {
  if (typeof value === 'number') return value < 0 ? Number.POSITIVE_INFINITY : value * 1000
  const parts = /^([+-]?)((?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+|0)$/.exec(value)
  if (!parts) {
    const fault = /^[+-]?\d+(\.\d*)?$/.test(value) ? 'missing unit in duration' : 'invalid duration'
    throw new Error(`time: ${fault} ${JSON.stringify(value)}`)
  }
  if (parts[1] === '-') return Number.POSITIVE_INFINITY
  let ms = 0
  for (const [, amount, unit] of (parts[2] ?? '').matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)) {
    ms += Number(amount) * (UNITS[unit ?? ''] ?? 0)
  }
  return ms
}

/** What Go's decoder calls a value. */
export function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value
}
