/** `gopi permission check`: what gopi would do with a call, and why. Runs nothing. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { sandboxFor } from '../assembly/sandboxing.ts'
import { trustOf } from '../assembly/trust.ts'
import { gopiHome } from '../config/home.ts'
import { loadConfig, ruleProblems } from '../config/load.ts'
import { createDoor } from '../permission/door.ts'
import type { PermissionCall } from '../permission/permission.ts'
import { UsageError } from '../protocol/errors.ts'
import { escapeJson, sanitize } from '../text/sanitize.ts'
import { builtinTools } from '../tools/list.ts'
import { loadWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { PermissionCommand } from './args.ts'

export async function permissionCommand(command: PermissionCommand): Promise<number> {
  const problems = ruleProblems(command)
  if (problems.length > 0) throw new UsageError(problems)
  const { env } = process
  const home = gopiHome(env)
  const cwd = realpathSync(process.cwd())
  const { config } = await loadConfig({
    ...{ home, cwd, env, file: command.config },
    flags: command.mode === undefined ? {} : { mode: command.mode },
    trusted: command.trust ?? trustOf(home, cwd) ?? false,
  })
  const { tui, permission } = config
  const { mode, allow, ask, deny } = permission
  const person = env.HOME ?? homedir()
  const sandbox = sandboxFor(config.sandbox, { project: cwd, home: person, gopiHome: home, env })
  const door = createDoor({
    cwd,
    home: person,
    wall: sandbox && { ...sandbox.rules, missed: () => {} },
    gopiHome: home,
    mode: () => mode,
    shellCwd: () => cwd,
    rules: {
      allow: [...allow, ...(command.allow ?? [])],
      ask: [...ask, ...(command.ask ?? [])],
      deny: [...deny, ...(command.deny ?? [])],
    },
  })
  const { decision, why: told, rule, where } = await door.authorize(callOf(command, cwd))
  await sandbox?.wall.close()
  const language = languageOf(tui.language, env)
  // The catalogue is loaded for those who read another language: the decision has its English with it.
  const why = command.json || language === 'en' ? told.message : (await loadWords(language)).say(told)
  process.stdout.write(
    command.json
      ? `${escapeJson(JSON.stringify({ decision, why, rule, where }))}\n`
      : `${sanitize(`${decision}: ${why}`.replaceAll('\n', ' '))}\n`,
  )
  return 0
}

function callOf({ tool, argument }: PermissionCommand, cwd: string): PermissionCall {
  const tools = builtinTools()
  const found = tools.find(({ name }) => name === tool.toLowerCase())
  if (!found)
    throw new UsageError(`there is no tool ${tool}; there are ${tools.map(({ name }) => name).join(', ')}.`)
  const { name } = found
  const args = asObject(argument) ?? { [meaning[name] ?? 'path']: argument }
  const checked = found.check(args)
  // What decides nothing, the text of an edit, say, may be left out.
  const accesses = found.access(checked.ok ? checked.args : args, cwd)
  const isWhole = accesses.every(access => Object.values(access).every(value => typeof value === 'string'))
  if (!checked.ok && !isWhole) throw new UsageError(checked.problem)
  return { tool: name, accesses }
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
