/** Makes the rooms and hands them to each other: everything that a session needs, from a checked configuration. */
import { homedir } from 'node:os'
import path from 'node:path'
import { customAlphabet } from 'nanoid/non-secure'
import type { RunPolicy } from '../agent/run.ts'
import type { Backend } from '../backends/backend.ts'
import type { Config } from '../config/config.ts'
import { formatDuration } from '../config/duration.ts'
import { asides } from '../context/aside.ts'
import { createGauge } from '../context/gauge.ts'
import type { Instructions } from '../context/instructions.ts'
import type { Kit } from '../kit/kit.ts'
import type { Remembered } from '../memory/remembered.ts'
import { secret } from '../paths/names.ts'
import { createDoor } from '../permission/door.ts'
import { commandEnvironment } from '../permission/environment.ts'
import type { PermissionMode } from '../protocol/events.ts'
import type { Agent } from '../session/agent.ts'
import { beginJournal } from '../session/beginning.ts'
import { Changes } from '../session/changes.ts'
import { ProjectChecks } from '../session/checks.ts'
import { type ConnectOptions, connectionTo } from '../session/connect.ts'
import type { Notice } from '../session/connection.ts'
import { FileJournal, MemoryJournal } from '../session/journal.ts'
import { Mode } from '../session/mode.ts'
import { OldContents } from '../session/old-contents.ts'
import { type Opened, openSession, type Resume } from '../session/open.ts'
import { Recorder } from '../session/recorder.ts'
import type { Replayed } from '../session/replay.ts'
import { Role } from '../session/role.ts'
import { Session, type SessionOptions } from '../session/session.ts'
import { removeStrays } from '../session/strays.ts'
import type { TasksOptions } from '../session/tasks.ts'
import { Background } from '../shell/background.ts'
import { createShell } from '../shell/shell.ts'
import { FileLedger } from '../tools/ledger.ts'
import type { Tasks, ToolSurroundings } from '../tools/tool.ts'
import { told } from '../words/sayings/told.ts'
import type { OthersOptions } from './agent-setup.ts'
import { answeredBy, keepRules, once, oneByOne } from './asking.ts'
import { hiddenFrom, keyMask } from './hidden.ts'
import { asAgent, type Profiled, profiled, stateOf } from './model.ts'
import { instructionNotices, sayShortfall } from './notices.ts'
import { priceOf } from './provider.ts'
import { sandboxFor } from './sandboxing.ts'
import { scratchDirectory, tidyLater } from './scratch.ts'

/** Nobody gains by guessing an id, and node:crypto is slow to load. */
const newId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 10)

export interface AssembleOptions extends Profiled, Pick<RunPolicy, 'approve' | 'goOn' | 'maxTurns'> {
  home: string
  /** The session's directory, a real path. */
  cwd: string
  env: NodeJS.ProcessEnv
  config: Config
  /** The person's config file, where “always” is written. Default: the one in gopi's home. */
  configFile?: string | undefined
  backend: Backend
  kit: Pick<Kit, 'tools' | 'wire' | 'hooks' | 'steps' | 'resource' | 'sources' | 'agents'>
  /** Whose the prefix is. Default: nobody's in particular. */
  agent?: Agent | undefined
  /** Who goes on with a resumed session; null: nobody in particular. Default: whose the prefix is. */
  agentNow?: Agent | null | undefined
  /** Has agents work. Default: nobody can. */
  makeTasks?:
    | ((
        parts: Pick<TasksOptions, 'session' | 'agents' | 'tools' | 'narrowed' | 'backend'> & OthersOptions,
      ) => Tasks)
    | undefined
  instructions: Instructions
  /** Files as the person's editor has them. Default: the disk is what counts. */
  buffers?: ToolSurroundings['buffers']
  /** What a line of the person's stands for, where it is a command of their own. */
  expand?: SessionOptions['expand']
  /** Told the model at the end of the system text. */
  appended?: string
  /** Somebody named the model: it is never replaced by another. */
  modelNamed: boolean
  /** The mode was chosen for this very start: it also holds when a session is resumed. Default false. */
  modeNamed?: boolean
  /** `maxTurns` was chosen for this very start: an agent's own number does not replace it. Default false. */
  turnsNamed?: boolean
  /** Keep a journal on disk. */
  keep: boolean
  resume?: Resume
  /** That session, where it was opened already. */
  opened?: Opened | undefined
  /** Of a new session. Default: any. */
  id?: string | undefined
  notices?: readonly Notice[]
  prewarm: SessionOptions['prewarm']
  /** What is remembered between starts. */
  remembered: Remembered
  /** Somebody is still typing: a look-up of a few milliseconds costs nobody anything. */
  patient?: boolean
  /** Tell the model the date, the git branch and which files changed. Default true. */
  tellFacts?: boolean
}

/** The session that is asked for, read and locked. Rejects with `UsageError` when the one to resume is not there. */
export const openFor = ({
  home,
  cwd,
  keep,
  resume,
  id,
}: Pick<AssembleOptions, 'home' | 'cwd' | 'keep' | 'resume' | 'id'>): Promise<Opened> =>
  openSession({ home, cwd, keep, newId, id, ...(resume && { resume }) })

/** Rejects with `UsageError` when the session to resume is not there. Nothing is asked of the server yet. */
export async function assemble(options: AssembleOptions): Promise<Session> {
  const opened = options.opened ?? (await openFor(options))
  try {
    return assembled(options, opened)
  } catch (error) {
    opened.release()
    throw error
  }
}

function assembled(options: AssembleOptions, opened: Opened): Session {
  const { home, cwd, env, config, backend, kit, instructions, keep, remembered } = options
  const { place, resumed } = opened
  const saved = resumed && keep ? removeStrays(place) : []
  const scratch = scratchDirectory(keep ? place.directory : undefined)
  const files = new FileLedger(resumed?.seen)
  const commands = commandEnvironment(env, {
    hidden: hiddenFrom(config),
    cwd,
  })
  const person = env.HOME ?? homedir()
  const sandbox = sandboxFor(config.sandbox, {
    ...{ project: cwd, home: person, gopiHome: home, env: commands },
    isOwn: real => files.wrote(real),
  })
  const shell = createShell({ cwd, env: commands, project: cwd, wall: sandbox?.wall })
  const journal = keep ? new FileJournal(place.file, opened.bytes) : new MemoryJournal(place.file)
  const start = modeAtStart(config.permission.mode, { named: options.modeNamed ?? false, resumed })
  // Who was taken up again stands in the journal.
  const newAgent = options.agentNow === undefined ? options.agent : undefined
  const recorder = new Recorder(journal, resumed, main =>
    beginJournal(main, { id: place.id, cwd, mode: () => mode.current, agent: newAgent, resumed }),
  )
  const mode = new Mode(start.mode, recorder)
  const door = createDoor({
    cwd,
    home: person,
    gopiHome: home,
    mode: () => mode.current,
    shellCwd: () => shell.cwd,
    rules: config.permission,
    wrote: real => files.wrote(real),
    wall: sandbox && {
      ...sandbox.rules,
      missed: once(why => recorder.notice(told('permission.sandbox_missing', { why }))),
    },
    foreign: resumed?.foreign,
    keep: rules => keepRules(rules, options.configFile ?? path.join(home, 'config.yaml'), recorder),
  })
  const volatile =
    options.tellFacts === false ? undefined : asides({ cwd, instructions, mode: () => mode.current, resumed })

  const profileFor = profiled(options)
  const changedSince = async (since: number, signal: AbortSignal) =>
    (await import('../tools/changed-since.ts')).changedSince(cwd, since, signal)
  const changes = new Changes({
    old: new OldContents(scratch.make),
    record: event => recorder.main.record(event),
    known: () => files.known(),
    remember: seen => files.remember(seen),
    changedSince,
    before: resumed?.changes,
  })

  const appended = [options.agent?.prompt ?? '', options.appended ?? '']
    .filter(text => text !== '')
    .join('\n\n')
  const connecting: ConnectOptions = {
    backend,
    cwd,
    model: options.agent?.model ?? config.ollama.model,
    tool_calling: config.ollama.tool_calling,
    think: config.ollama.think,
    keep_alive: config.ollama.keep_alive,
    profile: profileFor,
    max_tokens: config.context.max_tokens,
    bashTimeout: formatDuration(config.tools.bash_timeout),
    tools: kit.wire,
    instructions: instructions.texts,
    ...(appended !== '' && { appended }),
    modelNamed: options.modelNamed,
    patient: options.patient ?? false,
    ...(resumed && { resumed }),
    notices: [
      ...opened.notices,
      ...start.notices,
      ...saved,
      ...(options.notices ?? []),
      ...instructionNotices(instructions),
    ],
  }
  const role = new Role({
    begun: options.agent,
    now: options.agentNow === null ? undefined : (options.agentNow ?? options.agent),
    history: resumed?.agents ? resumed.history : [],
    record: event => recorder.main.record(event),
  })
  const tasks = options.makeTasks?.({
    ...{ config, backend, connecting, remembered, agents: kit.agents, tools: kit.tools },
    session: () => session,
    narrowed: (...by) => door.narrowed(...role.narrowing, ...by),
  })
  const session: Session = new Session({
    role,
    checks: new ProjectChecks({
      ...{ cwd, table: config.verify, changedSince },
      matches: async (glob, file) =>
        (await import('../rules/match.ts')).matchesPath(glob, file, { cwd, home: person }),
      notice: notice => recorder.notice(notice),
    }),
    agents: kit.agents,
    id: place.id,
    changes,
    recorder,
    mode,
    backend,
    tools: {
      list: kit.tools,
      surroundings: {
        cwd,
        shell,
        limits: {
          bash_timeout_ms: config.tools.bash_timeout,
          bash_max_output: config.tools.bash_max_output,
          read_max_lines: config.tools.read_max_lines,
          grep_max_matches: config.tools.grep_max_matches,
        },
        files,
        buffers: options.buffers,
        changes,
        background: new Background({
          env: commands,
          project: cwd,
          cwd: () => shell.cwd,
          changed: running => recorder.main.show({ type: 'background', running }),
          ended: (id, job) => session.shell.ended(id, job),
        }),
        tasks,
        isSecret: real => secret(real) !== undefined,
        mask: keyMask(config, env),
        spillDir: scratch.make,
      },
    },
    policy: {
      authorize: call => door.narrowed(...role.narrowing)(call),
      approve: oneByOne(answeredBy(kit.steps, options.approve)),
      remember: door.remember,
      hooks: kit.hooks,
      steps: kit.steps,
      goOn: options.goOn,
      get maxTurns() {
        return (options.turnsNamed ? undefined : role.current?.max_turns) ?? options.maxTurns
      },
    },
    newId,
    expand: options.expand,
    priceOf: model => priceOf(config, model),
    ...(resumed && { resumed }),
    connection: options.agent ? asAgent(connectionTo(connecting), options.agent) : connectionTo(connecting),
    resource: kit.resource,
    prewarm: options.prewarm,
    limits: {
      keepRecent: config.context.keep_recent,
      get threshold() {
        const own = session.model === undefined ? undefined : profileFor(session.model).compaction_threshold
        return own ?? config.context.compaction_threshold
      },
    },
    gaugeFor: model => createGauge({ key: `${backend.host} ${model}`, memories: remembered }),
    aside: history => {
      const { note, notices } = volatile?.aside(history) ?? { note: '', notices: [] }
      return { note: [role.note(), note].filter(text => text !== '').join('\n\n'), notices }
    },
    state: stateOf(backend, () => session.model),
    async onEnd() {
      await session.background.close()
      await Promise.all(begun.map(end => end()))
      const { escaped } = await shell.close()
      for (const { pid, command } of escaped)
        recorder.notice(told('shell.left_running', { command, process: pid }))
    },
    async onClose() {
      changes.close()
      tasks?.close()
      backend.close?.()
      remembered.close()
      opened.release()
      await scratch.remove()
    },
  })
  const begun = kit.sources.flatMap(({ begin }) => begin?.(session) ?? [])
  session.subscribe(door.listen, { threads: true })
  session.subscribe(event => changes.listen(event))
  if (volatile) session.subscribe(volatile.listen)
  sayShortfall(session, backend, remembered.models)
  if (keep) tidyLater(session, path.dirname(place.file))
  return session
}

/** A resumed session keeps its mode, except yolo, which is meant for the day it was chosen. */
function modeAtStart(
  mode: PermissionMode,
  { named, resumed }: { named: boolean; resumed: Pick<Replayed, 'mode'> | undefined },
): { mode: PermissionMode; notices: Notice[] } {
  if (named || !resumed) return { mode, notices: [] }
  const before = resumed.mode ?? 'ask'
  if (before !== 'yolo') return { mode: before, notices: [] }
  return { mode: 'ask', notices: [told('mode.no_yolo', {})] }
}
