/** Makes the rooms and hands them to each other: everything that a session needs, from a checked configuration. */
import { mkdtempSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { customAlphabet } from 'nanoid'
import type { Approve } from '../agent/run.ts'
import type { Config } from '../config/config.ts'
import type { Instructions } from '../context/instructions.ts'
import type { ChatModel } from '../model/model.ts'
import { decide } from '../permission/decide.ts'
import { commandEnvironment } from '../permission/environment.ts'
import { realTarget } from '../permission/target.ts'
import { FileJournal, MemoryJournal } from '../session/journal.ts'
import { type Replayed, replay } from '../session/replay.ts'
import { Session } from '../session/session.ts'
import { findSession, listSessions, lock, placeOf, type SessionPlace, sessionsDirectory } from '../session/store.ts'
import { createShell, type CloseReport } from '../shell/shell.ts'
import { toWire, type Tool } from '../tools/tool.ts'
import { connectionTo } from './connect.ts'

const newId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 10)

export interface AssembleOptions {
  home: string
  /** The session's directory, a real path. */
  cwd: string
  env: NodeJS.ProcessEnv
  config: Config
  chat: ChatModel
  tools: readonly Tool[]
  instructions: Instructions
  modelNamed: boolean
  /** Keep a journal on disk. */
  keep: boolean
  resume?: Resume
  approve: Approve
  goOn(turns: number): Promise<boolean>
  maxTurns: number
  onClosed?(report: CloseReport): void
}

/** Which session to go on with: the last one, or the one whose id starts so; `fork` goes on in a copy. */
export type Resume = { last: true } | { id: string } | { fork: string }

/** Throws `UsageError` when the session to resume is not there. Nothing is asked of the server yet. */
export async function assemble(options: AssembleOptions): Promise<Session> {
  const { home, cwd, env, config, chat, tools, instructions } = options
  const opened = await openPlace(options)
  const { resumed, place, notices } = opened
  const troubles: Error[] = []
  const journal = options.keep
    ? new FileJournal(place.file, { onTrouble: error => onTrouble(error) })
    : new MemoryJournal()
  const belongings = scratch(options.keep ? place.directory : undefined)
  const shell = createShell({ cwd, env: commandEnvironment(env, config.permission.env) })
  const wireTools = tools.map(toWire)

  const session: Session = new Session({
    id: place.id,
    cwd,
    chat,
    journal,
    tools,
    shell,
    mode: config.permission.mode,
    ...(resumed && { resumed }),
    connection: connectionTo({
      chat,
      config,
      cwd,
      tools: wireTools,
      instructions: instructions.texts,
      modelNamed: options.modelNamed,
      ...(resumed && { resumed }),
    }),
    limits: {
      bash_timeout_ms: config.tools.bash_timeout,
      bash_max_output: config.tools.bash_max_output,
      read_max_lines: config.tools.read_max_lines,
      grep_max_matches: config.tools.grep_max_matches,
    },
    async decide(call, tool) {
      const { path: file } = call.arguments
      const target = tool.kind === 'edit' && typeof file === 'string' ? await realTarget(file, cwd) : undefined
      const facts = { mode: session.mode, cwd, rules: config.permission }
      const asked = { tool: tool.name, kind: tool.kind, arguments: call.arguments, ...(target && { target }) }
      return decide(asked, facts)
    },
    approve: options.approve,
    goOn: options.goOn,
    maxTurns: options.maxTurns,
    newId,
    spillDir: belongings.directory,
    async onClose() {
      options.onClosed?.(await shell.close())
      opened.release()
      await belongings.remove()
    },
  })

  /** The disk refused the journal: said once, in the conversation itself (which then lives in memory). */
  function onTrouble(error: Error): void {
    troubles.push(error)
    queueMicrotask(() => session.notice('disk', `The conversation cannot be kept on disk (${error.message}).`))
  }
  for (const notice of [...notices, ...instructionNotices(instructions)]) session.notice(notice.code, notice.message)
  return session
}
