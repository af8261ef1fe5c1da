/** `--plain`, and wherever there is no terminal to draw on: the conversation line by line. */
import { realpathSync } from 'node:fs'
import { UsageError } from '../protocol/errors.ts'
import type { RunCommand } from './args.ts'
import { begin, type Started } from './begin.ts'
import { gopiHome } from './home.ts'
import { say } from './say.ts'
import { listenForSignals } from './signals.ts'
import { type StartOptions, settled } from './start-options.ts'
import { claims, rememberTrust, trustOf } from './trust.ts'

/** Until the input ends or the person leaves. → the exit code. */
export async function plainCommand(command: RunCommand, { keepCode }: StartOptions): Promise<number> {
  const { PlainFace } = await import('../plain/plain.ts')
  const signals = listenForSignals()
  const face = new PlainFace({
    input: process.stdin,
    output: process.stdout,
    onInterrupt: signals.onInterrupt,
    colour: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
  })
  const resume = command.resume === true ? await pick(face) : command.resume
  const trust = command.trust ?? (await askTrust(face))
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
  const { model, setup, mode } = session
  face.say(
    `gopi ${process.env.GOPI_VERSION} · ${model} (${setup?.dialect.name}) at ${chat.host} · ${mode} · /help`,
  )
  const showTokens = config.config.tui.show_token_count
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
async function pick(face: Face): Promise<string | undefined> {
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
      'Which session? ',
      sessions.map(({ text }) => text),
    )
  ]?.id
}

/** A folder that brings instructions or configuration is asked about once. */
async function askTrust(face: Face): Promise<boolean> {
  const home = gopiHome(process.env)
  const cwd = realpathSync(process.cwd())
  const known = trustOf(home, cwd)
  const files = known === undefined ? claims(cwd) : []
  if (known !== undefined || files.length === 0 || !face.interactive) return known ?? false
  face.say(`This folder has its own instructions or configuration for gopi:\n  ${files.join('\n  ')}`)
  const trusted = await face.confirm('Do you trust it? (y/n) ')
  await rememberTrust(home, cwd, trusted).catch(error =>
    say(`the answer could not be kept: ${error.message}`),
  )
  return trusted
}
