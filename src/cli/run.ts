/** `gopi` and `gopi -p`: from the command line to a session, its face, and the exit code. */
import { realpathSync } from 'node:fs'
import type { RunParts } from '../agent/run.ts'
import type { Config } from '../config/config.ts'
import { type LoadedConfig, loadConfig } from '../config/load.ts'
import { readInstructions } from '../context/instructions.ts'
import { isNear } from '../model/host.ts'
import type { ChatModel } from '../model/model.ts'
import { createOllama } from '../model/ollama.ts'
import { UsageError } from '../protocol/errors.ts'
import type { Resume } from '../session/open.ts'
import type { Session } from '../session/session.ts'
import { builtinTools } from '../tools/list.ts'
import type { RunCommand } from './args.ts'
import { assemble } from './assemble.ts'
import { logEvents, loggedModel, openLog } from './debug-log.ts'
import { gopiHome } from './home.ts'
import { openRemembered } from './remembered.ts'
import { say } from './say.ts'
import { listenForSignals } from './signals.ts'
import { isSilent } from './silent-input.ts'
import { claims, rememberTrust, trustOf } from './trust.ts'

const defaultMaxTurns = 25

export interface StartOptions {
  /** Keeps the compiled code for the next start; to be called when what a start needs has run. */
  keepCode(): void
}

/** Milliseconds of a conversation after which its code is kept: by then it has drawn itself and waits for words. */
const settled = 1_000

export function runCommand(command: RunCommand, options: StartOptions): Promise<number> {
  return command.print ? printCommand(command, options) : talkCommand(command, options)
}

/** `-p`: standard input is read and the model looked up at the same time. */
async function printCommand(command: RunCommand, { keepCode }: StartOptions): Promise<number> {
  const [{ printer, exitCode }, { readStandardInput }] = await Promise.all([
    import('../print/print.ts'),
    import('./stdin.ts'),
  ])
  const started = await start(command, { approve: undefined, goOn: async () => false })
  const { session } = started
  try {
    let ending: number | undefined
    const stop = (code: number) => () => {
      if (ending !== undefined) process.exit(code)
      ending = code
      session.abort()
    }
    // A reader that has gone (`gopi -p … | head -1`) wants no more: stop, quietly.
    process.stdout.on('error', stop(1))

    const format = command.outputFormat ?? 'text'
    // Before anything happens: the look-up of the model has things to tell, and standard input may take its time.
    const run = printer(session, { format, stdout: process.stdout, stderr: process.stderr })
    void session.connect().catch(() => {}) // The prompt meets the same failure and tells it.
    const piped = isSilent(0)
      ? ''
      : await readStandardInput(() => say('waiting for the end of standard input (it is a pipe) …'))
    const prompt = [command.prompt.join(' '), piped.trimEnd()].filter(text => text.trim() !== '').join('\n\n')
    if (prompt === '')
      throw new UsageError('-p expects a prompt, as words or on standard input; there is none.')

    if (ending !== undefined) return ending

    const signals = listenForSignals()
    signals.onInterrupt(stop(130))
    signals.onEnd(code => stop(code)())
    const result = await run(prompt)
    if (result.reason === 'done') keepCode()
    return ending ?? exitCode(result)
  } finally {
    await started.end()
  }
}

/** The line mode: until the full screen exists, it is what `gopi` opens. */
async function talkCommand(command: RunCommand, { keepCode }: StartOptions): Promise<number> {
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
    current = await start(next, {
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

async function talk(face: Face, { session, config, host }: Started, first: string) {
  await session.open()
  const { model, setup, mode } = session
  face.say(
    `gopi ${process.env.GOPI_VERSION} · ${model} (${setup?.dialect.name}) at ${host} · ${mode} · /help`,
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

/** What differs between the faces. */
type Asking = Pick<RunParts, 'approve' | 'goOn'> & { trust?: boolean }

interface Started {
  session: Session
  config: LoadedConfig
  host: string
  /** Leaves nothing running, and names what could not be ended. */
  end(): Promise<void>
}

/** Everything up to a session that has not asked the server anything yet. */
async function start(command: RunCommand, { trust, ...asking }: Asking): Promise<Started> {
  const env = process.env
  const home = gopiHome(env)
  const cwd = realpathSync(process.cwd())
  const trusted = trust ?? command.trust ?? trustOf(home, cwd) ?? false
  const [config, instructions] = await Promise.all([
    loadConfig({ home, cwd, env, flags: command, file: command.config, trusted }),
    readInstructions({ home, cwd, trusted }),
  ])
  const log = command.debug || env.GOPI_DEBUG === '1' ? openLog(home) : undefined
  const { chat, demo, ...settings } = await serverFor(command, config)
  const session = assemble({
    home,
    cwd,
    env,
    config: settings.config,
    configFile: config.files.find(({ from }) => from === 'user')?.file,
    chat: log ? loggedModel(chat, log) : chat,
    tools: builtinTools(),
    instructions,
    modelNamed: settings.modelNamed,
    keep: !command.noSession,
    ...resumeFor(command),
    notices: config.notices.map(message => ({ code: 'config', message })),
    patient: !command.print,
    prewarm: command.print ? 'off' : prewarmFor(settings.config, config),
    // The demo is another server each time.
    remembered: openRemembered(demo ? undefined : home),
    ...asking,
    maxTurns: command.maxTurns ?? defaultMaxTurns,
    onShellClosed({ escaped }) {
      for (const { pid, command } of escaped)
        say(`still running, started by a command: ${command} (process ${pid})`)
    },
  })
  if (log) session.subscribe(logEvents(log))
  return {
    session,
    config,
    host: chat.host,
    async end() {
      await session.close()
      demo?.stop()
    },
  }
}

/** The server that is asked: the configured one, or the demo. */
async function serverFor(command: RunCommand, { config, explicit }: LoadedConfig) {
  const { host, timeout } = config.ollama
  const chat = createOllama({ host, timeout })
  const named = { config, modelNamed: explicit.has('ollama.model') }
  if (command.demo === undefined || (command.demo === 'auto' && (await answers(chat))))
    return { chat, ...named }

  const { demoModel, startDemo } = await import('./demo.ts')
  const demo = await startDemo()
  const missing = command.demo === 'auto' ? `No Ollama answers at ${chat.host}, so this` : 'This'
  say(`${missing} is gopi's built-in demo: a script that shows how gopi works, and no language model.`)
  const model = command.model ?? demoModel
  return {
    chat: createOllama({ host: demo.host, timeout }),
    demo,
    config: { ...config, ollama: { ...config.ollama, host: demo.host, model } },
    modelNamed: true,
  }
}

/** A server far away is not asked for work that nobody ordered, unless the person set it so. */
function prewarmFor({ ollama }: Config, { explicit }: LoadedConfig): Config['ollama']['prewarm'] {
  return isNear(ollama.host) || explicit.has('ollama.prewarm') ? ollama.prewarm : 'off'
}

const answers = (chat: ChatModel): Promise<boolean> =>
  chat.version().then(
    () => true,
    () => false,
  )

function resumeFor({ continue: last, resume, fork }: RunCommand): { resume?: Resume } {
  if (fork !== undefined) return { resume: { fork } }
  if (typeof resume === 'string') return { resume: { id: resume } }
  return last ? { resume: { last: true } } : {}
}

type Face = import('../plain/plain.ts').PlainFace

/** `-r` without an id: the person picks one by its number. */
async function pick(face: Face): Promise<string | undefined> {
  const { describeSessions } = await import('./lists.ts')
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
