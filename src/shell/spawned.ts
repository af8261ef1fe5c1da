/** A command that was started to go on: it has a process group of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBash } from '../paths/program.ts'
import { Ongoing } from './ongoing.ts'

/** Milliseconds from TERM to KILL. */
const patience = 1_000

export class Spawned extends Ongoing {
  #child: ChildProcess

  /** `script`: what bash is given for it. */
  constructor(
    command: string,
    { script, env, cwd }: { script: string; env: NodeJS.ProcessEnv; cwd: string },
  ) {
    super(command)
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    this.#child = spawn(findBash(env) ?? '/bin/bash', ['--noprofile', '--norc', '-c', script], {
      cwd,
      env,
      detached: true,
      stdio: [...stdio],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.wrote(text))
    this.#child.once('error', error => this.end(error.message))
    this.#child.once('exit', (code, signal) =>
      code === null ? this.end(`ended by ${signal}`) : this.end(`exit code ${code}`, code),
    )
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

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
