/** Variables of the environment that no program which a session runs gets. */
import type { Config } from '../config/config.ts'
import { variablesIn } from '../config/fill.ts'

export const hiddenFrom = (config: Config): string[] => [
  ...config.permission.env,
  ...variablesIn(keysOf(config)),
]

/** What gives access to servers: no command needs it. */
const keysOf = ({ providers }: Config): unknown[] =>
  Object.values(providers).map(one => (one.type === 'openai' ? [one.api_key, one.headers, one.proxy] : []))
