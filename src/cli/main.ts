/** Command line → exit code. The only place that decides how gopi ends. */
import { RunError, UsageError } from '../protocol/errors.ts'
import { type Command, parseArgs } from './args.ts'
import { say } from './say.ts'
import type { StartOptions } from './start-options.ts'
import { endWithOutput } from './stdout.ts'

/** Runs the command line. Sets the exit code; never rejects. */
export async function main(argv: readonly string[], options: StartOptions): Promise<void> {
  try {
    process.exitCode = await perform(parseArgs(argv), options)
  } catch (error) {
    // What is told next must not be told to a screen that is gone in a moment.
    options.skeleton?.leave()
    process.exitCode = explain(error)
  }
}

async function perform(command: Command, options: StartOptions): Promise<number> {
  if (command.kind !== 'run' && command.kind !== 'demo') endWithOutput()
  switch (command.kind) {
    case 'version':
      process.stdout.write(`gopi ${process.env.GOPI_VERSION}\n`)
      return 0
    case 'help': {
      const { commandHelp, topHelp } = await import('./help.ts')
      process.stdout.write(command.topic ? commandHelp(command.topic) : topHelp())
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
      const { sessionsCommand } = await import('./lists.ts')
      return sessionsCommand()
    }
    case 'later':
      throw new UsageError(`gopi ${command.name} is not built yet; gopi --help lists what is.`)
  }
}

/** One sentence on stderr for everything that ends gopi. */
function explain(error: unknown): number {
  if (error instanceof UsageError) {
    for (const problem of error.problems) say(problem)
    return 2
  }
  if (error instanceof RunError) {
    say(error.message)
    return error.code === 'no_server' || error.code === 'no_model' ? 3 : 1
  }
  if (isGoneDirectory(error)) {
    say('The directory in which gopi was started is gone: change to one that is there, and start it again.')
    return 2
  }
  say(`gopi itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return 1
}

const isGoneDirectory = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall === 'uv_cwd'
