/** From a command line to a session with a model behind it: what all faces begin with. */
import { realpathSync } from 'node:fs'
import type { RunParts } from '../agent/run.ts'
import type { Config } from '../config/config.ts'
import { type LoadedConfig, loadConfig } from '../config/load.ts'
import { type Instructions, readInstructions } from '../context/instructions.ts'
import { isNear, isOverheard, shownHost } from '../model/host.ts'
import type { ChatModel } from '../model/model.ts'
import { createOllama } from '../model/ollama.ts'
import type { Notice } from '../session/connection.ts'
import type { Resume } from '../session/open.ts'
import type { Session } from '../session/session.ts'
import { builtinTools } from '../tools/list.ts'
import { loadWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import type { RunCommand } from './args.ts'
import { assemble } from './assemble.ts'
import { logEvents, loggedModel, openLog } from './debug-log.ts'
import { gopiHome } from './home.ts'
import { openRemembered } from './remembered.ts'
import { say } from './say.ts'
import { changedSinceTrusted, trustOf } from './trust.ts'

const defaultMaxTurns = 25

/** What differs between the faces. */
export interface Face extends Pick<RunParts, 'approve' | 'goOn'> {
  /** What the person has said about the folder. Default: what is remembered. */
  trust?: boolean
  /** A sentence for the person that is no part of the conversation. Default: on stderr. */
  tell?(message: string): void
}

export interface Started {
  session: Session
  config: LoadedConfig
  instructions: Instructions
  trusted: boolean
  chat: ChatModel
  /** The server is the built-in demo. */
  isDemo: boolean
  /** Leaves nothing running, and names what could not be ended. */
  end(): Promise<void>
}

/** Everything up to a session that has not asked the server anything yet. */
export async function begin(command: RunCommand, { trust, tell = say, ...asking }: Face): Promise<Started> {
  const env = process.env
  const home = gopiHome(env)
  const cwd = realpathSync(process.cwd())
  const trusted = trust ?? command.trust ?? trustOf(home, cwd) ?? false
  const [config, instructions] = await Promise.all([
    loadConfig({ home, cwd, env, flags: command, file: command.config, trusted }),
    readInstructions({ home, cwd, trusted }),
  ])
  const log = command.debug || env.GOPI_DEBUG === '1' ? openLog(home) : undefined
  const { chat, demo, ...settings } = await serverFor(command, config, { tell })
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
    modeNamed: isModeNamed(config),
    keep: !command.noSession,
    ...resumeFor(command),
    notices: [
      ...config.notices.map(message => ({ code: 'config', message })),
      ...(trusted ? [] : changedSinceTrusted(home, cwd).map(trustIsOver)),
      ...(isOverheard(chat.host) ? [overheard(chat.host)] : []),
    ],
    patient: !command.print,
    prewarm: command.print ? 'off' : prewarmFor(settings.config, config),
    // The demo is another server each time.
    remembered: openRemembered(demo ? undefined : home),
    ...asking,
    maxTurns: command.maxTurns ?? defaultMaxTurns,
    onShellClosed({ escaped }) {
      for (const { pid, command } of escaped)
        tell(`still running, started by a command: ${command} (process ${pid})`)
    },
  })
  if (log) session.subscribe(logEvents(log))
  return {
    session,
    config: { ...config, config: settings.config },
    instructions,
    trusted,
    chat,
    isDemo: demo !== undefined,
    async end() {
      await session.close()
      demo?.stop()
    },
  }
}

const trustIsOver = (file: string): Notice => ({
  code: 'trust',
  message: `${file} has changed since this folder was trusted, so it is not trusted until you are asked again (--trust takes it for this start).`,
})

const overheard = (host: string): Notice => ({
  code: 'host',
  message: `${shownHost(host)} is far away and reached over plain http: everybody on the way can read the conversation and your files. Use https, or a tunnel.`,
})

/** By the command line, or by a project, which may only tighten. */
const isModeNamed = ({ sources }: LoadedConfig): boolean =>
  sources.get('permission.mode')?.some(({ from }) => from === 'flag' || from === 'project') ?? false

/** The server that is asked: the configured one, or the demo. */
async function serverFor(
  command: RunCommand,
  { config, explicit }: LoadedConfig,
  { tell }: Required<Pick<Face, 'tell'>>,
) {
  const { host, timeout } = config.ollama
  const chat = createOllama({ host, timeout })
  const named = { config, modelNamed: explicit.has('ollama.model') }
  if (command.demo === undefined || (command.demo === 'auto' && (await answers(chat))))
    return { chat, ...named }

  const { demoModel, startDemo } = await import('./demo.ts')
  const demo = await startDemo()
  const { notices } = await loadWords(languageOf(config.tui.language, process.env))
  tell(command.demo === 'auto' ? notices.demoInstead(chat.host) : notices.demo)
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
