/** Command line → exit code. The only place that decides how gopi ends. */
import { RunError, UsageError } from '../protocol/errors.ts'
import { loadWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import { isSystemError, ownFailure } from '../words/own-failure.ts'
import { type Command, parseArgs } from './args.ts'
import { say } from './say.ts'
import type { StartOptions } from './start-options.ts'
import { endWithOutput } from './stdout.ts'

/** Runs the command line. Sets the exit code; never rejects. */
export async function main(argv: readonly string[], options: StartOptions): Promise<void> {
  // Node's own listener prints warnings, on the screen too; `--debug` logs them.
  process.removeAllListeners('warning')
  try {
    process.exitCode = await perform(parseArgs(argv), options)
  } catch (error) {
    // What is said next must not go to a screen that is about to disappear.
    options.skeleton?.leave()
    process.exitCode = await explain(error)
  }
}

async function perform(command: Command, options: StartOptions): Promise<number> {
  if (command.kind !== 'run' && command.kind !== 'demo' && command.kind !== 'acp') endWithOutput()
  switch (command.kind) {
    case 'version':
      process.stdout.write(`gopi ${process.env.GOPI_VERSION}\n`)
      return 0
    case 'help': {
      const { commandHelp, topHelp } = await import('./help.ts')
      const say = await spokenHelp()
      process.stdout.write(command.topic ? commandHelp(command.topic, say) : topHelp(say))
      return 0
    }
    case 'run': {
      const { runCommand } = await import('./run.ts')
      return runCommand(command, options)
    }
    case 'demo': {
      const { demoCommand } = await import('./demo.ts')
      return demoCommand(command)
    }
    case 'config': {
      if (command.verb === 'set') return (await import('./config-set.ts')).configSet(command)
      const { configCommand } = await import('./lists.ts')
      return configCommand(command)
    }
    case 'permission': {
      const { permissionCommand } = await import('./permission-command.ts')
      return permissionCommand(command)
    }
    case 'models': {
      const { modelsCommand } = await import('./lists.ts')
      return modelsCommand(command)
    }
    case 'sessions': {
      const { sessionsCommand } = await import('./sessions-command.ts')
      return sessionsCommand(command)
    }
    case 'init': {
      const { initCommand } = await import('./init.ts')
      return initCommand(command)
    }
    case 'doctor': {
      const { doctorCommand } = await import('./doctor.ts')
      return doctorCommand(command)
    }
    case 'mcp': {
      const { mcpCommand } = await import('./mcp-command.ts')
      return mcpCommand(command)
    }
    case 'acp': {
      const { acpCommand } = await import('./acp-command.ts')
      return acpCommand(command, options)
    }
    case 'kit':
    case 'skills':
    case 'extensions': {
      const { kitCommand } = await import('./kit-command.ts')
      return kitCommand(command)
    }
    case 'completion': {
      const { completionScript } = await import('./completion.ts')
      process.stdout.write(`${completionScript(command.shell, await spokenHelp())}\n`)
      return 0
    }
  }
}

/** One sentence on stderr for everything that ends gopi. */
async function explain(error: unknown): Promise<number> {
  if (error instanceof UsageError) {
    for (const problem of error.problems) say(await spoken(problem))
    return 2
  }
  if (error instanceof RunError) {
    const words = await loadWords(languageOf('auto', process.env))
    say(words.say(error.told))
    return error.code === 'no_server' || error.code === 'no_model' ? 3 : 1
  }
  if (isGoneDirectory(error)) {
    say(
      await spoken(
        'The directory in which gopi was started is gone: change to one that is there, and start it again.',
      ),
    )
    return 2
  }
  if (isSystemError(error)) return explain(ownFailure(error))
  say(`gopi itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 1
}

/** What is wrong with a command line is found before any configuration is read. */
const isChinese = (): boolean => languageOf('auto', process.env) === 'zh'

const spokenHelp = async () => (isChinese() ? (await import('../words/help-zh.ts')).helpInChinese : undefined)

const spoken = async (problem: string): Promise<string> =>
  isChinese() ? (await import('../words/told-problem-zh.ts')).toldProblemInChinese(problem) : problem

const isGoneDirectory = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall === 'uv_cwd'
