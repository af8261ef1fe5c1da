/** `gopi config`: what holds now, and where each value came from; `gopi config get KEY`: one value of it. */
import { formatDuration } from '../config/duration.ts'
import type { ConfigFile, LoadedConfig } from '../config/load.ts'
import { withoutKeys } from '../config/secrets.ts'
import { flatten, type Path, type Source, unflatten } from '../config/settings.ts'
import { isRecord } from '../text/record.ts'
import { displayWidth } from '../text/width.ts'
import type { Reports } from '../words/reports-en.ts'
import { inColumns } from './columns.ts'

const DURATIONS: ReadonlySet<string> = new Set<Path>(['ollama.timeout', 'tools.bash_timeout'])
const WIDEST_VALUE = 48

type Words = Reports['config']

/** The effective configuration as text that is YAML again; a newline at the end. */
export const showConfig = (loaded: LoadedConfig, words: Words): string =>
  `${[...head(loaded, words), ...body(loaded, words)].join('\n')}\n`

/**
 * The same as one JSON object, and a newline: its `config` has the shape of config.yaml, durations included, so that it
 * can be given to `createSession`.
 */
export const configAsJson = (loaded: LoadedConfig): string => `${JSON.stringify(asJson(loaded), null, 2)}\n`

/**
 * What stands at `key` (`ollama.model`), or the section of that name, as `showConfig` writes it (`json`: as
 * `configAsJson` does), and a newline. undefined: nothing is set there, or there is no such key.
 */
export function configAt(loaded: LoadedConfig, key: string, json = false): string | undefined {
  let value: unknown = unflatten(new Map(asWritten(loaded.config)))
  for (const name of key.split('.'))
    value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  if (value === undefined) return undefined
  if (json) return `${JSON.stringify(value, null, 2)}\n`
  if (Array.isArray(value)) return value.map(item => `- ${scalar(item)}\n`).join('')
  if (!isRecord(value)) return `${scalar(value)}\n`
  return Object.entries(value)
    .flatMap(([name, inner]) => lines(name, inner))
    .map(line => `${line}\n`)
    .join('')
}

function asJson({ config, sources, files, notices }: LoadedConfig) {
  return {
    config: unflatten(new Map(asWritten(config))),
    sources: Object.fromEntries(sources),
    files,
    notices: notices.map(({ message }) => message),
  }
}

function head({ files }: LoadedConfig, words: Words): string[] {
  const facts = (file: ConfigFile) =>
    [words.from[file.from], ...(file.found ? [] : [words.absent])].join(', ')
  return [`# ${words.head}`, ...files.map(file => `#   ${file.file} (${facts(file)})`), '']
}

function body({ config, sources }: LoadedConfig, words: Words): string[] {
  const rows: { text: string; source?: string }[] = []
  let current = ''
  for (const [path, value] of asWritten(config)) {
    const [section = '', key] = path.split('.')
    if (key !== undefined && section !== current) rows.push({ text: `${section}:` })
    current = section
    const source = (sources.get(path) ?? []).map(source => describe(source, words)).join(', ')
    const [first = '', ...rest] = lines(key ?? section, value)
    const indent = key === undefined ? '' : '  '
    rows.push({ text: indent + first, source }, ...rest.map(text => ({ text: indent + text })))
  }
  const column =
    Math.max(...rows.map(({ text }) => displayWidth(text)).filter(width => width <= WIDEST_VALUE)) + 3
  return rows.map(({ text, source }) =>
    source === undefined ? text : `${inColumns(text, column - 2)}  # ${source}`,
  )
}

function asWritten(config: LoadedConfig['config']): [Path, unknown][] {
  const shown = { ...config, providers: withoutKeys(config.providers) }
  const all = Object.entries(flatten(shown)) as [Path, unknown][]
  return all.map(([path, value]) => [path, DURATIONS.has(path) ? formatDuration(Number(value)) : value])
}

function describe({ from, name }: Source, words: Words): string {
  const said = words.from[from]
  return from === 'environment' || from === 'flag' ? `${said} ${name}` : said
}

/** A key and its value as YAML; the items of a list or mapping get lines of their own. */
function lines(key: string, value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? [`${key}: []`] : [`${key}:`, ...value.map(item => `  - ${scalar(item)}`)]
  }
  if (typeof value !== 'object' || value === null) return [`${key}: ${scalar(value)}`]
  const inner = Object.entries(value)
  return inner.length === 0
    ? [`${key}: {}`]
    : [`${key}:`, ...inner.map(([name, item]) => `  ${scalar(name)}: ${scalar(item)}`)]
}

/** Quoted where YAML could read something else. A JSON string is a YAML string. */
function scalar(value: unknown): string {
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  if (typeof value !== 'string') return text
  const plain = /^(?!(?:true|false|null)$)(?:[A-Za-z][\w./+-]*(?::[\w./+-]+)*|\d+(?:ms|s|m|h))$/i.test(text)
  return plain || /^https?:\/\/[\w.:/-]*\w$/.test(text) ? text : JSON.stringify(text)
}
