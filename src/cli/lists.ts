/** The subcommands that print something and end. */
import { realpathSync } from 'node:fs'
import { type LoadedConfig, loadConfig } from '../config/load.ts'
import { createOllama } from '../model/ollama.ts'
import { escapeJson, sanitize } from '../text/sanitize.ts'
import { size } from '../text/truncate.ts'
import type { ConfigCommand, ModelsCommand } from './args.ts'
import { showConfig } from './config-command.ts'
import { gopiHome } from './home.ts'
import { describeSessions } from './past-sessions.ts'
import { trustOf } from './trust.ts'

export async function configCommand(command: ConfigCommand): Promise<number> {
  const loaded = await configFor(command)
  const json = command.json === true
  const text = showConfig(loaded, { json })
  process.stdout.write(json ? escapeJson(text) : sanitize(text))
  return 0
}

export async function modelsCommand(command: ModelsCommand): Promise<number> {
  const { config } = await configFor(command)
  const chat = createOllama({ host: config.ollama.host, timeout: config.ollama.timeout })
  const models = await chat.installed()
  if (models.length === 0)
    process.stderr.write(
      sanitize(`No model is installed; \`ollama pull ${config.ollama.model}\` gets one.\n`),
    )
  const widest = Math.max(0, ...models.map(({ name }) => name.length))
  for (const { name, size: bytes, parameter_size = '' } of models) {
    const mark = name === config.ollama.model ? '*' : ' '
    process.stdout.write(
      sanitize(`${mark} ${name.padEnd(widest)}  ${size(bytes).padStart(9)}  ${parameter_size}`).trimEnd() +
        '\n',
    )
  }
  return 0
}

export async function sessionsCommand(): Promise<number> {
  const lines = describeSessions(gopiHome(process.env), realpathSync(process.cwd()))
  if (lines.length === 0) process.stderr.write('There is no session of this directory yet.\n')
  for (const { text } of lines) process.stdout.write(`${text}\n`)
  return 0
}

/** The configuration for a command line's flags, in the current directory. */
function configFor({
  trust,
  config: file,
  ...flags
}: ConfigCommand | (ModelsCommand & { kind: 'models' })): Promise<LoadedConfig> {
  const env = process.env
  const home = gopiHome(env)
  const cwd = realpathSync(process.cwd())
  return loadConfig({ home, cwd, env, flags, file, trusted: trust ?? trustOf(home, cwd) ?? false })
}
