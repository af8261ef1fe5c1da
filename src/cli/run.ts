/** `gopi` and `gopi -p`: from the command line to a session, its face, and the exit code. */
import { readFileSync } from 'node:fs'
import { UsageError } from '../protocol/errors.ts'
import type { Told } from '../protocol/sayings.ts'
import type { RunResult } from '../session/session.ts'
import { messageOf } from '../text/message-of.ts'
import { loadWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { RunCommand } from './args.ts'
import { placeOf } from './place.ts'
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

/** The checker is loaded for those who want a form. Throws `UsageError`. */
async function formFrom(file: string) {
  const { answerIn, formOf } = await import('../print/answer.ts')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--output-schema ${file}: ${messageOf(error)}`)
  }
  const form = formOf(text, file)
  return { answer: (...args: Tail<Parameters<typeof answerIn>>) => answerIn(form, ...args) }
}

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never

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
    const over = new AbortController()
    const stop = (code: number) => () => {
      if (ending !== undefined) process.exit(code)
      ending = code
      over.abort('user')
      session.abort()
    }
    process.stderr.on('error', () => {}) // Nobody reads it any more: the answer goes on.
    process.stdout.on('error', error => {
      if (ending !== undefined) return
      const sentence = lostOutput(error)
      if (sentence !== undefined) say(sentence)
      stop(1)()
    })

    const format = command.outputFormat ?? 'text'
    const formed = command.outputSchema !== undefined
    // Before anything happens: the look-up of the model has things to tell, and standard input may take its time.
    const words = await loadWords(languageOf(started.config.config.tui.language, process.env))
    const run = printer(session, { format, stdout: process.stdout, stderr: process.stderr, words, formed })
    void session.connect().catch(() => {}) // The prompt meets the same failure and tells it.
    const listen = () => {
      const signals = listenForSignals()
      signals.onInterrupt(stop(130))
      signals.onEnd(code => stop(code)())
    }
    const form = formed ? await formFrom(command.outputSchema ?? '') : undefined
    let problem: Told | undefined
    const one = async (prompt: string, typed: string): Promise<RunResult> => {
      const work = /^\s*\//.test(typed)
        ? (await import('../print/command.ts')).commandRun(session, prompt, {
            ...(await started.kit.commands()),
            ...{ typed, words, say, place: placeOf(started) },
          })
        : undefined
      const answer = work ? undefined : form?.answer(session, { prompt, typed })
      const result = await run(prompt, { typed, work: work ?? answer?.then(({ result }) => result) })
      problem = (await answer)?.problem
      return result
    }
    const typed = command.prompt.join(' ')
    let result: RunResult | undefined
    if (command.inputFormat === 'stream-json') {
      listen()
      const { steered } = await import('./steered.ts')
      result = await steered(session, { input: process.stdin, first: typed, run: one })
    } else {
      const piped = isSilent(0) ? '' : await readStandardInput(() => say(words.plain.waitingForInput))
      const prompt = [typed, piped.trimEnd()].filter(text => text.trim() !== '').join('\n\n')
      if (prompt === '')
        throw new UsageError('-p expects a prompt, as words or on standard input; there is none.')
      if (ending !== undefined) return ending
      listen()
      result = await one(prompt, typed)
    }
    // Each after the run before, as long as that came to its end.
    for (const further of command.more ?? []) {
      if (ending !== undefined || result.reason !== 'done') break
      const next = further.join(' ')
      if (next.trim() !== '') result = await one(next, next)
    }
    if (command.until !== undefined && result.reason === 'done') {
      const { untilPrinted } = await import('./until.ts')
      result = await untilPrinted(session, result, {
        command: command.until,
        words,
        run,
        signal: over.signal,
      })
    }
    if (result.reason === 'done') keepCode()
    // Only then is it known whether the answer arrived.
    await new Promise<void>(resolve => process.stdout.write('', () => resolve()))
    if (problem) say(`gopi: ${words.say(problem)}`)
    return ending ?? (problem ? 1 : exitCode(result))
  } finally {
    await started.end()
  }
}
