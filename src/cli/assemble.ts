/** Makes the rooms and hands them to each other: everything that a session needs, from a checked configuration. */
import { mkdtempSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { customAlphabet } from 'nanoid/non-secure'
import type { RunParts } from '../agent/run.ts'
import type { Config } from '../config/config.ts'
import type { Instructions } from '../context/instructions.ts'
import { isSameModel } from '../model/facts.ts'
import type { ChatModel } from '../model/model.ts'
import { contextTruth } from '../model/truth.ts'
import { commandEnvironment } from '../permission/environment.ts'
import { secret } from '../permission/paths.ts'
import type { PermissionMode } from '../protocol/events.ts'
import type { Notice } from '../session/connection.ts'
import { FileJournal, MemoryJournal } from '../session/journal.ts'
import { openSession, type Resume } from '../session/open.ts'
import type { Replayed } from '../session/replay.ts'
import { Session, type SessionParts } from '../session/session.ts'
import { type CloseReport, createShell } from '../shell/shell.ts'
import { FileLedger } from '../tools/ledger.ts'
import { type Tool, toWire } from '../tools/tool.ts'
import { asides } from './aside.ts'
import { connectionTo } from './connect.ts'
import { createGauge } from './gauge.ts'
import { permissionFor } from './permit.ts'
import { openRemembered, type Remembered } from './remembered.ts'

/** Nobody gains by guessing an id, and node:crypto is slow to load. */
const newId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 10)

export interface AssembleOptions extends Pick<RunParts, 'approve' | 'goOn' | 'maxTurns'> {
  home: string
  /** The session's directory, a real path. */
  cwd: string
  env: NodeJS.ProcessEnv
  config: Config
  /** The person's config file, where “always” is written. Default: the one in gopi's home. */
  configFile?: string | undefined
  chat: ChatModel
  tools: readonly Tool[]
  instructions: Instructions
  /** Somebody named the model: it is never replaced by another. */
  modelNamed: boolean
  /** The mode was chosen for this very start: it holds also where a session is gone on with. Default false. */
  modeNamed?: boolean
  /** Keep a journal on disk. */
  keep: boolean
  resume?: Resume
  notices?: readonly Notice[]
  prewarm: SessionParts['prewarm']
  /** What is remembered between starts. Default: what lies in gopi's home. */
  remembered?: Remembered
  /** Somebody is still typing: a look-up of a few milliseconds costs nobody anything. */
  patient?: boolean
  /** Tell the model the date, the git branch and which files changed. Default true. */
  tellFacts?: boolean
  /** What the shell left behind when the session closed. */
  onShellClosed?(report: CloseReport): void
}

/** Throws `UsageError` when the session to resume is not there. Nothing is asked of the server yet. */
export function assemble(options: AssembleOptions): Session {
  const { home, cwd, env, config, tools, instructions, keep, resume } = options
  const life = new AbortController()
  const chat = askingUntil(life.signal, options.chat)
  const remembered = options.remembered ?? openRemembered(home)
  const opened = openSession({ home, cwd, keep, newId, ...(resume && { resume }) })
  const { place, resumed } = opened
  const scratch = scratchDirectory(keep ? place.directory : undefined)
  const files = new FileLedger(resumed?.seen)
  const shell = createShell({ cwd, env: commandEnvironment(env, { hidden: config.permission.env, cwd }) })
  const journal = keep
    ? new FileJournal(place.file, { onTrouble: sayTrouble })
    : new MemoryJournal(place.file)

  /** The disk refused the journal: the conversation goes on in memory, and says so itself. */
  function sayTrouble({ message }: Error): void {
    queueMicrotask(() => session.notice('disk', `The conversation cannot be kept on disk: ${message}.`))
  }

  const beginning = modeAtStart(config.permission.mode, { named: options.modeNamed ?? false, resumed })
  const volatile =
    options.tellFacts === false ? undefined : asides({ cwd, instructions, mode: () => session.mode, resumed })

  const session = new Session({
    id: place.id,
    cwd,
    chat,
    journal,
    tools,
    shell,
    newId,
    mode: beginning.mode,
    ...(resumed && { resumed }),
    connection: connectionTo({
      chat,
      config,
      cwd,
      tools: tools.map(toWire),
      instructions: instructions.texts,
      modelNamed: options.modelNamed,
      models: remembered.models,
      patient: options.patient ?? false,
      ...(resumed && { resumed }),
      notices: [
        ...opened.notices,
        ...beginning.notices,
        ...(options.notices ?? []),
        ...instructionNotices(instructions),
      ],
    }),
    limits: {
      bash_timeout_ms: config.tools.bash_timeout,
      bash_max_output: config.tools.bash_max_output,
      read_max_lines: config.tools.read_max_lines,
      grep_max_matches: config.tools.grep_max_matches,
    },
    prewarm: options.prewarm,
    keepRecent: config.context.keep_recent,
    threshold: config.context.compaction_threshold,
    gaugeFor: model =>
      createGauge({ key: `${chat.host} ${model}`, counter: remembered.counter, memories: remembered }),
    aside: volatile?.aside ?? (() => ({ note: '', notices: [] })),
    async runner() {
      const model = session.model
      return model === undefined
        ? undefined
        : (await chat.loaded()).find(({ name }) => isSameModel(name, model))
    },
    approve: options.approve,
    remember: (texts, how) => permission.remember(texts, how),
    goOn: options.goOn,
    maxTurns: options.maxTurns,
    files,
    isSecret: real => secret(real) !== undefined,
    spillDir: scratch.make,
    decide: (call, tool) => permission.decide(call, tool),
    async onClose() {
      life.abort('user')
      remembered.close()
      options.onShellClosed?.(await shell.close())
      opened.release()
      await scratch.remove()
    },
  })
  const configFile = options.configFile ?? path.join(home, 'config.yaml')
  const permission = permissionFor({
    ...{ home, cwd, env, shell, session, files, configFile },
    rules: config.permission,
  })
  session.subscribe(permission.listen)
  if (volatile) session.subscribe(volatile.listen)
  sayTheTruth(session, chat)
  return session
}

/** The model, whose small questions end with the session: a server that does not answer must not hold it up. */
const askingUntil = (signal: AbortSignal, chat: ChatModel): ChatModel => ({
  ...chat,
  facts: model => chat.facts(model, { signal }),
  loaded: () => chat.loaded({ signal }),
  installed: () => chat.installed({ signal }),
  version: () => chat.version({ signal }),
})

/** A session that is gone on with keeps its mode, but for yolo, which is meant for the day it was chosen. */
function modeAtStart(
  mode: PermissionMode,
  { named, resumed }: { named: boolean; resumed: Pick<Replayed, 'mode'> | undefined },
): { mode: PermissionMode; notices: Notice[] } {
  if (named || !resumed) return { mode, notices: [] }
  const before = resumed.mode ?? 'ask'
  if (before !== 'yolo') return { mode: before, notices: [] }
  const message =
    'This session ran in mode yolo and comes back in mode ask; --yolo or /mode yolo sets it again.'
  return { mode: 'ask', notices: [{ code: 'mode', message }] }
}

/** Where output that is too long for the model is kept: with the session, or for its life only. */
function scratchDirectory(kept: string | undefined) {
  let temporary: string | undefined
  return {
    async make(): Promise<string> {
      if (kept === undefined) return (temporary ??= mkdtempSync(path.join(tmpdir(), 'gopi-')))
      await mkdir(kept, { recursive: true, mode: 0o700 })
      return kept
    },
    async remove(): Promise<void> {
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
    },
  }
}

function instructionNotices({ ignored, cut }: Instructions): Notice[] {
  const notices: Notice[] = []
  if (ignored.length > 0) {
    notices.push({
      code: 'trust',
      message: `This folder is not trusted, so its instructions are not used (${ignored.join(', ')}); --trust uses them.`,
    })
  }
  if (cut.length > 0) {
    notices.push({ code: 'instructions', message: `Instructions over 16 KB were cut: ${cut.join(', ')}.` })
  }
  return notices
}

/** With the first sign of the model: does it run as it was asked to? Said once, where it does not. */
function sayTheTruth(session: Session, chat: ChatModel): void {
  const unsubscribe = session.subscribe(event => {
    const { model, num_ctx } = session.setup ?? {}
    const isSign = event.type === 'message_start' || (event.type === 'message' && event.role === 'assistant')
    if (!isSign || model === undefined || num_ctx === undefined) return
    unsubscribe()
    chat.loaded().then(
      loaded => {
        const sentence = contextTruth({ model, num_ctx }, loaded)
        if (sentence !== undefined) session.notice('context', sentence)
      },
      () => {},
    )
  })
}
