/**
 * The session's bash over the lives of several processes: what passes from one to the next, and the end of all.
 * Passed on are the directory and the exported variables, as they were after the last command that came to its
 * end. A bash whose background processes go on is kept until the session ends, to be ended with it.
 */
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { Bash } from './bash.ts'
import type { Channel } from './channel.ts'
import { MARK, replacementEnvironment, shellEnvironment } from './environment.ts'
import type { Frame } from './framing.ts'
import * as notes from './notes.ts'
import { descendants, endProcesses, listProcesses, markedProcesses, type Process } from './process.ts'

/** Milliseconds between TERM and KILL. */
export const GRACE_MS = 1000
/** Milliseconds that an idle bash gets for its EXIT trap when the session ends. */
const EXIT_TRAP_MS = 300

/** What a command needs to run. */
export interface Place {
  bash: Bash
  channel: Channel
}

export interface LineageOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  /** Absolute path of bash. */
  program: string
}

export class Lineage {
  #program: string
  #env: NodeJS.ProcessEnv
  /** Tells this session's processes from those of others. */
  #mark = `${process.hrtime.bigint().toString(36)}.${process.pid}`
  #cwd: string
  /** undefined: as in the environment. */
  #exports: string | undefined
  #status = 0
  #flags = ''
  #bash: Bash | undefined
  #former: Bash[] = []
  #news: string[] = []

  constructor({ cwd, env, program }: LineageOptions) {
    this.#program = program
    this.#env = shellEnvironment(env, this.#mark)
    this.#cwd = cwd
  }

  get cwd(): string {
    return this.#cwd
  }

  /** `$?` and `$-` for the next command to start with. */
  get flow(): { status: number; flags: string } {
    return { status: this.#status, flags: this.#flags }
  }

  /** What has happened to the shell since this was last asked. */
  takeNews(): string[] {
    return this.#news.splice(0)
  }

  /** Starts a bash if there is none. Throws what `spawn` throws. */
  start(): Bash {
    this.#bash ??= this.#next()
    return this.#bash
  }

  /** The bash, alive, and a pipe for one command. Rejects when none can be started. */
  async place(): Promise<Place> {
    const old = this.#bash
    if (old !== undefined) {
      const channel = await old.takeChannel().catch(() => undefined)
      if (channel !== undefined) return { bash: old, channel }
      this.#news.push(
        old.isDead ? notes.diedMeanwhile(await old.death, this.#cwd) : notes.pipesGone(this.#cwd),
      )
      await this.retire(old)
    }
    const bash = this.start()
    const channel = await bash.takeChannel()
    if (channel !== undefined) return { bash, channel }
    const { problem, code } = await bash.death
    throw new Error(problem ?? `it exited with ${code} at once`)
  }

  /** A command has come to its end: this is what is passed on. */
  keep(frame: Frame): void {
    this.#cwd = frame.cwd ?? this.#cwd
    this.#status = frame.status
    this.#flags = frame.flags
  }

  /** The bash is dead or of no use: the next command gets another one. */
  async retire(bash: Bash): Promise<void> {
    this.#bash = undefined
    this.#exports = bash.exports ?? this.#exports
    this.#status = 0
    this.#flags = ''
    if (!bash.isDead) await bash.quit(EXIT_TRAP_MS)
    if (bash.isHeld || bash.members(await listProcesses()).length > 0) this.#former.push(bash)
    else bash.dispose()
  }

  /** Ends everything, TERM then KILL, within about a second. → what has left the shells' sessions and still runs. */
  async close(): Promise<{ pid: number; command: string }[]> {
    const all = this.#all()
    if (all.length === 0) return []
    const strangers = await this.#strangers()
    await this.#bash?.quit(EXIT_TRAP_MS)
    await endProcesses(processes => all.flatMap(bash => bash.members(processes)), { grace: GRACE_MS })
    for (const bash of all) bash.dispose()
    this.#bash = undefined
    this.#former = []
    const left = strangers.length === 0 ? [] : await listProcesses()
    const escaped = left.filter(({ pid }) => strangers.some(one => one.pid === pid))
    return escaped.map(({ pid, command }) => ({ pid, command }))
  }

  #all(): Bash[] {
    return this.#bash === undefined ? this.#former : [...this.#former, this.#bash]
  }

  /** Processes that the shells have started and that are in none of their sessions. */
  async #strangers(): Promise<Process[]> {
    const processes = await listProcesses()
    const sessions = new Set(this.#all().map(({ pid }) => pid))
    const others = processes.filter(({ session }) => !sessions.has(session))
    const marked = await markedProcesses(others, `${MARK}=${this.#mark}`)
    const children = this.#all().flatMap(({ pid }) => (pid === undefined ? [] : descendants(processes, pid)))
    return [...new Set([...marked, ...children.filter(({ session }) => !sessions.has(session))])]
  }

  #next(): Bash {
    const cwd = existingDirectory(this.#cwd)
    if (cwd !== this.#cwd) this.#news.push(notes.directoryGone(this.#cwd, cwd))
    this.#cwd = cwd
    const env = this.#exports === undefined ? this.#env : replacementEnvironment(this.#env)
    // Bash takes PWD for its directory's name when it is one: that keeps the way through symbolic links.
    return new Bash({ program: this.#program, cwd, env: { ...env, PWD: cwd }, restore: this.#exports ?? '' })
  }
}

/** The directory itself, or the nearest one above it that one can be in. */
function existingDirectory(directory: string): string {
  try {
    accessSync(directory, constants.X_OK)
    if (statSync(directory).isDirectory()) return directory
  } catch {
    // Look above.
  }
  const parent = path.dirname(directory)
  return parent === directory ? parent : existingDirectory(parent)
}
