/** `--plain`, and wherever there is no terminal to draw on: the conversation line by line. */
import { realpathSync } from 'node:fs'
import { UsageError } from '../protocol/errors.ts'
import { loadWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { Words } from '../words/words.ts'
import type { RunCommand } from './args.ts'
import { begin, type Started } from './begin.ts'
import { gopiHome } from './home.ts'
import { say } from './say.ts'
import { listenForSignals } from './signals.ts'
import { type StartOptions, settled } from './start-options.ts'
import { changedSinceTrusted, claims, rememberTrust, trustOf } from './trust.ts'

/** Until the input ends or the person leaves. → the exit code. */
export async function plainCommand(command: RunCommand, { keepCode }: StartOptions): Promise<number> {
  const [{ PlainFace }, words] = await Promise.all([
    import('../plain/plain.ts'),
    loadWords(languageOf('auto', process.env)),
  ])
  const signals = listenForSignals()
  const face = new PlainFace({
    input: process.stdin,
    output: process.stdout,
    onInterrupt: signals.onInterrupt,
    colour: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
    words,
  })
  const resume = command.resume === true ? await pick(face, words) : command.resume
  const trust = command.trust ?? (await askTrust(face, words))
  let current: Started | undefined
  signals.onEnd(code => void endBy(code, current))
  setTimeout(keepCode, settled).unref()

  let next: RunCommand = { ...command, ...(resume !== undefined && { resume }) }
  for (;;) {
    current = await begin(next, {
      approve: face.approve,
      goOn: (turns, signal) => face.goOn(turns, signal),
      trust,
    })
    try {
      const { last, wanted } = await talk(face, current, next.prompt.join(' ').trim())
      if (wanted === 'nothing') {
        // Leaving is no failure; a script that talks by lines hears how its last run ended.
        if (face.interactive || !last || last.reason === 'aborted') return 0
        return (await import('../print/print.ts')).exitCode(last)
      }
    } finally {
      await current.end()
    }
    const { continue: _, resume: __, fork: ___, ...fresh } = command
    next = { ...fresh, prompt: [] }
  }
}

async function talk(face: Face, { session, config, chat }: Started, first: string) {
  await session.open()
  const { model = '', setup, mode } = session
  const { language, show_token_count: showTokens } = config.config.tui
  const words = await loadWords(languageOf(language, process.env))
  face.speak(words)
  const version = process.env.GOPI_VERSION ?? ''
  const dialect = setup?.dialect.name ?? ''
  face.say(words.plain.greeting({ version, model, dialect, host: chat.host, mode }))
  return face.talk(session, { showTokens, ...(first !== '' && { first }) })
}

/** The terminal is gone, or the system ends us: the run is finished properly all the same. */
async function endBy(code: number, started: Started | undefined): Promise<void> {
  process.exitCode = code
  started?.session.abort()
  await started?.end()
  process.exit(code)
}

type Face = import('../plain/plain.ts').PlainFace

/** `-r` without an id: the person picks one by its number. */
async function pick(face: Face, { plain }: Words): Promise<string | undefined> {
  const { describeSessions } = await import('./past-sessions.ts')
  const sessions = describeSessions(gopiHome(process.env), realpathSync(process.cwd()))
  if (sessions.length === 0) throw new UsageError('There is no session of this directory to go on with.')
  if (!face.interactive) {
    const known = sessions.map(({ text }) => text)
    throw new UsageError([
      '-r needs the id of a session here, where nobody can be asked. They are:',
      ...known,
    ])
  }
  return sessions[
    await face.choose(
      plain.whichSession,
      sessions.map(({ text }) => text),
    )
  ]?.id
}

/** A folder that brings instructions or configuration is asked about once. */
async function askTrust(face: Face, { plain, notices }: Words): Promise<boolean> {
  const home = gopiHome(process.env)
  const cwd = realpathSync(process.cwd())
  const known = trustOf(home, cwd)
  const files = known === undefined ? claims(cwd) : []
  if (known !== undefined || files.length === 0 || !face.interactive) return known ?? false
  for (const file of changedSinceTrusted(home, cwd)) face.say(notices.trustChanged(file))
  face.say(plain.trust(files.join('\n  ')))
  const trusted = await face.confirm(plain.trustQuestion)
  await rememberTrust(home, cwd, trusted).catch(error => say(notices.trustNotKept(error.message)))
  return trusted
}
