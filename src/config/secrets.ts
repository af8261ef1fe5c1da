/** Keys that stand in the configuration itself instead of in the environment: never shown, and said where others can read. */
import { statSync } from 'node:fs'
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'
import type { Config, Provider } from './config.ts'

const HIDDEN = '•••'
/** Headers that carry no secret. */
const OPEN = /^(?:accept|content-type|user-agent|http-referer|x-title|x-session-id)$/i

/** The same providers with every key hidden; what names a variable of the environment tells nobody anything. */
export function withoutKeys(providers: Config['providers']): Config['providers'] {
  return Object.fromEntries(Object.entries(providers).map(([name, provider]) => [name, hidden(provider)]))
}

function hidden(provider: Provider): Provider {
  if (provider.type !== 'openai') return provider
  const { api_key, headers, base_url, proxy } = provider
  return {
    ...provider,
    base_url: withoutLogin(base_url),
    ...(api_key !== undefined && { api_key: shown(api_key) }),
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, OPEN.test(name) ? value : shown(value)]),
      ),
    }),
    ...(proxy !== undefined && { proxy: withoutLogin(proxy) }),
  }
}

const withoutLogin = (url: string): string => url.replace(/^(\w+:\/\/)[^/]*@/, `$1${HIDDEN}@`)

/** What stands around variables may be a part of the key. */
const shown = (text: string): string => {
  const variables = text.match(/\$\{[A-Za-z_]\w*\}/g) ?? []
  const rest = variables.reduce((left, variable) => left.replace(variable, ''), text)
  return /^(?:Bearer |Basic )?$/i.test(rest) ? text : HIDDEN
}

/** Whether a key stands in the configuration itself. */
export const holdsKey = (providers: Config['providers']): boolean =>
  JSON.stringify(withoutKeys(providers)) !== JSON.stringify(providers)

/** What is to be said of a file that sets these providers: others can read the keys in it. */
export function openKeys(file: string, providers: Config['providers']): Told[] {
  if (!holdsKey(providers)) return []
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  return (mode & 0o077) === 0 ? [] : [told('config_file.open_key', { file })]
}
