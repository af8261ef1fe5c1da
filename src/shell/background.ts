/** Commands that go on while the conversation does: a server, a watcher. Each has a process group of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface BackgroundOptions {
  env: NodeJS.ProcessEnv
  /** Where the session's bash is. */
  cwd(): string
  /** How many run has changed. */
  changed?(running: number): void
}

export interface BackgroundJob {
  id: string
  command: string
  pid: number | undefined
  /** undefined: it runs. */
  ended: string | undefined
}

/** Characters of one command's output that are kept. */
const mostKept = 256 * 1024
/** Milliseconds from TERM to KILL. */
const patience = 1_000

class Job implements BackgroundJob {
  readonly id: string
  readonly command: string
  ended: string | undefined
  readonly over: Promise<void>
  #child: ChildProcess
  #unread = ''
  #dropped = 0
  #heard: (() => void) | undefined

  constructor(id: string, command: string, { env, cwd }: BackgroundOptions) {
    this.id = id
    this.command = command
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    this.#child = spawn('bash', ['-c', command], { cwd: cwd(), env, detached: true, stdio: [...stdio] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.#take(text))
    this.over = new Promise(resolve => {
      const end = (how: string) => {
        this.ended ??= how
        this.#heard?.()
        resolve()
      }
      this.#child.once('error', error => end(error.message))
      this.#child.once('exit', (code, signal) =>
        end(code === null ? `ended by ${signal}` : `exit code ${code}`),
      )
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  #take(text: string): void {
    this.#unread += text
    const over = this.#unread.length - mostKept
    if (over > 0) this.#unread = this.#unread.slice(over)
    this.#dropped += Math.max(0, over)
    this.#heard?.()
  }

  /** What is new; waits so long (ms) for something. */
  async read(wait: number, signal: AbortSignal): Promise<{ output: string; dropped: number }> {
    if (this.#unread === '' && this.ended === undefined && wait > 0) {
      const heard = new Promise<void>(resolve => {
        this.#heard = resolve
      })
      const over = new AbortController()
      const either = AbortSignal.any([signal, over.signal])
      await Promise.race([heard, sleep(wait, undefined, { signal: either }).catch(() => {})])
      over.abort()
      this.#heard = undefined
      signal.throwIfAborted()
    }
    const [output, dropped] = [this.#unread, this.#dropped]
    this.#unread = ''
    this.#dropped = 0
    return { output, dropped }
  }

  /** TERM to the whole group, then KILL. */
  async kill(): Promise<void> {
    this.#signal('SIGTERM')
    const over = new AbortController()
    await Promise.race([this.over, sleep(patience, undefined, { signal: over.signal }).catch(() => {})])
    over.abort()
    // Children that ignored it outlive their parent.
    this.#signal('SIGKILL')
    await this.over
  }

  #signal(name: NodeJS.Signals): void {
    if (this.pid === undefined) return
    try {
      process.kill(-this.pid, name)
    } catch {
      // The group is gone.
    }
  }
}

export class Background {
  #options: BackgroundOptions
  #jobs: Job[] = []

  constructor(options: BackgroundOptions) {
    this.#options = options
  }

  start(command: string): BackgroundJob {
    const job = new Job(`b${this.#jobs.length + 1}`, command, this.#options)
    this.#jobs.push(job)
    this.#tell()
    void job.over.then(() => this.#tell())
    return job
  }

  get jobs(): readonly BackgroundJob[] {
    return this.#jobs
  }

  get running(): readonly BackgroundJob[] {
    return this.#jobs.filter(({ ended }) => ended === undefined)
  }

  /** What is new of its output. undefined: there is no such job. */
  async read(id: string, wait: number, signal: AbortSignal) {
    const job = this.#jobs.find(one => one.id === id)
    return job && { job, ...(await job.read(wait, signal)) }
  }

  /** → false: there is no such job. */
  async kill(id: string): Promise<boolean> {
    const job = this.#jobs.find(one => one.id === id)
    await job?.kill()
    return job !== undefined
  }

  async close(): Promise<void> {
    await Promise.all(this.#jobs.filter(({ ended }) => ended === undefined).map(job => job.kill()))
  }

  #tell(): void {
    this.#options.changed?.(this.running.length)
  }
}
