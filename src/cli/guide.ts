/** From nothing to a server with a model: says what is there, offers what is missing, one key each. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openServer } from '../assembly/provider.ts'
import { isHere } from '../backends/address.ts'
import type { Backend } from '../backends/backend.ts'
import type { LoadedConfig } from '../config/load.ts'
import { programOutside } from '../paths/program.ts'
import { RunError } from '../protocol/errors.ts'
import { findModel } from '../session/find-model.ts'
import { explain } from '../words/explain.ts'
import type { SETUP_EN } from '../words/setup-en.ts'
import type { Choice } from './desk.ts'
import { type PullOptions, pull } from './pull.ts'

/** Milliseconds that a server has to answer after its start. */
const PATIENCE = 30_000
/** Installed models that are offered: one key each. */
const MOST = 9

export interface GuideOptions extends PullOptions {
  loaded: LoadedConfig
  /** gopi's own. */
  home: string
  cwd: string
  env: NodeJS.ProcessEnv
}

export type Outcome =
  | { type: 'ready'; model: string; isChosen: boolean }
  | { type: 'demo' }
  | { type: 'left' }

/** A server that gopi has started. */
export interface OwnServer {
  pid: number
  isRunning(): boolean
  stop(): void
}

export interface Guided {
  outcome: Outcome
  server: OwnServer | undefined
}

export async function guide(options: GuideOptions): Promise<Guided> {
  const { backend, config } = await openServer(options.loaded.config)
  let server: OwnServer | undefined
  try {
    for (;;) {
      try {
        await (backend.version?.() ?? backend.models())
        return { outcome: await chooseModel(backend, { ...options, wanted: config.ollama.model }), server }
      } catch (error) {
        if (!(error instanceof RunError && error.code === 'no_server')) throw error
        const next = await offerServer(backend, error, options)
        if (next === 'demo' || next === 'left') return { outcome: { type: next }, server }
        server = next
      }
    }
  } finally {
    backend.close?.()
  }
}

async function offerServer(
  backend: Backend,
  error: RunError,
  { cwd, env, home, desk, words, setup }: GuideOptions,
): Promise<OwnServer | 'demo' | 'left'> {
  const program = isHere(backend.host) ? programOutside(cwd, 'ollama', { path: env.PATH }) : undefined
  desk.say(explain(words, error))
  const key = await desk.choose([
    ...(program === undefined ? [] : [{ key: 's', text: setup.start(program) }]),
    ...others(setup),
  ])
  if (key !== 's' || program === undefined) return key === 'd' ? 'demo' : 'left'
  const log = path.join(home, 'logs', 'ollama.log')
  desk.say(setup.starting(log))
  const server = await startServer(program, backend, { log, env })
  if (server) return server
  desk.say(setup.notStarted(log))
  return 'left'
}

const others = (setup: typeof SETUP_EN): Choice[] => [
  { key: 'd', text: setup.demo },
  { key: 'q', text: setup.leave },
]

/** It outlives gopi, unless it is told to stop. undefined: it ended, or does not answer. */
async function startServer(
  program: string,
  backend: Backend,
  { log, env }: { log: string; env: NodeJS.ProcessEnv },
): Promise<OwnServer | undefined> {
  mkdirSync(path.dirname(log), { recursive: true, mode: 0o700 })
  const file = openSync(log, 'a', 0o600)
  const own = { ...env, OLLAMA_HOST: backend.host }
  const child = spawn(program, ['serve'], {
    detached: true,
    stdio: ['ignore', file, file],
    env: own,
    cwd: '/',
  })
  child.unref()
  const ended = once(child, 'exit').then(
    () => true,
    () => true,
  )
  const until = performance.now() + PATIENCE
  while (performance.now() < until) {
    const answers = await (backend.version?.() ?? backend.models()).then(
      () => true,
      () => false,
    )
    if (answers && child.pid !== undefined) {
      const isRunning = () => child.exitCode === null && child.signalCode === null
      return { pid: child.pid, isRunning, stop: () => child.kill() }
    }
    if (await Promise.race([ended, sleep(100, false)])) return undefined
  }
  child.kill()
  return undefined
}

async function chooseModel(
  backend: Backend,
  { wanted, ...options }: GuideOptions & { wanted: string },
): Promise<Outcome> {
  const { loaded, desk, words, setup } = options
  const modelNamed = loaded.explicit.has('ollama.model')
  const { max_tokens } = loaded.config.context
  for (;;) {
    try {
      const search = { backend, model: wanted, modelNamed, before: undefined, max_tokens, patient: true }
      const { model, notices } = await findModel(search)
      for (const notice of notices) desk.say(words.say(notice))
      desk.say(setup.ready(model, backend.host))
      return { type: 'ready', model, isChosen: false }
    } catch (error) {
      if (!(error instanceof RunError && error.code === 'no_model')) throw error
      desk.say(explain(words, error))
    }
    const installed = (await backend.models()).slice(0, MOST)
    const key = await desk.choose([
      ...(backend.pull ? [{ key: 'p', text: setup.pull(wanted) }] : []),
      ...installed.map(({ name }, index) => ({ key: String(index + 1), text: setup.use(name) })),
      ...others(setup),
    ])
    const chosen = installed[Number(key) - 1]?.name
    if (chosen !== undefined) {
      desk.say(setup.ready(chosen, backend.host))
      return { type: 'ready', model: chosen, isChosen: true }
    }
    if (key !== 'p') return { type: key === 'd' ? 'demo' : 'left' }
    await pull(backend, wanted, options)
  }
}
