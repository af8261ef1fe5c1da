/**
 * Settings: single values that a source (a file, the environment, a flag) sets, already checked, each with its address:
 * `ollama.model`. Merging them needs no library, so a start whose files are known to be good loads none.
 */
import { type Config, defaults } from './config.ts'

/** Parts that are set as a whole. */
const WHOLE = [
  'providers',
  'sandbox',
  'max_turns',
  'instructions',
  'verify',
  'extensions',
  'hooks',
  'mcp',
] as const
type Whole = (typeof WHOLE)[number]
type Section = Exclude<keyof Config, Whole>

/** The address of a setting, as people read it: `ollama.model`. */
export type Path = { [S in Section]: `${S}.${string & keyof Config[S]}` }[Section] | Whole

export type ValueAt<P extends Path> = P extends `${infer S extends Section}.${infer K}`
  ? K extends keyof Config[S]
    ? Config[S][K]
    : never
  : Config[Extract<P, Whole>]

/** What one source sets. */
export type Values = { [P in Path]?: ValueAt<P> | undefined }

export interface Source {
  from: 'default' | 'user' | 'project' | 'environment' | 'flag' | 'caller'
  /** The file, variable or flag. */
  name?: string
}

export interface Setting {
  path: Path
  value: unknown
  source: Source
}

/** Lists of rules are joined, never replaced: a deny from anywhere holds. */
const JOINED: ReadonlySet<Path> = new Set<Path>([
  'permission.allow',
  'permission.ask',
  'permission.deny',
  'permission.env',
  'instructions',
])

export interface Merged {
  config: Config
  /** Where each value comes from; what is joined can have several sources. */
  sources: Map<Path, Source[]>
}

/** Lays the settings over the defaults, the weakest first. */
export function mergeSettings(settings: readonly Setting[]): Merged {
  const values = new Map<Path, unknown>()
  const sources = new Map<Path, Source[]>()
  for (const { path, value } of settingsOf(flatten(defaults), { from: 'default' })) {
    values.set(path, value)
    sources.set(path, [{ from: 'default' }])
  }
  for (const { path, value, source } of settings) {
    const joined = join(path, values.get(path), value)
    const before = sources.get(path)?.filter(({ from }) => from !== 'default') ?? []
    sources.set(path, joined === undefined ? [source] : [...before, source])
    values.set(path, joined ?? value)
  }
  return { config: unflatten(values), sources }
}

/** Values as settings of one source; `undefined` sets nothing. */
export function settingsOf(values: Values, source: Source): Setting[] {
  const all = Object.entries(values) as [Path, unknown][]
  return all.filter(([, value]) => value !== undefined).map(([path, value]) => ({ path, value, source }))
}

/** A (partial) tree in the shape of `Config` as values; `null` and `undefined` set nothing. */
export function flatten(tree: object): Values {
  const all = Object.entries(tree).flatMap(([section, value]) =>
    isWhole(section)
      ? [[section, value]]
      : Object.entries(value ?? {}).map(([key, inner]) => [`${section}.${key}`, inner]),
  )
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null))
}

const isWhole = (name: string): boolean => (WHOLE as readonly string[]).includes(name)

/** Every address, in the order of config.yaml. */
export function allPaths(): Path[] {
  return Object.keys(flatten(defaults)) as Path[]
}

function join(path: Path, before: unknown, added: unknown): unknown {
  if (path === 'tui.keys' || path === 'providers' || path === 'mcp')
    return { ...(before as object), ...(added as object) }
  if (path === 'hooks') return bothHooks(before as Config['hooks'], added as Config['hooks'])
  if (path === 'extensions') return [...(before as object[]), ...(added as object[])]
  if (JOINED.has(path)) return [...new Set([...(before as string[]), ...(added as string[])])]
  return undefined
}

/** All hooks of an event hold, wherever they stand. */
const bothHooks = (before: Config['hooks'], added: Config['hooks']): Config['hooks'] => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(added).map(([event, groups]) => {
      const others = before[event]
      return [event, Array.isArray(others) && Array.isArray(groups) ? [...others, ...groups] : groups]
    }),
  ),
})

/** The tree that values are of. */
export function unflatten(values: ReadonlyMap<Path, unknown>): Config {
  const tree: Record<string, unknown> = {}
  for (const [path, value] of values) {
    const [section = '', key] = path.split('.')
    // The defaults are frozen; what is handed out may be changed by whoever got it.
    const own = typeof value === 'object' ? structuredClone(value) : value
    tree[section] = key === undefined ? own : { ...(tree[section] as object | undefined), [key]: own }
  }
  return tree as unknown as Config
}
