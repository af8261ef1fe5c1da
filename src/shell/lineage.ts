/**
 * One bash of the session over the lives of several processes: what passes from one to the next, and the end of all.
 * Passed on are the directory and the exported variables, as they were after the last command that came to its
 * end. A bash whose background processes go on is kept until the session ends, to be ended with it.
 */
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { Bash, type Launch } from './bash.ts'
import type { Channel } from './channel.ts'
import { MARK, replacementEnvironment } from './environment.ts'
import { type Exports, exportScript, readExports } from './exports.ts'
import type { Frame } from './framing.ts'
import * as notes from './notes.ts'
import { descendants, endProcesses, listProcesses, markedProcesses } from './process.ts'
import type { Process } from './process-lines.ts'

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
  /** Whole, with the mark that tells this session's processes from those of others. */
  env: NodeJS.ProcessEnv
  /** Absolute path of bash. */
  program: string
  launch?: Launch | undefined
  /** Shell text of gopi's own that each bash is told first. */
  prelude?: string | undefined
}

export class Lineage {
  #options: LineageOptions
  #cwd: string
  /** Where bash itself is. */
  #inside: string | undefined
  /** undefined: as in the environment. */
  #exports: string | undefined
  #read: { text: string; exports: Exports } | undefined
  #status = 0
  #flags = ''
  #bash: Bash | undefined
  #former: Bash[] = []
  #news: string[] = []

  constructor(options: LineageOptions) {
    this.#options = options
    this.#cwd = options.cwd
  }

  get cwd(): string {
    return this.#cwd
  }

  /** Its bash is, or would be started, where no directory of that name leads to. */
  get isAstray(): boolean {
    return this.#inside !== this.#cwd && !isDirectory(this.#cwd)
  }

  /** Where the next command is to run. */
  goTo(cwd: string): void {
    this.#cwd = cwd
  }

  /** `$?` and `$-` for the next command to start with, and whether bash has to go somewhere first. */
  get flow(): { status: number; flags: string; isElsewhere: boolean } {
    return { status: this.#status, flags: this.#flags, isElsewhere: this.#inside !== this.#cwd }
  }

  /** Resolves when `exports` are those after the last command. */
  async exported(): Promise<void> {
    await this.#bash?.exported()
  }

  /** What bash exports, as it was after the last command. undefined: as in its environment. */
  get exports(): Exports | undefined {
    const text = this.#bash?.exports ?? this.#exports
    if (text === undefined) return undefined
    if (this.#read?.text !== text) this.#read = { text, exports: readExports(text) }
    return this.#read.exports
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
    const cwd = frame.cwd ?? this.#cwd
    // A bash that says it is nowhere that there is, is believed about its status only.
    this.#inside = cwd
    if (isDirectory(cwd) || frame.cwd === this.#cwd) this.#cwd = cwd
    this.#status = frame.status
    this.#flags = frame.flags
  }

  /** The bash is dead or of no use: the next command gets another one. */
  async retire(bash: Bash): Promise<void> {
    this.#passOn(bash)
    await this.#end(bash)
  }

  /** A command goes on in the bash by itself, until `over`: the next one gets another. */
  letGo(bash: Bash, over: Promise<unknown>): void {
    this.#passOn(bash)
    this.#former.push(bash)
    void over.then(() => {
      this.#former = this.#former.filter(one => one !== bash)
      return this.#end(bash)
    })
  }

  #passOn(bash: Bash): void {
    this.#exports = bash.exports ?? this.#exports
    this.#bash = undefined
    this.#status = 0
    this.#flags = ''
  }

  async #end(bash: Bash): Promise<void> {
    if (!bash.isDead) await bash.quit(EXIT_TRAP_MS)
    if (bash.isHeld || bash.members(await listProcesses()).length > 0) this.#former.push(bash)
    else bash.dispose()
  }

  /**
   * The next command gets another bash, started anew. All that runs in the old ones ends: it could read what it should not,
   * and change under the hands of whoever makes the next sandbox what that one is to hide.
   */
  async renew(): Promise<void> {
    const bash = this.#bash
    if (bash === undefined) return
    this.#news.push(notes.renewed(this.#cwd))
    this.#passOn(bash)
    for (const one of [...this.#former.splice(0), bash]) await one.kill()
  }

  /** Whether anything but an idle bash runs in its sandboxes. */
  async isAlive(): Promise<boolean> {
    const processes = await listProcesses()
    return this.#all().some(bash => (bash === this.#bash ? !bash.isAlone(processes) : !bash.isDead))
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
    const marked = await markedProcesses(others, `${MARK}=${this.#options.env[MARK]}`)
    const children = this.#all().flatMap(({ pid }) => (pid === undefined ? [] : descendants(processes, pid)))
    return [...new Set([...marked, ...children.filter(({ session }) => !sessions.has(session))])]
  }

  #next(): Bash {
    const cwd = existingDirectory(this.#cwd)
    this.#cwd = cwd
    this.#inside = cwd
    const { env: first, program, launch, prelude = ':' } = this.#options
    const exports = this.exports
    const env = exports === undefined ? first : replacementEnvironment(first)
    const restore = exports === undefined ? prelude : `${prelude};${exportScript(exports)}`
    // Bash takes PWD for its directory's name when it is one: that keeps the way through symbolic links.
    return new Bash({ program, cwd, env: { ...env, PWD: cwd }, restore, launch })
  }
}

/** The directory itself, or the nearest one above it that one can be in. */
export function existingDirectory(directory: string): string {
  const parent = path.dirname(directory)
  return isDirectory(directory) || parent === directory ? directory : existingDirectory(parent)
}

/** Whether it is a directory that one can be in. */
export function isDirectory(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isDirectory()
  } catch {
    return false
  }
}
