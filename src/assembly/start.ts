/** From a checked configuration to a session with a model behind it: what faces and programs begin with. */
import { homedir } from 'node:os'
import path from 'node:path'
import { isNear, isOverheard, shownHost } from '../backends/address.ts'
import type { Backend } from '../backends/backend.ts'
import type { Config } from '../config/config.ts'
import { type Instructions, readInstructions } from '../context/instructions.ts'
import { expand } from '../kit/expand.ts'
import { type Kit, kitOf } from '../kit/kit.ts'
import type { Skill, Source } from '../kit/source.ts'
import { openRemembered, type Remembered } from '../memory/remembered.ts'
import { isInside } from '../paths/inside.ts'
import type { Opened } from '../session/open.ts'
import type { Session } from '../session/session.ts'
import { told } from '../words/sayings/told.ts'
import { type AssembleOptions, assemble, openFor } from './assemble.ts'
import { baseSources } from './base.ts'
import { openServer, type Server, serverOf } from './provider.ts'
import { loadRest } from './rest.ts'

export interface StartOptions
  extends Omit<
    AssembleOptions,
    | 'backend'
    | 'kit'
    | 'instructions'
    | 'remembered'
    | 'prewarm'
    | 'agent'
    | 'agentNow'
    | 'makeTasks'
    | 'opened'
  > {
  /** The folder's own instructions are used. */
  trusted: boolean
  /** The person knows what is left out where it is not. Default false. */
  untrustedTold?: boolean
  /** Who the session is, by name. Default: who it was when it is resumed, else nobody in particular. */
  agent?: string | undefined
  /** The nearer ones later. Default: gopi itself alone. */
  sources?: readonly Source[]
  /** Those that come after gopi itself, where that is the default. Default: none. */
  more?: readonly Source[]
  /** The server, where it was opened already. */
  server?: Server & { remembered: Remembered }
  /** Sees what the server is asked. */
  watch?(backend: Backend): Backend
  /** Reading ahead was configured by somebody: it is done on a distant server too. Default false. */
  prewarmNamed?: boolean
}

export interface Ready {
  session: Session
  kit: Kit
  instructions: Instructions
  /** The one that the session talks to. */
  server: Pick<Server, 'backend' | 'config'>
}

/** Nothing has been asked of the server when it resolves. Rejects with `RunError`, or `UsageError` for the session to resume. */
export async function start(options: StartOptions): Promise<Ready> {
  // Who the session was decides about the tools that it has, and its model about the server.
  const opened = options.resume && (await openFor(options))
  try {
    return await startWith(options, opened)
  } catch (error) {
    opened?.release()
    throw error
  }
}

async function startWith(
  {
    trusted,
    untrustedTold = false,
    sources,
    agent,
    more,
    server,
    watch = backend => backend,
    prewarmNamed = false,
    ...options
  }: StartOptions,
  opened: Opened | undefined,
): Promise<Ready> {
  const { home, cwd, notices = [] } = options
  const remembered = server?.remembered ?? openRemembered(home)
  const memory = remembered.models
  const chosen = server ?? (await openServer(options.config, { memory }))
  const { agents: asked, tools } = chosen.config
  const base = await baseSources(tools, { sources, more })
  const places = { home, cwd, trusted, person: options.env.HOME ?? homedir() }
  const before = opened?.resumed?.agents
  const wanted = asked.task || agent !== undefined || before !== undefined
  const acting = wanted
    ? await (await import('./agents.ts')).withAgents(base, places, { config: chosen.config, agent, before })
    : undefined
  const past = options.modelNamed ? undefined : opened?.resumed?.sent?.model
  const { backend, config, isPaid, openKeys } = await serverOf(past ?? acting?.agent?.model, chosen, {
    memory,
  })
  const hosts = backend.host.split(', ')
  const kit = kitOf(acting?.sources ?? base)
  const expandLine = (line: string) => expand(line, kit.commands)
  const read = readInstructions({ home, cwd, trusted, more: config.instructions })
  const instructions = untrustedTold ? { ...read, ignored: [] } : read
  const { prewarm } = config.ollama
  const session = await assemble({
    ...options,
    config: withReading(config, kit.skills, cwd),
    kit,
    expand: expandLine,
    opened,
    agent: acting?.agent,
    agentNow: acting?.agentNow,
    makeTasks: acting?.makeTasks,
    instructions,
    remembered,
    backend: watch(backend),
    notices: [
      ...notices,
      ...hosts.filter(isOverheard).map(host => told('host.overheard', { host: shownHost(host) })),
      ...openKeys.map(host => told('host.open_key', { host: shownHost(host) })),
      ...kit.clashes,
      ...kit.refused,
      ...(acting?.notices ?? []),
    ],
    // A distant server, or one that is paid for, is not given work that nobody asked for.
    prewarm: (hosts.every(isNear) && !isPaid) || prewarmNamed ? prewarm : 'off',
  })
  const stop = session.subscribe(({ type }) => {
    if (type !== 'turn_start') return
    stop()
    setImmediate(loadRest)
  })
  return { session, kit, instructions, server: { backend, config } }
}

/** A skill's own files are read without asking, wherever the person keeps it. */
function withReading(config: Config, skills: readonly Skill[], cwd: string): Config {
  const folders = skills.map(({ file }) => path.dirname(file)).filter(folder => !isInside(folder, cwd))
  const sayable = folders.filter(folder => !/[*?{}()[\]\\\p{Cc}]/u.test(folder))
  if (sayable.length === 0) return config
  const { permission } = config
  const allow = [...permission.allow, ...sayable.map(folder => `Read(${folder}/**)`)]
  return { ...config, permission: { ...permission, allow } }
}
