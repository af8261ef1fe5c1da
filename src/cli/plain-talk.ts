/** `--plain`, and wherever there is no terminal to draw on: the conversation line by line. */
import { realpathSync } from 'node:fs'
import { claims, rememberTrust, trustOf } from '../assembly/trust.ts'
import { gopiHome } from '../config/home.ts'
import { RunError, UsageError } from '../protocol/errors.ts'
import type { RunResult } from '../session/session.ts'
import { explain } from '../words/explain.ts'
import { loadTalkWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { Words } from '../words/words.ts'
import type { RunCommand } from './args.ts'
import { begin, type Started } from './begin.ts'
import { following, keepChosen, withModel } from './following.ts'
import { placeOf } from './place.ts'
import { say } from './say.ts'
import { listenForSignals } from './signals.ts'
import { type StartOptions, settled } from './start-options.ts'
import { lostOutput } from './stdout.ts'
import { copyInTmux } from './tmux-buffer.ts'

/** Until the input ends or the person leaves. → the exit code. */
export async function plainCommand(command: RunCommand, { keepCode }: StartOptions): Promise<number> {
  const [{ PlainFace }, spoken] = await Promise.all([
    import('../plain/plain.ts'),
    loadTalkWords(languageOf('auto', process.env)),
  ])
  let words = spoken
  const signals = listenForSignals()
  const face = new PlainFace({
    input: process.stdin,
    output: process.stdout,
    onInterrupt: signals.onInterrupt,
    colour: process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
    words,
    ...(process.stderr.isTTY && { tellWait: line => void process.stderr.write(`${line}\n`) }),
  })
  const resume = command.resume === true ? await pick(face, words) : command.resume
  let isTold = trustOf(gopiHome(process.env), realpathSync(process.cwd())) === false
  let trust = command.trust ?? (await askTrust(face, words))
  let current: Started | undefined
  signals.onEnd(code => void endBy(code, current))
  process.stderr.on('error', () => {})
  process.stdout.on('error', error => {
    const sentence = lostOutput(error)
    if (sentence !== undefined) say(sentence)
    void endBy(1, current)
  })
  setTimeout(keepCode, settled).unref()

  let next: RunCommand = { ...command, ...(resume !== undefined && { resume }) }
  /** Goes on with the conversation before. */
  let back: RunCommand | undefined
  for (;;) {
    let among: 'gopi' | 'session' = 'session'
    try {
      current = await begin(next, {
        approve: face.approve,
        goOn: (turns, signal) => face.goOn(turns, signal),
        trust,
        untrustedTold: isTold,
      })
      isTold = true
      words = await loadTalkWords(languageOf(current.config.config.tui.language, process.env))
      face.speak(words)
      const { last, wanted } = await talk(face, current, { words, command: next })
      const then = following(command, wanted, current.session)
      if (!then) {
        among = 'gopi'
        // Leaving is not a failure; a script that talks by lines learns how its last run ended.
        if (face.interactive || !last || last.reason === 'aborted') return 0
        return await codeOf(last)
      }
      const { session } = current
      back = withModel(command, session.model ?? '', session)
      next = then
      if (wanted.type === 'trust') trust = (await ask(face, words)) ?? trust
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof RunError)) throw error
      // A model or a session that a command named and that there is not ends nothing.
      if (back) {
        face.say(explain(words, error))
        next = back
        back = undefined
      } else if (error instanceof RunError) {
        say(words.say(error.told))
        return await codeOf({ reason: 'error', error: error.told })
      } else throw error
    } finally {
      const along = current?.session.alongside ?? []
      const ended = along.length > 0 && (await import('../kit/ended.ts')).endedLine(along, among, words)
      await current?.end()
      if (ended) face.say(ended)
      current = undefined
    }
  }
}

const codeOf = async (result: Pick<RunResult, 'reason' | 'error'>): Promise<number> =>
  (await import('../print/print.ts')).exitCode(result)

async function talk(face: Face, started: Started, { words, command }: { words: Words; command: RunCommand }) {
  const { session, kit, config, backend } = started
  const first = command.prompt.join(' ').trim()
  // What connecting has to say comes after the greeting.
  const notices: string[] = []
  const heard = session.subscribe(event => {
    if (event.type === 'notice') notices.push(words.say(event))
  })
  await session.open().finally(heard)
  keepChosen(command, started)
  const { model = '', setup } = session
  const { show_token_count: showTokens } = config.config.tui
  const version = process.env.GOPI_VERSION ?? ''
  const dialect = setup?.dialect.name ?? ''
  const mode = words.modes[session.mode].name
  face.say(words.plain.greeting({ version, model, dialect, host: backend.host, mode }))
  if (session.mode === 'yolo') face.say(words.notices.yolo)
  const { commands, clashes } = await kit.commands()
  for (const notice of [...notices, ...clashes.map(words.say)]) face.say(`gopi: ${notice}`)
  const misses = new Set<string>()
  return face.talk(session, {
    commands,
    place: placeOf(started),
    ...(first !== '' && { first }),
    showTokens,
    copyBesides: text => copyInTmux(text, { env: process.env, cwd: realpathSync(process.cwd()) }),
    examine: async () => (await import('./doctor.ts')).doctorReport(config),
    choices: async purpose => {
      if (purpose === 'model') {
        const models = await (await import('./known-models.ts')).knownModels({
          backend,
          config: config.config,
          misses,
        })
        if (models.length === 0) return words.lists.noModels('ollama pull qwen2.5-coder:7b')
        return models.map(({ name }) => name).join('\n')
      }
      const { sessions, skipped } = await pastOnes(words)
      const others = sessions.filter(({ id }) => id !== session.id).map(({ text }) => text)
      return [...(others.length > 0 ? others : [words.lists.noSessions]), ...skipped].join('\n')
    },
  })
}

/** The terminal is gone, or the system is ending gopi: the run is still finished properly. */
async function endBy(code: number, started: Started | undefined): Promise<void> {
  process.exitCode = code
  started?.session.abort()
  await started?.end()
  process.exit(code)
}

type Face = import('../plain/plain.ts').PlainFace

/** `-r` without an id: the person picks one by its number. */
async function pick(face: Face, words: Words): Promise<string | undefined> {
  const { sessions, skipped } = await pastOnes(words)
  for (const sentence of skipped) say(sentence)
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
      words.plain.whichSession,
      sessions.map(({ text }) => text),
    )
  ]?.id
}

/** The sessions of this directory, and a sentence for each journal that is none. */
async function pastOnes(
  words: Words,
): Promise<{ sessions: { id: string; text: string }[]; skipped: string[] }> {
  const { describeSessions, skippedJournals } = await import('../session/past.ts')
  const [home, cwd] = [gopiHome(process.env), realpathSync(process.cwd())]
  return { sessions: describeSessions(home, cwd), skipped: skippedJournals(home, cwd).map(words.say) }
}

/** A folder that brings instructions or configuration is asked about once. */
async function askTrust(face: Face, words: Words): Promise<boolean> {
  const known = trustOf(gopiHome(process.env), realpathSync(process.cwd()))
  if (known !== undefined || claims(realpathSync(process.cwd())).length === 0) return known ?? false
  return (await ask(face, words)) ?? false
}

/** undefined: there is nothing to ask about, or nobody to ask. */
async function ask(face: Face, words: Words): Promise<boolean | undefined> {
  const home = gopiHome(process.env)
  const cwd = realpathSync(process.cwd())
  if (!face.interactive) return undefined
  const { trustQuestion } = await import('./trust-question.ts')
  const question = await trustQuestion({ home, cwd }, words)
  if (!question) face.say(words.notices.nothingToTrust)
  if (!question) return undefined
  for (const line of [...question.about, ...question.texts]) face.say(line)
  const trusted = await face.confirm(words.plain.trustQuestion)
  await rememberTrust(home, cwd, trusted).catch(error => say(words.notices.trustNotKept(error.message)))
  return trusted
}
