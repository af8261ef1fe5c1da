/**
 * One bash process: its start, its pipes, what it answers, its end. Knows nothing of timeouts or of what
 * persists from one bash to the next; that is the shell's.
 *
 * Besides bash there is a watchdog in its process group (see `bootstrap`). Nothing of this keeps Node's event
 * loop alive but an answer that is waited for.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeTemporary } from '../paths/temporary.ts'
import { Channel } from './channel.ts'
import {
  bootstrap,
  type CommandFrame,
  encodeChild,
  encodeCommand,
  type Frame,
  FrameReader,
  makePipe,
} from './framing.ts'
import { descendants, endProcesses, KILL_MS, listProcesses, signal, startedBy } from './process.ts'
import type { Process } from './process-lines.ts'

export interface BashOptions {
  /** Absolute path of bash. */
  program: string
  /** An existing directory. */
  cwd: string
  env: NodeJS.ProcessEnv
  /** Shell text of gopi's own that is run first (bytes, as latin1). */
  restore: string
  /** What starts bash, where that is not done directly: a sandbox around it. It ends with gopi, whatever the way. */
  launch?: Launch | undefined
}

/**
 * The program and arguments that start a program in a sandbox in which `directory` (of pipes) is there and can be written.
 * `depth`: so many generations below the first process the program itself is.
 */
export type Launch = (
  program: readonly string[],
  options: { cwd: string; directory: string },
) => { program: string; args: readonly string[]; depth: number }

/** How a bash ended. `problem` when it never started. */
export interface Death {
  code: number | undefined
  signal: NodeJS.Signals | undefined
  problem?: string
}

export class Bash {
  /** Its pid, which is its group's number too. undefined when it could not be started. */
  readonly pid: number | undefined
  readonly death: Promise<Death>
  #child: ChildProcess
  #directory: string
  #frames = new FrameReader()
  #waiting: { token: string; answer: (frame: Frame | undefined) => void } | undefined
  /** Who waits for the exports behind an answer. */
  #exported: (() => void)[] = []
  #dead = false
  /** So many generations below the process that was started bash is; undefined: it is in no sandbox. */
  #depth: number | undefined
  #ready: Promise<void>
  #watchdog: number | undefined
  #channels: Channel[] = []
  #free: Channel[] = []

  constructor({ program, cwd, env, restore, launch }: BashOptions) {
    this.#directory = makeTemporary('shell')
    const flags = ['--noprofile', '--norc']
    const started = launch?.([program, ...flags], { cwd, directory: this.#directory })
    this.#depth = started?.depth
    this.#child = spawn(started?.program ?? program, started?.args ?? flags, {
      ...(started === undefined && { argv0: 'bash' }),
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe', 'pipe'],
    })
    this.pid = this.#child.pid
    this.death = this.#watch()
    this.#ready = this.#boot(restore)
  }

  /** The exported variables as the last answer gave them, to be read as data. undefined before the first. */
  get exports(): string | undefined {
    return this.#frames.exports
  }

  /** Resolves when they are those of the newest answer, or bash is dead. */
  async exported(): Promise<void> {
    if (this.#dead || !this.#frames.isOwing) return
    this.#child.ref()
    await new Promise<void>(resolve => {
      this.#exported.push(resolve)
    })
    this.#child.unref()
  }

  #tellExported(): void {
    for (const told of this.#exported.splice(0)) told()
  }

  get isDead(): boolean {
    return this.#dead
  }

  /** A pipe for one command's output. undefined when bash is dead; throws when no pipe can be made. */
  async takeChannel(): Promise<Channel | undefined> {
    await this.#ready
    if (this.#dead) return undefined
    const free = this.#free.pop()
    if (free === undefined) return this.#makeChannel()
    if (free.usable) return free
    free.close()
    return this.#makeChannel()
  }

  /** The channel serves the next command. Only when nobody has it open any more. */
  giveBack(channel: Channel): void {
    this.#free.push(channel)
  }

  /** Runs a command. undefined when bash ended with it. */
  run(
    command: string,
    { child, ...options }: Omit<CommandFrame, 'token'> & { child?: boolean | undefined },
  ): Promise<Frame | undefined> {
    const encode = child ? encodeChild : encodeCommand
    return this.#exchange(token => encode(command, { token, ...options }))
  }

  /**
   * Ends a command that was started at `since` (of `performance.now`), and bash with it: bash is stopped first,
   * so that it does not go on with what comes next in the command, and cannot be woken without doing just that.
   */
  async endCommand(since: number, options: { grace: number }): Promise<void> {
    if (this.pid === undefined) return
    const pid = this.#depth ? below(await listProcesses(), this.pid, this.#depth) : this.pid
    signal(pid, 'SIGSTOP')
    const ofCommand = (all: Process[]) =>
      startedBy(all, pid, performance.now() - since).filter(one => one.pid !== this.#watchdog)
    await endProcesses(ofCommand, options)
    signal(pid, 'SIGKILL')
    signal(this.pid, 'SIGKILL')
    await this.#gone(KILL_MS)
  }

  /** Some process has the output of an ended command open. */
  get isHeld(): boolean {
    return this.#channels.some(channel => channel.isOpen && !this.#free.includes(channel))
  }

  /** What is alive of its session, the watchdog apart. */
  members(processes: readonly Process[]): Process[] {
    return processes.filter(({ session, pid }) => session === this.pid && pid !== this.#watchdog)
  }

  /** Of a sandbox: nothing but what it starts bash by is in there, and bash. */
  isAlone(processes: readonly Process[]): boolean {
    return this.pid === undefined || descendants(processes, this.pid).length <= (this.#depth ?? 0)
  }

  /** Ends bash's input: an idle one runs its EXIT trap and goes. Resolves then, or after `patience` ms. */
  async quit(patience: number): Promise<void> {
    this.#child.stdin?.end()
    await this.#gone(patience)
  }

  /** Ends it with all that is left of its group. */
  async kill(): Promise<void> {
    this.dispose()
    await this.#gone(KILL_MS)
  }

  /** Kills what is left of the group, and removes the pipes. At once, and as often as one likes. */
  dispose(): void {
    if (this.pid !== undefined) signal(-this.pid, 'SIGKILL')
    for (const stream of this.#streams) stream.destroy()
    for (const channel of this.#channels) channel.close()
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** Input, answers, lifeline: missing when bash could not be started. */
  get #streams(): Socket[] {
    // Without a file descriptor left Node makes none of them, whatever its types say.
    const stdio: ChildProcess['stdio'] | undefined = this.#child.stdio
    return [0, 3, 4].flatMap(index => (stdio?.[index] as Socket | null | undefined) ?? [])
  }

  #watch(): Promise<Death> {
    const streams = this.#streams
    for (const stream of streams) {
      // A broken stream is bash's end, which is told below.
      stream.on('error', () => {})
      stream.unref()
    }
    streams[1]?.on('data', (bytes: Buffer) => {
      const frame = this.#frames.push(bytes, this.#waiting?.token)
      if (!this.#frames.isOwing) this.#tellExported()
      if (frame !== undefined) this.#answer(frame)
    })
    this.#child.unref()
    return new Promise(resolve => {
      const die = (death: Death) => {
        this.#dead = true
        this.#tellExported()
        this.#answer(undefined)
        resolve(death)
      }
      this.#child.on('error', ({ message }) => die({ code: undefined, signal: undefined, problem: message }))
      // What bash said before its end is read in the turn that brings the news of its end: wait for that.
      this.#child.on('exit', (code, name) =>
        setImmediate(() => die({ code: code ?? undefined, signal: name ?? undefined })),
      )
    })
  }

  /** Resolves with bash's death, or after `patience` ms: what hangs in the kernel cannot be killed. */
  async #gone(patience: number): Promise<void> {
    const gone = new AbortController()
    const waited = sleep(patience, undefined, { signal: gone.signal }).catch(() => {})
    await Promise.race([this.death, waited])
    gone.abort()
  }

  async #boot(restore: string): Promise<void> {
    const guarded = this.#depth !== undefined
    const frame = await this.#exchange(token => bootstrap(token, this.#directory, { restore, guarded }))
    this.#watchdog = guarded ? undefined : frame?.status
    // A failure is told to the command that needs the pipe.
    const first = await this.#makeChannel().catch(() => undefined)
    if (first !== undefined) this.#free.push(first)
  }

  async #makeChannel(): Promise<Channel | undefined> {
    const name = path.join(this.#directory, String(this.#channels.length))
    if ((await this.#exchange(token => makePipe(token, name))) === undefined) return undefined
    const channel = new Channel(name)
    this.#channels.push(channel)
    return channel
  }

  /** Says something to bash and waits for the answer. undefined when bash is dead. */
  #exchange(script: (token: string) => string | Buffer): Promise<Frame | undefined> {
    if (this.#dead) return Promise.resolve(undefined)
    const token = randomUUID().slice(0, 13)
    this.#child.ref()
    this.#child.stdin?.write(script(token))
    return new Promise(answer => {
      this.#waiting = { token, answer }
    })
  }

  #answer(frame: Frame | undefined): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    this.#child.unref()
    waiting?.answer(frame)
  }
}

/** In a sandbox the first child is what leads to bash; others are what lost its parent there. */
function below(processes: readonly Process[], root: number, depth: number): number {
  if (depth === 0) return root
  const [first] = processes.filter(({ parent }) => parent === root).sort((one, other) => other.age - one.age)
  return first === undefined ? root : below(processes, first.pid, depth - 1)
}
