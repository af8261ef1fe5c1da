/**
 * The effective configuration: flags > environment > project (what it may) > user > defaults.
 * The checker (yaml, zod) is loaded only when there is a file that it has not seen yet.
 */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { UsageError } from '../protocol/errors.ts'
import type { Told } from '../protocol/sayings.ts'
import { ruleProblem } from '../rules/rule.ts'
import { told } from '../words/sayings/told.ts'
import { type ConfigCache, openConfigCache, stampOf } from './cache.ts'
import { type Config, isModelName } from './config.ts'
import { readConfigFile } from './file.ts'
import { homeProblems } from './own-home.ts'
import type { Profiles } from './profiles.ts'
import { admitProject } from './project.ts'
import { holdsKey, openKeys } from './secrets.ts'
import { type Merged, mergeSettings, type Path, type Setting, settingsOf, type Values } from './settings.ts'
import { themeProblem } from './themes.ts'

/** What the command line can set. */
export interface ConfigFlags {
  host?: string
  model?: string
  toolCalling?: Config['ollama']['tool_calling']
  think?: Config['ollama']['think']
  mode?: Config['permission']['mode']
  /** Rules for this start. */
  allow?: readonly string[]
  ask?: readonly string[]
  deny?: readonly string[]
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

/** In a project's `.gopi`: what it brings, and what is the person's own there. */
export const PROJECT_FILES = ['config.yaml', 'config.local.yaml'] as const

export interface ConfigFile {
  from: 'user' | 'project'
  file: string
  found: boolean
}

export interface LoadedConfig extends Merged {
  /** What was left out, and why. */
  notices: Told[]
  /** What somebody has set, as against defaults: a model that is named is never replaced by another. */
  explicit: ReadonlySet<Path>
  /** The person's settings of models. */
  profiles: Profiles
  /** The files looked at; later ones win. What is the person's own in a project only where it is there. */
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
  const projects = samePlace(projectHome, home)
    ? []
    : await Promise.all(
        PROJECT_FILES.map(name => checkedFile('project', path.join(projectHome, name), cache)),
      )

  const profiles = await readProfiles(path.join(home, 'models.yaml'), cache)
  const files = [user, ...projects]
  // A folder that nobody trusts cannot keep gopi from starting.
  const passedOver = trusted ? [] : projects.flatMap(project => project.problems)
  const problems = [
    ...homeProblems(home),
    ...files.flatMap(file => file.problems).filter(problem => !passedOver.includes(problem)),
    ...environmentProblems(env),
    ...profiles.problems,
    ...ruleProblems(flags),
  ]
  if (named !== undefined && !user.found) {
    problems.unshift(missing(user.file, options.file === undefined ? 'GOPI_CONFIG' : '--config'))
  }
  if (problems.length > 0) throw new UsageError(problems)

  const mode = mergeSettings(user.settings).config.permission.mode
  const admitted = projects.map(({ settings, file }) => admitProject(settings, { file, trusted, mode }))
  const settings = [
    ...user.settings,
    ...admitted.flatMap(({ settings }) => settings),
    ...environmentSettings(env),
    ...flagSettings(flags),
  ]
  const merged = mergeSettings(settings)
  const strange = themeProblem(home, merged.config.tui.theme)
  if (strange !== undefined) throw new UsageError(strange)
  return {
    ...merged,
    notices: [
      ...passedOver.map(problem => told('config.untrusted_problem', { problem })),
      ...admitted.flatMap(({ notices }) => notices),
      ...files.flatMap(({ file, settings }) => keyNotices(file, settings)),
    ],
    explicit: new Set(settings.map(({ path }) => path)),
    profiles: profiles.profiles,
    files: files
      .filter(({ file, found }) => found || !file.endsWith(PROJECT_FILES[1]))
      .map(({ from, file, found }) => ({ from, file, found })),
  }
}

/**
 * A tree in the shape of config.yaml (durations as there: `30s`), laid over the defaults; nothing else is read.
 * `tools`: names of tools besides the built-in ones. Throws one `UsageError` with all problems.
 */
export async function mergeConfig(tree: unknown, tools: readonly string[] = []): Promise<Config> {
  const { checkConfig, said } = await import('./schema.ts')
  const checked = checkConfig(tree, tools)
  if ('problems' in checked) throw new UsageError(checked.problems.map(problem => `config${said(problem)}`))
  return mergeSettings(settingsOf(checked.values, { from: 'caller' })).config
}

function keyNotices(file: string, settings: readonly Setting[]): Told[] {
  const providers = settings.find(({ path }) => path === 'providers')?.value
  return providers === undefined ? [] : openKeys(file, providers as Config['providers'])
}

interface CheckedFile extends ConfigFile {
  settings: Setting[]
  problems: string[]
}

async function checkedFile(from: ConfigFile['from'], file: string, cache: ConfigCache): Promise<CheckedFile> {
  const nothing = { from, file, found: true, settings: [], problems: [] }
  const good = (values: Values) => ({
    ...nothing,
    settings: settingsOf(located(values, file), { from, name: file }),
  })
  const known = cache.recall(file)
  if (known) return good(known as Values)
  const stamp = stampOf(file)
  const content = readConfigFile(file)
  if ('absent' in content) return { ...nothing, found: false }
  if ('problem' in content) return { ...nothing, problems: [content.problem.message] }
  const { checkYaml } = await import('./yaml.ts')
  const checked = checkYaml(content.text, file)
  // A key is in one file, and in no other.
  const hasKey = holdsKey(checked.values.providers ?? {})
  if (stamp && !hasKey && checked.problems.length === 0) cache.keep(file, stamp, checked.values)
  return { ...good(checked.values), problems: checked.problems }
}

/** Paths of extensions are seen from the file that names them. */
function located({ extensions, ...values }: Values, file: string): Values {
  if (!extensions) return values
  const at = (given: string) =>
    given.startsWith('~/') ? path.join(homedir(), given.slice(2)) : path.resolve(path.dirname(file), given)
  return { ...values, extensions: extensions.map(one => ({ path: at(one.path) })) }
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

function flagSettings({ host, model, toolCalling, think, mode, allow, ask, deny }: ConfigFlags): Setting[] {
  const copy = (rules: readonly string[] | undefined) => rules && [...rules]
  return [
    ...settingsOf({ 'permission.allow': copy(allow) }, { from: 'flag', name: '--allow' }),
    ...settingsOf({ 'permission.ask': copy(ask) }, { from: 'flag', name: '--ask' }),
    ...settingsOf({ 'permission.deny': copy(deny) }, { from: 'flag', name: '--deny' }),
    ...settingsOf({ 'ollama.host': host }, { from: 'flag', name: '--host' }),
    ...settingsOf({ 'ollama.model': model }, { from: 'flag', name: '--model' }),
    ...settingsOf({ 'ollama.tool_calling': toolCalling }, { from: 'flag', name: '--tool-calling' }),
    ...settingsOf({ 'ollama.think': think }, { from: 'flag', name: '--think' }),
    ...settingsOf({ 'permission.mode': mode }, { from: 'flag', name: '--mode' }),
  ]
}

/** The person's settings of models. Once checked, the file is as cheap as any other. */
async function readProfiles(
  file: string,
  cache: ConfigCache,
): Promise<{ profiles: Profiles; problems: string[] }> {
  const known = cache.recall(file)
  if (known) return { profiles: known as Profiles, problems: [] }
  const stamp = stampOf(file)
  const content = readConfigFile(file)
  if ('absent' in content) return { profiles: {}, problems: [] }
  if ('problem' in content) return { profiles: {}, problems: [content.problem.message] }
  const { checkProfiles } = await import('./profiles-schema.ts')
  const { values, problems } = checkProfiles(content.text, file)
  if (stamp && problems.length === 0) cache.keep(file, stamp, values)
  return { profiles: values, problems }
}

/** Of rules on the command line, a sentence each. */
export const ruleProblems = ({ allow, ask, deny }: Pick<ConfigFlags, 'allow' | 'ask' | 'deny'>): string[] =>
  Object.entries({ '--allow': allow, '--ask': ask, '--deny': deny }).flatMap(([option, rules = []]) =>
    rules.flatMap(rule => {
      const problem = ruleProblem(rule)
      const wanted = 'a rule such as Read or Bash(git log *)'
      return problem === undefined
        ? []
        : [`${option} expects ${wanted} (${problem}); ${JSON.stringify(rule)} came`]
    }),
  )

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
