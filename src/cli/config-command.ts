/** `gopi config`: what holds now, and where each value came from. */
import { formatDuration } from '../config/duration.ts'
import type { ConfigFile, LoadedConfig } from '../config/load.ts'
import { withoutKeys } from '../config/secrets.ts'
import { flatten, type Path, type Source, unflatten } from '../config/settings.ts'

const DURATIONS: ReadonlySet<string> = new Set<Path>(['ollama.timeout', 'tools.bash_timeout'])
const WIDEST_VALUE = 48

/**
 * The effective configuration as text that is YAML again, or as one JSON object: its `config` has the shape of
 * config.yaml, durations included, so that it can be given to `createSession`. Both end in a newline.
 */
export function showConfig(loaded: LoadedConfig, { json }: { json: boolean }): string {
  return json
    ? `${JSON.stringify(asJson(loaded), null, 2)}\n`
    : `${[...head(loaded), ...body(loaded)].join('\n')}\n`
}

function asJson({ config, sources, files, notices }: LoadedConfig) {
  return {
    config: unflatten(new Map(asWritten(config))),
    sources: Object.fromEntries(sources),
    files,
    notices: notices.map(({ message }) => message),
  }
}

function head({ files }: LoadedConfig): string[] {
  const said = (file: ConfigFile) => `#   ${file.file} (${file.from}${file.found ? '' : ', not there'})`
  return ['# Defaults, then these files, the environment and flags; later ones win:', ...files.map(said), '']
}

function body({ config, sources }: LoadedConfig): string[] {
  const rows: { text: string; source?: string }[] = []
  let current = ''
  for (const [path, value] of asWritten(config)) {
    const [section = '', key] = path.split('.')
    if (key !== undefined && section !== current) rows.push({ text: `${section}:` })
    current = section
    const source = (sources.get(path) ?? []).map(describe).join(', ')
    const [first = '', ...rest] = lines(key ?? section, value)
    const indent = key === undefined ? '' : '  '
    rows.push({ text: indent + first, source }, ...rest.map(text => ({ text: indent + text })))
  }
  const column = Math.max(...rows.map(({ text }) => text.length).filter(length => length <= WIDEST_VALUE)) + 3
  return rows.map(({ text, source }) =>
    source === undefined ? text : `${text.padEnd(column - 2)}  # ${source}`,
  )
}

function asWritten(config: LoadedConfig['config']): [Path, unknown][] {
  const shown = { ...config, providers: withoutKeys(config.providers) }
  const all = Object.entries(flatten(shown)) as [Path, unknown][]
  return all.map(([path, value]) => [path, DURATIONS.has(path) ? formatDuration(Number(value)) : value])
}

function describe({ from, name }: Source): string {
  return from === 'environment' || from === 'flag' ? `${from} ${name}` : from
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
