/** `gopi` and `gopi -p`: from the command line to a session, its face, and the exit code. */
import { UsageError } from '../protocol/errors.ts'
import { loadWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { RunCommand } from './args.ts'
import { say } from './say.ts'
import { listenForSignals } from './signals.ts'
import { isSilent } from './silent-input.ts'
import type { StartOptions } from './start-options.ts'
import { lostOutput } from './stdout.ts'

export async function runCommand(command: RunCommand, options: StartOptions): Promise<number> {
  if (command.print) return printCommand(command, options)
  if (!command.plain && canDraw(process)) {
    const { screenCommand } = await import('./screen.ts')
    return screenCommand(command, options)
  }
  options.skeleton?.leave()
  const { plainCommand } = await import('./plain-talk.ts')
  return plainCommand(command, options)
}

/** A terminal on both ends that can move its cursor. */
function canDraw({ stdin, stdout, env }: NodeJS.Process): boolean {
  return (
    stdin.isTTY === true && stdout.isTTY === true && env.TERM !== undefined && !/^(dumb)?$/.test(env.TERM)
  )
}

/** `-p`: standard input is read and the model looked up at the same time. */
async function printCommand(command: RunCommand, { keepCode }: StartOptions): Promise<number> {
  const [{ begin }, { printer, exitCode }, { readStandardInput }] = await Promise.all([
    import('./begin.ts'),
    import('../print/print.ts'),
    import('./stdin.ts'),
  ])
  const started = await begin(command, { approve: undefined, goOn: async () => false })
  const { session } = started
  try {
    let ending: number | undefined
    const stop = (code: number) => () => {
      if (ending !== undefined) process.exit(code)
      ending = code
      session.abort()
    }
    process.stdout.on('error', error => {
      if (ending !== undefined) return
      const sentence = lostOutput(error)
      if (sentence !== undefined) say(sentence)
      stop(1)()
    })

    const format = command.outputFormat ?? 'text'
    // Before anything happens: the look-up of the model has things to tell, and standard input may take its time.
    const words = await loadWords(languageOf(started.config.config.tui.language, process.env))
    const run = printer(session, { format, stdout: process.stdout, stderr: process.stderr, words })
    void session.connect().catch(() => {}) // The prompt meets the same failure and tells it.
    const piped = isSilent(0) ? '' : await readStandardInput(() => say(words.plain.waitingForInput))
    const typed = command.prompt.join(' ')
    const prompt = [typed, piped.trimEnd()].filter(text => text.trim() !== '').join('\n\n')
    if (prompt === '')
      throw new UsageError('-p expects a prompt, as words or on standard input; there is none.')

    if (ending !== undefined) return ending

    const signals = listenForSignals()
    signals.onInterrupt(stop(130))
    signals.onEnd(code => stop(code)())
    const result = await run(prompt, { typed })
    if (result.reason === 'done') keepCode()
    // Only then it is known whether the answer arrived.
    await new Promise<void>(resolve => process.stdout.write('', () => resolve()))
    return ending ?? exitCode(result)
  } finally {
    await started.end()
  }
}
