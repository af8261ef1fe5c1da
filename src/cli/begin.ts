/** From a command line to a session with a model behind it: what all faces begin with. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import type { AssembleOptions } from '../assembly/assemble.ts'
import { isExtended } from '../assembly/extended.ts'
import { openServer } from '../assembly/provider.ts'
import type { ServersAsked } from '../assembly/servers.ts'
import { start } from '../assembly/start.ts'
import { changedSinceTrusted, trustOf } from '../assembly/trust.ts'
import type { Backend } from '../backends/backend.ts'
import { folderModel } from '../config/folder-model.ts'
import { gopiHome } from '../config/home.ts'
import { type LoadedConfig, loadConfig } from '../config/load.ts'
import { turnLimit } from '../config/turn-limit.ts'
import type { Instructions } from '../context/instructions.ts'

import type { Kit } from '../kit/kit.ts'
import { openRemembered } from '../memory/remembered.ts'
import type { Told } from '../protocol/sayings.ts'
import type { Resume } from '../session/open.ts'
import type { Session } from '../session/session.ts'
import { loadWords } from '../words/language.ts'
import { languageOf } from '../words/locale.ts'
import { told } from '../words/sayings/told.ts'
import type { RunCommand } from './args.ts'
import { logEvents, loggedModel, logWarnings, openLog } from './debug-log.ts'
import { say } from './say.ts'

/** What differs between the faces. */
export interface Face extends Pick<AssembleOptions, 'approve' | 'goOn' | 'buffers' | 'id'> {
  /** What the person has said about the folder. Default: what is remembered. */
  trust?: boolean
  /** The person knows what of an untrusted folder is left out. Default false. */
  untrustedTold?: boolean
  /** The session's directory, a real path. Default: the process's. */
  cwd?: string
  /** Servers of tools that the person's editor names. */
  given?: ServersAsked['given']
  /** A sentence for the person that is not part of the conversation. Default: on stderr. */
  tell?(message: string): void
}

export interface Started {
  /** The session's directory. */
  cwd: string
  session: Session
  kit: Kit
  config: LoadedConfig
  instructions: Instructions
  trusted: boolean
  backend: Backend
  /** The server is the built-in demo. */
  isDemo: boolean
  /** Leaves nothing running, and names what could not be ended. */
  end(): Promise<void>
}

/** Everything up to a session that has not asked the server anything yet. */
export async function begin(
  command: RunCommand,
  { trust, untrustedTold = false, cwd = realpathSync(process.cwd()), given, tell = say, ...asking }: Face,
): Promise<Started> {
  const env = process.env
  const home = gopiHome(env)
  const trusted = trust ?? command.trust ?? trustOf(home, cwd) ?? false
  const config = withChosen(
    await loadConfig({ home, cwd, env, flags: command, file: command.config, trusted }),
    command.demo === undefined ? folderModel(home, cwd) : undefined,
  )
  const log = command.debug || env.GOPI_DEBUG === '1' ? openLog(home) : undefined
  if (log) logWarnings(log)
  const { demo, modelNamed, ...server } = await serverFor(command, config, { home, tell })
  const asked = { config, home, cwd, env, trusted, given, person: env.HOME ?? homedir() }
  const more =
    given || isExtended(asked)
      ? await (await import('../assembly/sources.ts')).sourcesOf({
          ...asked,
          remembered: server.remembered,
        })
      : []
  const { session, kit, instructions, ...talking } = await start({
    more,
    home,
    cwd,
    env,
    trusted,
    untrustedTold,
    config: server.config,
    profiles: { own: config.profiles, explicit: config.explicit },
    configFile: config.files.find(({ from }) => from === 'user')?.file,
    server,
    ...(log && { watch: (asked: Backend) => loggedModel(asked, log) }),
    agent: command.agent,
    modelNamed,
    modeNamed: isModeNamed(config),
    prewarmNamed: config.explicit.has('ollama.prewarm'),
    keep: !command.noSession,
    ...resumeFor(command),
    notices: [
      ...config.notices.filter(notice => !untrustedTold || !isUntrusted(notice)),
      ...(trusted ? [] : changedSinceTrusted(home, cwd).map(file => told('trust.changed', { file }))),
    ],
    patient: !command.print,
    ...asking,
    maxTurns: command.maxTurns ?? turnLimit(config.config),
    turnsNamed: command.maxTurns !== undefined,
    ...(command.appendSystemPrompt !== undefined && { appended: command.appendSystemPrompt }),
  })
  if (log) session.subscribe(logEvents(log), { threads: true })
  // Other faces show their conversation no more when its end has something to say.
  if (!command.print) {
    const { say: wording } = await loadWords(languageOf(config.config.tui.language, env))
    session.subscribe(event => {
      if (event.type === 'notice' && event.code === 'shell') tell(wording(event))
    })
  }
  return {
    cwd,
    session,
    kit,
    config: { ...config, config: talking.server.config },
    instructions,
    trusted,
    backend: talking.server.backend,
    isDemo: demo !== undefined,
    async end() {
      await session.close()
      demo?.stop()
    },
  }
}

const isUntrusted = ({ facts }: Told): boolean => String(facts.case).startsWith('untrusted')

/** By the command line, or by a project, which may only tighten. */
const isModeNamed = ({ sources }: LoadedConfig): boolean =>
  sources.get('permission.mode')?.some(({ from }) => from === 'flag' || from === 'project') ?? false

/** With the model that the person chose in this folder last, unless one is named nearer than in their own configuration. */
function withChosen(loaded: LoadedConfig, model: string | undefined): LoadedConfig {
  const [source] = loaded.sources.get('ollama.model') ?? []
  if (model === undefined || (source?.from !== 'default' && source?.from !== 'user')) return loaded
  const { config } = loaded
  // It may be gone by now: then another one takes its place.
  const explicit = new Set([...loaded.explicit].filter(path => path !== 'ollama.model'))
  return { ...loaded, explicit, config: { ...config, ollama: { ...config.ollama, model } } }
}

/** The server that is asked: the configured one, or the demo. */
async function serverFor(
  command: RunCommand,
  loaded: LoadedConfig,
  { home, tell }: Required<Pick<Face, 'tell'>> & { home: string },
) {
  const remembered = openRemembered(home)
  const { ollama, ...rest } = loaded.config
  // Who asks from a script has pressed Enter already.
  const prewarm = command.print ? 'off' : ollama.prewarm
  const wanted = { ...rest, ollama: { ...ollama, prewarm } }
  const server = await openServer(wanted, { memory: remembered.models })
  const { backend } = server
  if (command.demo === undefined || (command.demo === 'auto' && (await answers(backend))))
    return { ...server, remembered, demo: undefined, modelNamed: loaded.explicit.has('ollama.model') }

  const { demoModel, startDemo } = await import('./demo.ts')
  const demo = await startDemo()
  const { notices } = await loadWords(languageOf(rest.tui.language, process.env))
  tell(command.demo === 'auto' ? notices.demoInstead(backend.host) : notices.demo)
  const model = command.model ?? demoModel
  const here = { ...wanted, ollama: { ...wanted.ollama, host: demo.host, model }, providers: {} }
  // The demo is a different server each time.
  return {
    ...(await openServer(here)),
    demo,
    remembered: { ...openRemembered(undefined), offers: remembered.offers, close: remembered.close },
    modelNamed: true,
  }
}

const answers = ({ version, models }: Backend): Promise<boolean> =>
  (version ?? models)().then(
    () => true,
    () => false,
  )

function resumeFor({ continue: last, resume, fork }: RunCommand): { resume?: Resume } {
  if (fork !== undefined) return { resume: { fork } }
  if (typeof resume === 'string') return { resume: { id: resume } }
  return last ? { resume: { last: true } } : {}
}
