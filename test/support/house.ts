/**
 * The real house with a scripted model: real session, loop, tools, bash and files, the real client, and the demo
 * server on loopback. A test says what the model answers, does something, and looks at events, requests and disk.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { withAgents } from '../../src/assembly/agents.ts'
import { type AssembleOptions, assemble, openFor } from '../../src/assembly/assemble.ts'
import { createOllama } from '../../src/backends/ollama/ollama.ts'
import { mergeConfig } from '../../src/config/load.ts'
import type { ChatBody } from '../../src/demo/request.ts'
import type { Place } from '../../src/kit/commands/command.ts'
import { expand } from '../../src/kit/expand.ts'

import { kitOf } from '../../src/kit/kit.ts'
import type { Source } from '../../src/kit/source.ts'
import type { Remembered } from '../../src/memory/remembered.ts'
import type { Entry, SessionEvent } from '../../src/protocol/events.ts'
import type { Session } from '../../src/session/session.ts'
import { withBackground } from '../../src/tools/background.ts'
import { builtinTools } from '../../src/tools/list.ts'
import type { DemoModel, Reply } from './demo/reply.ts'
import { script } from './demo/reply.ts'
import { type DemoServer, type ServerOptions, startServer } from './demo/server.ts'
import { assertAllResumable } from './resumable.ts'

type Scripted = Reply | ((request: ChatBody, index: number) => Reply | Promise<Reply>)

export interface HouseOptions
  extends Partial<
    Pick<
      AssembleOptions,
      | 'backend'
      | 'approve'
      | 'goOn'
      | 'prewarm'
      | 'tellFacts'
      | 'remembered'
      | 'maxTurns'
      | 'resume'
      | 'keep'
      | 'profiles'
    >
  > {
  tools?: Source['tools']
  hooks?: Source['hooks']
  /** The model may have agents work. */
  tasks?: boolean
  /** Commands may go on in the background. */
  background?: boolean
  /** Who the session is. */
  agent?: string
  /** Further sources, nearer than the tools and hooks. */
  sources?: readonly Source[] | ((place: { home: string; cwd: string }) => Promise<readonly Source[]>)
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
  const remembered = options.remembered ?? forgetful()
  const more = typeof options.sources === 'function' ? await options.sources({ home, cwd }) : options.sources
  const own: Source[] = [
    {
      from: 'test',
      tools: options.tools ?? (options.background ? withBackground(builtinTools()) : builtinTools()),
      hooks: options.hooks ?? [],
    },
    ...(more ?? []),
  ]
  const places = { home, cwd, person: home, trusted: true }
  const { keep = true, resume } = options
  const opened = resume && (await openFor({ home, cwd, keep, resume }))
  const past = opened?.resumed?.agents
  const { sources, ...acting } =
    options.tasks || options.agent !== undefined || past
      ? await withAgents(own, places, {
          config: { agents: { task: options.tasks ?? false } },
          agent: options.agent,
          before: past,
        })
      : { sources: own }
  const kit = kitOf(sources)
  const session = await assemble({
    home,
    cwd,
    env: process.env,
    config,
    backend:
      options.backend ??
      createOllama({
        host: config.ollama.host,
        timeout: config.ollama.timeout,
        memory: remembered.models,
      }),
    kit,
    expand: line => expand(line, kit.commands),
    ...acting,
    instructions: { texts: options.instructions ?? [], files: [], ignored: [], links: [], cut: [] },
    profiles: options.profiles,
    modelNamed: options.modelNamed ?? true,
    modeNamed: options.modeNamed ?? true,
    keep,
    opened,
    prewarm: options.prewarm ?? 'off',
    tellFacts: options.tellFacts ?? false,
    remembered,
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
    if (before) return
    try {
      assertAllResumable(home)
    } finally {
      for (const directory of [home, cwd]) rmSync(directory, { recursive: true, force: true })
    }
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

/** For the commands of a face. */
export const placeOf = ({ home, cwd }: Pick<House, 'home' | 'cwd'>): Place => ({
  ...{ home, cwd },
  trusted: true,
  instructions: [],
  config: async () => 'as configured',
})

/** For faces whose commands ask for nothing of it. */
export const nowhere: Place = placeOf({ home: '/nowhere', cwd: '/nowhere' })

/** Remembers nothing on disk. */
function forgetful(): Remembered {
  const memory = () => {
    const kept = new Map<string, unknown>()
    return {
      recall: (key: string) => kept.get(key),
      keep: (key: string, value: object) => void kept.set(key, value),
    }
  }
  return { models: memory(), speeds: memory(), tokens: memory(), offers: memory(), close() {} }
}
