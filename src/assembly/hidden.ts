/** What gives access to servers: no command gets it, no model is told it, no journal holds it. */
import type { Config } from '../config/config.ts'
import { filled, variablesIn } from '../config/fill.ts'

/** Variables of the environment that no program which a session runs gets. */
export const hiddenFrom = (config: Config): string[] => [
  ...config.permission.env,
  ...variablesIn(keysOf(config)),
]

const keysOf = ({ providers }: Config): unknown[] =>
  Object.values(providers).map(one => (one.type === 'openai' ? [one.api_key, one.headers, one.proxy] : []))

/** Whether a header's value gives access, as its name tells. */
export const isKeyHeader = (name: string): boolean => /auth|key|token|secret/i.test(name)

/** Shorter ones stand by chance in other texts. */
const SHORTEST = 8

/** What takes the keys of the configured servers out of a text, wherever it comes from; undefined: there are none. */
export function keyMask(
  { providers }: Pick<Config, 'providers'>,
  env: NodeJS.ProcessEnv,
): ((text: string) => string) | undefined {
  const own = Object.values(providers).flatMap(one => {
    if (one.type !== 'openai') return []
    const headers = Object.entries(one.headers ?? {}).filter(([name]) => isKeyHeader(name))
    return [one.api_key ?? '', ...headers.map(([, value]) => value)]
  })
  const keys = filled(own, { path: '', env })
    .value.map(key => key.replace(/^(?:Bearer|Basic) /i, ''))
    .filter(key => key.length >= SHORTEST)
  if (keys.length === 0) return undefined
  return text => keys.reduce((shown, key) => shown.replaceAll(key, '[masked: key]'), text)
}
