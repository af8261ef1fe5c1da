/**
 * The effective configuration: flags > environment > project (what it may) > user > defaults.
 * The checker (yaml, zod) is loaded only when there is a file that it has not seen yet.
 */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../protocol/errors.ts'
import { type ConfigCache, openConfigCache, stampOf } from './cache.ts'
import { type Config, isModelName } from './config.ts'
import { readConfigFile } from './file.ts'
import { admitProject } from './project.ts'
import { type Merged, mergeSettings, type Path, type Setting, settingsOf, type Values } from './settings.ts'

/** What the command line can set. */
export interface ConfigFlags {
  host?: string
  model?: string
  toolCalling?: Config['ollama']['tool_calling']
  think?: Config['ollama']['think']
  mode?: Config['permission']['mode']
}

export interface LoadOptions {
  /** $GOPI_HOME, absolute. */
  home: string
  /** The session's directory, absolute; the project's file is its `.gopi/config.yaml`. */
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  flags?: ConfigFlags
  /** `--config`: the file in place of the user's. The environment's GOPI_CONFIG comes after it. */
  file?: string | undefined
  /** Whether the project's folder is trusted. */
  trusted: boolean
}

export interface ConfigFile {
  from: 'user' | 'project'
  file: string
  found: boolean
}

export interface LoadedConfig extends Merged {
  /** Sentences for the person about what was left out, and why. */
  notices: string[]
  /** What somebody has set, as against defaults: a model that is named is never replaced by another. */
  explicit: ReadonlySet<Path>
  /** The files looked at; later ones win. */
  files: ConfigFile[]
}

/** Throws one `UsageError` with all problems of all files and variables. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { home, cwd, env, flags = {}, trusted } = options
  const named = options.file ?? (env.GOPI_CONFIG || undefined)
  const projectHome = path.join(cwd, '.gopi')
  const cache = openConfigCache(path.join(home, 'cache'))
  const user = await checkedFile(
    'user',
    named === undefined ? path.join(home, 'config.yaml') : path.resolve(cwd, named),
    cache,
  )
  // In the home directory both are one file, and it is the person's.
  const project = samePlace(projectHome, home)
    ? undefined
    : await checkedFile('project', path.join(projectHome, 'config.yaml'), cache)

  const files = project === undefined ? [user] : [user, project]
  const problems = [...files.flatMap(file => file.problems), ...environmentProblems(env)]
  if (named !== undefined && !user.found) {
    problems.unshift(missing(user.file, options.file === undefined ? 'GOPI_CONFIG' : '--config'))
  }
  if (problems.length > 0) throw new UsageError(problems)

  const mode = mergeSettings(user.settings).config.permission.mode
  const admitted = project && admitProject(project.settings, { file: project.file, trusted, mode })
  const settings = [
    ...user.settings,
    ...(admitted?.settings ?? []),
    ...environmentSettings(env),
    ...flagSettings(flags),
  ]
  return {
    ...mergeSettings(settings),
    notices: admitted?.notices ?? [],
    explicit: new Set(settings.map(({ path }) => path)),
    files: files.map(({ from, file, found }) => ({ from, file, found })),
  }
}

/**
 * A tree in the shape of config.yaml (durations as there: `30s`), laid over the defaults; nothing else is read.
 * `tools`: names of tools beside the built-in ones. Throws one `UsageError` with all problems.
 */
export async function mergeConfig(tree: unknown, tools: readonly string[] = []): Promise<Config> {
  const { checkConfig, said } = await import('./schema.ts')
  const checked = checkConfig(tree, tools)
  if ('problems' in checked) throw new UsageError(checked.problems.map(problem => `config${said(problem)}`))
  return mergeSettings(settingsOf(checked.values, { from: 'caller' })).config
}

interface CheckedFile extends ConfigFile {
  settings: Setting[]
  problems: string[]
}

async function checkedFile(from: ConfigFile['from'], file: string, cache: ConfigCache): Promise<CheckedFile> {
  const nothing = { from, file, found: true, settings: [], problems: [] }
  const good = (values: Values) => ({ ...nothing, settings: settingsOf(values, { from, name: file }) })
  const known = cache.recall(file)
  if (known) return good(known)
  const stamp = stampOf(file)
  const content = readConfigFile(file)
  if ('absent' in content) return { ...nothing, found: false }
  if ('problem' in content) return { ...nothing, problems: [content.problem] }
  const { checkYaml } = await import('./yaml.ts')
  const checked = checkYaml(content.text, file)
  if ('problems' in checked) return { ...nothing, problems: checked.problems }
  if (stamp) cache.keep(file, stamp, checked.values)
  return good(checked.values)
}

function environmentSettings(env: LoadOptions['env']): Setting[] {
  const host = env.OLLAMA_HOST?.trim() ? env.OLLAMA_HOST : undefined
  const model = env.GOPI_MODEL?.trim() || undefined
  return [
    ...settingsOf({ 'ollama.host': host }, { from: 'environment', name: 'OLLAMA_HOST' }),
    ...settingsOf({ 'ollama.model': model }, { from: 'environment', name: 'GOPI_MODEL' }),
  ]
}

function environmentProblems(env: LoadOptions['env']): string[] {
  const model = env.GOPI_MODEL?.trim()
  if (!model || isModelName(model)) return []
  return [`GOPI_MODEL: expected the name of a model such as qwen3:8b; came ${JSON.stringify(model)}`]
}

function flagSettings({ host, model, toolCalling, think, mode }: ConfigFlags): Setting[] {
  return [
    ...settingsOf({ 'ollama.host': host }, { from: 'flag', name: '--host' }),
    ...settingsOf({ 'ollama.model': model }, { from: 'flag', name: '--model' }),
    ...settingsOf({ 'ollama.tool_calling': toolCalling }, { from: 'flag', name: '--tool-calling' }),
    ...settingsOf({ 'ollama.think': think }, { from: 'flag', name: '--think' }),
    ...settingsOf({ 'permission.mode': mode }, { from: 'flag', name: '--mode' }),
  ]
}

function missing(file: string, by: string): string {
  return `${file}: expected a file, as ${by} names it; there is none`
}

function samePlace(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b)
  } catch {
    return path.resolve(a) === path.resolve(b)
  }
}
