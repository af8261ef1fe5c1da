/** Fills `${NAME}` and `${NAME:-default}` from the environment into every text of a value. Nothing else is expanded. */

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/**
 * The value with its texts filled, and a sentence for every variable that is not set and has no default. `path`: what the
 * value is called in config.yaml.
 */
export function filled<Value>(
  value: Value,
  { path, env }: { path: string; env: Readonly<Record<string, string | undefined>> },
): { value: Value; problems: string[] } {
  const problems: string[] = []
  const fill = (inner: unknown, at: string): unknown => {
    if (typeof inner === 'string')
      return inner.replace(VARIABLE, (_, name: string, otherwise?: string) => {
        const found = env[name] || otherwise
        if (found === undefined) problems.push(`${at}: the environment variable ${name} is not set`)
        return found ?? ''
      })
    if (Array.isArray(inner)) return inner.map((one, index) => fill(one, `${at}[${index}]`))
    if (typeof inner !== 'object' || inner === null) return inner
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, fill(one, `${at}.${key}`)]))
  }
  return { value: fill(value, path) as Value, problems }
}

/** The variables that a value's texts name. */
export const variablesIn = (value: unknown): string[] => [
  ...new Set([...(JSON.stringify(value) ?? '').matchAll(VARIABLE)].map(([, name = '']) => name)),
]
