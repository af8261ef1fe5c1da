/** What a configuration says of a server: checked by hand, so that one wrong entry is one sentence and costs nobody else. */
import type { Said } from '../protocol/sayings.ts'
import { isRecord } from '../text/record.ts'
import { said } from '../words/sayings/said.ts'

/** How a server is reached, as written. */
export interface ServerEntry {
  command?: string
  args?: string[]
  env?: Record<string, string>
  cwd?: string
  url?: string
  headers?: Record<string, string>
  /** Milliseconds that a call may take. */
  timeout: number
  /** The only tools that are offered. Default: all. */
  tools?: string[]
}

export interface EntryProblem {
  /** Where in the entry. */
  path: string[]
  why: Said
}

/** A call's milliseconds where nothing is configured. */
const DEFAULT_TIMEOUT = 60_000
/** The longest that a timer can wait. */
const LONGEST = 2 ** 31 - 1
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
const KEYS = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'timeout', 'enabled', 'tools']
/** Other assistants' words for how a server is reached. */
const STDIO = ['stdio', 'local']
const HTTP = ['http', 'streamable-http', 'streamableHttp', 'remote']

/**
 * An entry, `off` where it is switched off, or what is wrong with it. `strict`: keys that mean nothing here are refused; in
 * files that other assistants read too they are theirs.
 */
export function readEntry(
  name: string,
  entry: unknown,
  { strict }: { strict: boolean },
): { entry: ServerEntry } | { off: true } | { problem: EntryProblem } {
  const wrong = (path: string[], why: Said) => ({ problem: { path, why } })
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,39}$/.test(name) || name.endsWith('_'))
    return wrong([], said('mcp_entry.name', { name }))
  if (!isRecord(entry)) return wrong([], said('mcp_entry.mapping', {}))
  const stranger = strict ? Object.keys(entry).find(key => !KEYS.includes(key)) : undefined
  if (stranger !== undefined)
    return wrong([stranger], said('mcp_entry.key', { key: stranger, known: KEYS.join(', ') }))
  if (entry.enabled === false || entry.disabled === true) return { off: true }
  if (entry.enabled !== undefined && entry.enabled !== true)
    return wrong(['enabled'], said('mcp_entry.flag', { key: 'enabled' }))
  const { command, url, type } = entry
  for (const key of ['command', 'url', 'cwd'])
    if (entry[key] !== undefined && !isText(entry[key])) return wrong([key], said('mcp_entry.text', { key }))
  for (const key of ['args', 'tools'])
    if (entry[key] !== undefined && !isTexts(entry[key]))
      return wrong([key], said('mcp_entry.texts', { key }))
  for (const key of ['env', 'headers'])
    if (entry[key] !== undefined && !(isRecord(entry[key]) && Object.values(entry[key]).every(isValue)))
      return wrong([key], said('mcp_entry.values', { key }))
  if ((command === undefined) === (url === undefined)) return wrong([], said('mcp_entry.way', {}))
  const ways = command === undefined ? HTTP : STDIO
  if (type !== undefined && !ways.includes(String(type)))
    return wrong(['type'], said('mcp_entry.type', { type: String(type) }))
  const timeout = milliseconds(entry.timeout)
  if (timeout === undefined) return wrong(['timeout'], said('mcp_entry.timeout', {}))
  return {
    entry: {
      ...(isText(command) && { command }),
      ...(isText(url) && { url }),
      ...(isText(entry.cwd) && { cwd: entry.cwd }),
      ...(isTexts(entry.args) && { args: entry.args }),
      ...(isTexts(entry.tools) && { tools: entry.tools }),
      ...(isRecord(entry.env) && { env: texts(entry.env) }),
      ...(isRecord(entry.headers) && { headers: texts(entry.headers) }),
      timeout,
    },
  }
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && !value.includes('\0')
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string' && !item.includes('\0'))
const isValue = (value: unknown) =>
  (typeof value === 'string' && !value.includes('\0')) ||
  typeof value === 'number' ||
  typeof value === 'boolean'
const texts = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]))

/** A number is milliseconds, as other assistants write it; undefined: neither that nor a duration. */
function milliseconds(value: unknown): number | undefined {
  if (value === undefined) return DEFAULT_TIMEOUT
  const [, digits, unit = 'ms'] = /^(\d{1,10})(ms|s|m|h)?$/.exec(String(value)) ?? []
  const time = Number(digits) * (UNITS[unit] ?? Number.NaN)
  return (typeof value === 'number' || unit !== undefined) && time > 0 && time <= LONGEST ? time : undefined
}

/** The entry with its `${NAME}` and `${NAME:-default}` filled in; a variable that is not set and has no default. */
export function expandEntry(
  entry: ServerEntry,
  env: Readonly<Record<string, string | undefined>>,
): { entry: ServerEntry } | { unset: string } {
  let unset: string | undefined
  const fill = (text: string) =>
    text.replaceAll(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, otherwise?: string) => {
      // As in a shell, what is empty takes the default too.
      const value = env[name] || otherwise || env[name]
      if (value === undefined && otherwise === undefined) unset ??= name
      return value ?? otherwise ?? ''
    })
  const each = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]))
  const { command, url, cwd, args, headers, env: own } = entry
  const filled: ServerEntry = {
    ...entry,
    ...(command !== undefined && { command: fill(command) }),
    ...(url !== undefined && { url: fill(url) }),
    ...(cwd !== undefined && { cwd: fill(cwd) }),
    ...(args && { args: args.map(fill) }),
    ...(headers && { headers: each(headers) }),
    ...(own && { env: each(own) }),
  }
  return unset === undefined ? { entry: filled } : { unset }
}
