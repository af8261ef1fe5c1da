/**
 * The built program as a process of its own, as a person or a script starts it: own home, own project, and a scripted
 * server in the test's process. What does not end in time is killed and fails the test.
 */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ChatBody } from '../../src/demo/request.ts'
import type { Entry } from '../../src/protocol/events.ts'
import { type DemoModel, type Reply, script } from './demo/reply.ts'
import { type DemoServer, type ServerOptions, startServer } from './demo/server.ts'
import { readJournal } from './house.ts'
import { assertAllResumable } from './resumable.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const entry = path.join(root, 'dist', 'gopi.cjs')

/** Milliseconds after which nothing is believed to come any more. */
export const patience = 30_000

type Scripted = Reply | ((request: ChatBody, index: number) => Reply | Promise<Reply>)

export interface ProgramOptions {
  replies?: readonly Scripted[]
  model?: DemoModel
  server?: Partial<ServerOptions>
  /** Files of the project, by path. */
  files?: Record<string, string>
  env?: NodeJS.ProcessEnv
}

export interface RunOptions {
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** What stands on standard input, which then ends; `open`: it never ends. Default: nothing. */
  stdin?: string | 'open'
}

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Started {
  child: ChildProcessWithoutNullStreams
  /** What has come so far. */
  readonly stdout: string
  readonly stderr: string
  ended: Promise<Ended>
  /** Resolves when the text matches. */
  until(stream: 'stdout' | 'stderr', wanted: RegExp): Promise<void>
}

export interface Program {
  server: DemoServer
  home: string
  cwd: string
  env: NodeJS.ProcessEnv
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
  start(args: readonly string[], options?: RunOptions): Started
  /**
   * What the nth request for words held beside the system message (prewarms aside): the contents, without the note
   * about date and branch that rides at the end of the user's.
   */
  sent(index: number): string[]
  /** The system message of the nth request for words. */
  system(index: number): string
  /** The journals of all sessions of this home. */
  journals(): Entry[][]
  journalFiles(): string[]
  /** Whether an entry of this type stands in a journal, which may be growing. */
  isWritten(type: Entry['type']): boolean
}

/** A home, a project and a server; all of it is gone after the test. */
export async function openProgram(t: TestContext, options: ProgramOptions = {}): Promise<Program> {
  // The first to run, before the home is gone.
  t.after(() => assertAllResumable(home))
  const home = temporary(t, 'gopi-home-')
  const cwd = temporary(t, 'gopi-project-')
  for (const [name, text] of Object.entries(options.files ?? {})) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true })
    writeFileSync(path.join(cwd, name), text)
  }
  const server = await startServer({
    model: options.model ?? script(options.replies ?? []),
    ...options.server,
  })
  t.after(() => server.close())
  const env = { ...environment(home), OLLAMA_HOST: server.host, ...options.env }
  const start = (args: readonly string[], more: RunOptions = {}) =>
    startProcess(t, [process.execPath, entry, ...args], { cwd, ...more, env: { ...env, ...more.env } })
  const journalFiles = () =>
    readdirSync(home, { recursive: true })
      .map(name => path.join(home, String(name)))
      .filter(name => name.endsWith('.jsonl'))
      .sort()
  const request = (index: number) => {
    const asked = server.chats
      .map(({ body }) => body as ChatBody)
      .filter(body => body.options?.num_predict !== 1)
    const body = asked[index]
    if (!body) throw new Error(`there was no request ${index} for words`)
    return body.messages.map(({ content }) => content)
  }
  return {
    server,
    home,
    cwd,
    env,
    sent: index => request(index).slice(1).map(withoutNote),
    system: index => request(index)[0] ?? '',
    start,
    run: (args, more) => start(args, more).ended,
    journalFiles,
    journals: () => journalFiles().map(readJournal),
    isWritten: type => journalFiles().some(file => readFileSync(file, 'utf8').includes(`{"type":"${type}"`)),
  }
}

const withoutNote = (content: string): string =>
  content.replace(/\n\n\((?:\d\d[A-Z]|on branch )[^\n]*\)$/, '')

/** A directory (its real path) that is gone after the test. */
export function temporary(t: TestContext, prefix: string): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), prefix)))
  t.after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  return directory
}

/** What a person's shell would hand on, and nothing of this test's own environment. */
export function environment(home: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env
  return { PATH, ...(TMPDIR && { TMPDIR }), HOME: home, GOPI_HOME: path.join(home, '.gopi'), LANG: 'C.UTF-8' }
}

/** Runs a command line; it is killed at the end of the test, or when it takes too long. */
export function startProcess(
  t: TestContext,
  [command = '', ...args]: readonly string[],
  { cwd, env, stdin = '' }: RunOptions,
): Started {
  const child = spawn(command, args, { cwd, env, stdio: 'pipe' })
  const text = { stdout: '', stderr: '' }
  const arrivals = new Set<() => void>()
  const arrived = () => {
    for (const look of arrivals) look()
  }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => {
      text[name] += piece
      arrived()
    })
  }
  child.stdin.on('error', () => {})
  if (stdin !== 'open') child.stdin.end(stdin)

  const told = () => `${args.join(' ')}\nstdout: ${text.stdout}\nstderr: ${text.stderr}`
  const ended = new Promise<Ended>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`it did not end: ${told()}`))
    }, patience)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      arrived()
      resolve({ code, signal, ...text })
    })
  })
  ended.catch(() => {})
  t.after(() => child.kill('SIGKILL'))

  return {
    child,
    ended,
    get stdout() {
      return text.stdout
    },
    get stderr() {
      return text.stderr
    },
    until: (name, wanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = wanted.test(text[name])
          const over = child.exitCode !== null || child.signalCode !== null
          if (!found && !over) return
          arrivals.delete(look)
          clearTimeout(timer)
          if (found) resolve()
          else reject(new Error(`${wanted} never came on ${name}: ${told()}`))
        }
        const timer = setTimeout(
          () => reject(new Error(`${wanted} did not come on ${name}: ${told()}`)),
          patience,
        )
        arrivals.add(look)
        look()
      }),
  }
}

/** The processes whose command line holds the text, as `ps` tells them. */
export const processesWith = (text: string): string[] =>
  execFileSync('ps', ['-Aww', '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(text))

/** Asks again until it is so; after too long, fails with the sentence. */
export async function eventually(sentence: string, isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + patience
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`it never came true: ${sentence}`)
    await sleep(20)
  }
}
