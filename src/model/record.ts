/** True for a JSON object: what arrives from a server is `unknown` until it has been looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
