/** `gopi permission check`: what gopi would do with a call, and why. Runs nothing. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { loadConfig } from '../config/load.ts'
import { ruleProblem } from '../config/rule.ts'
import { decide } from '../permission/decide.ts'
import { gather, readRules } from '../permission/gather.ts'
import { realTarget } from '../permission/look.ts'
import { UsageError } from '../protocol/errors.ts'
import { escapeJson, sanitize } from '../text/sanitize.ts'
import { builtinTools } from '../tools/list.ts'
import type { PermissionCommand } from './args.ts'
import { gopiHome } from './home.ts'
import { trustOf } from './trust.ts'

export async function permissionCommand(command: PermissionCommand): Promise<number> {
  const problems = [
    ...badRules('--allow', command.allow),
    ...badRules('--ask', command.ask),
    ...badRules('--deny', command.deny),
  ]
  if (problems.length > 0) throw new UsageError(problems)
  const { env } = process
  const home = gopiHome(env)
  const cwd = realpathSync(process.cwd())
  const { config } = await loadConfig({
    ...{ home, cwd, env, file: command.config },
    flags: command.mode === undefined ? {} : { mode: command.mode },
    trusted: command.trust ?? trustOf(home, cwd) ?? false,
  })
  const { mode, allow, ask, deny } = config.permission
  const call = callOf(command)
  const facts = await gather(call, {
    ...{ mode, cwd, shellCwd: cwd },
    home: realTarget(env.HOME ?? homedir()),
    gopiHome: realTarget(home),
    rules: readRules({
      allow: [...allow, ...(command.allow ?? [])],
      ask: [...ask, ...(command.ask ?? [])],
      deny: [...deny, ...(command.deny ?? [])],
    }),
    isOwn: () => false,
  })
  const { decision, why, rule } = decide(call, facts)
  process.stdout.write(
    command.json
      ? `${escapeJson(JSON.stringify({ decision, why, rule }))}\n`
      : `${sanitize(`${decision}: ${why}`.replaceAll('\n', ' '))}\n`,
  )
  return 0
}

const badRules = (option: string, rules: readonly string[] = []): string[] =>
  rules.flatMap(rule => {
    const problem = ruleProblem(rule)
    const wanted = 'a rule such as Read or Bash(git log *)'
    return problem === undefined
      ? []
      : [`${option} expects ${wanted} (${problem}); ${JSON.stringify(rule)} came`]
  })

function callOf({ tool, argument }: PermissionCommand) {
  const tools = builtinTools()
  const found = tools.find(({ name }) => name === tool.toLowerCase())
  if (!found)
    throw new UsageError(`there is no tool ${tool}; there are ${tools.map(({ name }) => name).join(', ')}.`)
  const { name, kind } = found
  return { tool: name, kind, arguments: asObject(argument) ?? { [meaning[name] ?? 'path']: argument } }
}

/** What a bare argument is; otherwise a path. */
const meaning: Readonly<Record<string, string>> = { bash: 'command', grep: 'pattern', find: 'pattern' }

function asObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
