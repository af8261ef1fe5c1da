/**
 * The real house with a scripted model: real session, loop, tools, bash and files, the real client, and the demo
 * server on loopback. A test says what the model answers, does something, and looks at events, requests and disk.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { type AssembleOptions, assemble } from '../../src/cli/assemble.ts'
import type { Remembered } from '../../src/cli/remembered.ts'
import { mergeConfig } from '../../src/config/load.ts'
import type { DemoModel, Reply } from '../../src/demo/reply.ts'
import { script } from '../../src/demo/reply.ts'
import type { ChatBody } from '../../src/demo/request.ts'
import { type DemoServer, type ServerOptions, startServer } from '../../src/demo/server.ts'
import { createOllama } from '../../src/model/ollama.ts'
import type { Entry, SessionEvent } from '../../src/protocol/events.ts'
import type { Session } from '../../src/session/session.ts'
import { builtinTools } from '../../src/tools/list.ts'

type Scripted = Reply | ((request: ChatBody, index: number) => Reply | Promise<Reply>)

export interface HouseOptions
  extends Partial<
    Pick<
      AssembleOptions,
      'approve' | 'goOn' | 'prewarm' | 'tellFacts' | 'remembered' | 'maxTurns' | 'tools' | 'resume' | 'keep'
    >
  > {
  replies?: Scripted[]
  model?: DemoModel
  server?: Partial<ServerOptions>
  /** Files of the project, by path. */
  files?: Record<string, string>
  /** In the shape of config.yaml; mode defaults to yolo here. */
  config?: Record<string, object>
  /** Go on in the same home and project. */
  before?: House
  instructions?: string[]
  modelNamed?: boolean
  modeNamed?: boolean
}

export interface House {
  session: Session
  server: DemoServer
  events: SessionEvent[]
  home: string
  cwd: string
  /** The journal's entries as they stand on disk now. */
  journal(): Entry[]
  /** The messages of the nth chat request, without the system message. */
  sent(index: number): SentMessage[]
  /** Resolves when an event of this kind has come that the test is happy with. */
  seen(matches: (event: SessionEvent) => boolean): Promise<SessionEvent>
}

export interface SentMessage {
  role: string
  content: string
  tool_calls?: { function: { name: string; arguments: unknown } }[]
  tool_name?: string
}

export async function openHouse(t: TestContext, options: HouseOptions = {}): Promise<House> {
  const { before } = options
  const home = before?.home ?? mkdtempSync(path.join(tmpdir(), 'gopi-home-'))
  const cwd = before?.cwd ?? realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-project-')))
  for (const [name, text] of Object.entries(options.files ?? {})) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true })
    writeFileSync(path.join(cwd, name), text)
  }
  const server = await startServer({
    model: options.model ?? script(options.replies ?? []),
    ...options.server,
  })
  t.after(() => server.close())
  const { config: given = {} } = options
  const config = await mergeConfig({
    ...given,
    ollama: { host: server.host, model: 'scripted', ...given.ollama },
    permission: { mode: 'yolo', ...given.permission },
  })
  const session = assemble({
    home,
    cwd,
    env: process.env,
    config,
    chat: createOllama({ host: config.ollama.host, timeout: config.ollama.timeout }),
    tools: options.tools ?? builtinTools(),
    instructions: { texts: options.instructions ?? [], files: [], ignored: [], cut: [] },
    modelNamed: options.modelNamed ?? true,
    modeNamed: options.modeNamed ?? true,
    keep: options.keep ?? true,
    ...(options.resume && { resume: options.resume }),
    prewarm: options.prewarm ?? 'off',
    tellFacts: options.tellFacts ?? false,
    remembered: options.remembered ?? forgetful(),
    approve: options.approve,
    goOn: options.goOn ?? (async () => false),
    maxTurns: options.maxTurns ?? 25,
  })
  const events: SessionEvent[] = []
  const waiting: { matches: (event: SessionEvent) => boolean; resolve(event: SessionEvent): void }[] = []
  session.subscribe(event => {
    events.push(event)
    for (const wait of waiting) if (wait.matches(event)) wait.resolve(event)
  })

  t.after(async () => {
    await session.close()
    for (const directory of before ? [] : [home, cwd]) rmSync(directory, { recursive: true, force: true })
  })
  return {
    session,
    server,
    events,
    home,
    cwd,
    journal: () => readJournal(session.sessionFile),
    sent: index => messagesOf(server, index),
    seen: matches =>
      new Promise(resolve => {
        const event = events.find(matches)
        if (event) resolve(event)
        else waiting.push({ matches, resolve })
      }),
  }
}

export function readJournal(file: string | undefined): Entry[] {
  assert.ok(file)
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Entry)
}

function messagesOf(server: DemoServer, index: number): SentMessage[] {
  const body = server.chats[index]?.body as { messages: SentMessage[] } | undefined
  assert.ok(body, `there was no chat request ${index}`)
  const [system, ...messages] = body.messages
  assert.equal(system?.role, 'system')
  return messages
}

/** A native call as the script writes it. */
export const call = (name: string, args: Record<string, unknown>): Reply => ({
  calls: [{ name, arguments: args }],
})

/** Remembers nothing on disk and counts no tokens exactly: no process is started for it. */
function forgetful(): Remembered {
  const memory = () => {
    const kept = new Map<string, unknown>()
    return {
      recall: (key: string) => kept.get(key),
      keep: (key: string, value: object) => void kept.set(key, value),
    }
  }
  const counter = { count: () => undefined, counted: async () => {}, close() {} }
  return { models: memory(), speeds: memory(), tokens: memory(), counter, close() {} }
}
