/**
 * The session's one bash. `cd`, variables, functions and options persist from command to command.
 *
 * Beside it there are bashes for lines that run unasked (`worlds.ts`).
 *
 * Here are the interface and the life of a command: its turn, its output, its limits, its result. `framing.ts` is
 * the talk with bash, `bash.ts` one process of it with its pipes (`channel.ts`), `lineage.ts` what passes from one
 * process to the next, `harmless.ts` what surrounds a line that only reads, `output.ts` what a command wrote, `process.ts` how processes are found and ended.
 *
 * A command that must be cut takes its bash along, always: bash cannot be made to forget the rest of a list or
 * a loop, and nothing of the rest may run. Background processes of earlier commands live on.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Where } from '../protocol/access.ts'
import { messageOf } from '../text/message-of.ts'
import type { Death } from './bash.ts'
import type { Channel } from './channel.ts'
import { findBash } from './environment.ts'
import type { Frame } from './framing.ts'
import { LateOutput } from './late.ts'
import { GRACE_MS, isDirectory, type Lineage, type Place } from './lineage.ts'
import * as notes from './notes.ts'
import { Output } from './output.ts'
import { SpillRoom } from './spill.ts'
import { Worlds, type WorldsOptions } from './worlds.ts'

export interface CommandOptions {
  signal: AbortSignal
  /** Milliseconds until the command's whole process tree is ended. */
  timeout: number
  /** Told when the command begins, and when it is given more time: milliseconds from its beginning. */
  onLimit?(ms: number): void
  /** Live output as it comes, decoded; may be many megabytes in all. The command waits where too much is not taken. */
  onOutput?(text: string): Promise<void> | void
  /** Bytes of output that the result carries: more than that keeps head and tail. */
  maxOutput: number
  /** Where it runs. Default: in the persistent bash. */
  where?: Where | undefined
  /** Where output over `maxOutput` is kept whole (a file, 0600). Asked for only then. */
  spillDir(): Promise<string>
}

export interface CommandResult {
  /** Standard output and error as they came, mixed; head and tail with a notice between when cut. */
  output: string
  /** undefined when the command did not end by itself, or the shell went with it. */
  exit_code: number | undefined
  /** The shell's directory after the command. */
  cwd: string
  duration_ms: number
  /** Bytes of output in all. */
  total_bytes: number
  /** The file with the whole output, when it was cut. */
  spill?: string
  ended: 'exit' | 'timeout' | 'aborted'
  /** Sentences for the model about what else happened: the shell was replaced, background children go on, … */
  notes: string[]
}

export interface CloseReport {
  /** Processes that left the shell's groups (setsid) and still run: named, not killed. */
  escaped: { pid: number; command: string }[]
}

export interface Shell {
  readonly cwd: string
  /** Starts the process if it is not there yet; nothing waits for it. */
  warm(): void
  /** Commands run one at a time, in the order in which they were asked for. Never rejects for what a command does. */
  run(command: string, options: CommandOptions): Promise<CommandResult>
  /** Gives the command that runs as much time again. False: none does. */
  moreTime(): boolean
  /** Ends everything of the shell's own process groups. Idempotent. */
  close(): Promise<CloseReport>
}

export interface ShellOptions {
  /** Where the first command runs. */
  cwd: string
  /** What commands find in their environment, with a few non-interactive settings over it. Default: gopi's own. */
  env?: NodeJS.ProcessEnv
  /** Absolute path of bash. Default: the system's, or else the first on PATH. */
  bash?: string
  /** The session's directory, a real path: none of its programs are for lines that run unasked. Default: `cwd`. */
  project?: string
  /** What puts a bash into a sandbox. Default: nothing does. */
  wall?: WorldsOptions['wall']
}

/**
 * A shell; its process starts with the first command or with `warm`. Should gopi end without `close`, whatever
 * the way, a watchdog ends the shell's processes within about a second.
 */
export function createShell(options: ShellOptions): Shell {
  const { cwd, env = process.env, bash = findBash(env), project = cwd, wall } = options
  return new PersistentShell(
    cwd,
    bash === undefined ? undefined : new Worlds({ cwd, env, program: bash, project, wall }),
  )
}

/** setTimeout takes no more. */
const LONGEST_MS = 2 ** 31 - 1

/** How a command came to its end: by itself, with its bash, or cut. */
type Ending =
  | { type: 'frame'; frame: Frame }
  | { type: 'death'; death: Death }
  | { type: 'cut'; why: 'timeout' | 'aborted' }

class PersistentShell implements Shell {
  #directory: string
  /** undefined: there is no bash on this machine. */
  #worlds: Worlds | undefined
  #late: LateOutput[] = []
  #queue: Promise<unknown> = Promise.resolve()
  #closing = new AbortController()
  #room = new SpillRoom()
  #report: Promise<CloseReport> | undefined
  /** Of the command that runs. */
  #limits: Limits | undefined

  constructor(directory: string, worlds: Worlds | undefined) {
    this.#directory = directory
    this.#worlds = worlds
  }

  get cwd(): string {
    return this.#directory
  }

  warm(): void {
    if (this.#closing.signal.aborted) return
    try {
      this.#worlds?.outside.start()
    } catch {
      // The first command tries again, and tells.
    }
  }

  run(command: string, options: CommandOptions): Promise<CommandResult> {
    const result = this.#queue.then(() => this.#run(command, options))
    this.#queue = result
    return result
  }

  moreTime(): boolean {
    this.#limits?.extend()
    return this.#limits !== undefined
  }

  close(): Promise<CloseReport> {
    this.#closing.abort()
    this.#report ??= this.#queue.then(async () => {
      const ends = this.#worlds?.all.map(lineage => lineage.close()) ?? []
      return { escaped: (await Promise.all(ends)).flat() }
    })
    return this.#report
  }

  async #run(command: string, options: CommandOptions): Promise<CommandResult> {
    const start = performance.now()
    const notRun = (ended: CommandResult['ended'], note: string): CommandResult => ({
      ...{ output: '', total_bytes: 0, exit_code: undefined, ended, notes: [note] },
      ...{ cwd: this.cwd, duration_ms: performance.now() - start },
    })
    if (this.#closing.signal.aborted) return notRun('aborted', notes.SHELL_CLOSED)
    if (options.signal.aborted) return notRun('aborted', notes.NOT_STARTED)
    if (command.includes('\0')) return notRun('exit', notes.NUL_REFUSED)
    if (this.#worlds === undefined) return notRun('exit', notes.NO_BASH)
    try {
      const lineage = await this.#worlds.at(options.where, this.#directory)
      const place = await lineage.place()
      if (!this.#closing.signal.aborted && !options.signal.aborted)
        return await this.#runIn(this.#worlds, { ...place, lineage }, { command, options })
      place.bash.giveBack(place.channel)
      return notRun('aborted', notes.NOT_STARTED)
    } catch (error) {
      return notRun('exit', notes.shellFailed(messageOf(error)))
    }
  }

  async #runIn(
    worlds: Worlds,
    { bash, channel, lineage }: Place & { lineage: Lineage },
    { command, options }: Order,
  ): Promise<CommandResult> {
    const start = performance.now()
    const output = new Output({ ...options, room: this.#room, resume: () => channel.resume() })
    channel.listen(bytes => output.push(bytes))
    const limits = limit(options, this.#closing.signal)
    this.#limits = limits
    const { where } = options
    const { isElsewhere, ...flow } = lineage.flow
    const enter = worlds.before(where, { isElsewhere, cwd: lineage.cwd })
    const inChild = where === 'harmless'
    const made = worlds.watch(where)
    const own = bash
      .run(command, { pipe: channel.path, ...flow, child: inChild, ...(enter !== undefined && { enter }) })
      .then<Ending>(async frame =>
        frame === undefined ? { type: 'death', death: await bash.death } : { type: 'frame', frame },
      )
    const ending = await Promise.race([own, limits.cut])
    this.#limits = undefined
    limits.release()
    if (ending.type === 'cut') await bash.endCommand(start, { grace: GRACE_MS })
    const duration_ms = performance.now() - start

    const isHeld = await settle(channel)
    const said = [...made(), ...lineage.takeNews(), ...this.#takeLate()]
    if (isHeld) {
      this.#late.push(new LateOutput(command, channel))
      said.push(notes.STILL_HELD)
    } else bash.giveBack(channel)
    if (ending.type !== 'frame') await lineage.retire(bash)
    else if (!inChild) lineage.keep(ending.frame)
    else if (ending.frame.moved !== undefined && isDirectory(ending.frame.moved))
      lineage.goTo(ending.frame.moved)
    this.#directory = lineage.cwd
    const { notes: about, ...collected } = await output.finish()
    const end = describe(ending, { cwd: lineage.cwd, timeout: limits.timeout, inChild })
    return { ...collected, ...end, cwd: lineage.cwd, duration_ms, notes: [...end.notes, ...about, ...said] }
  }

  /** What background processes of earlier commands have written meanwhile. */
  #takeLate(): string[] {
    const said = this.#late.flatMap(late => {
      const text = late.take()
      return text === '' ? [] : [notes.lateOutput(late.command, text)]
    })
    this.#late = this.#late.filter(late => !late.isOver)
    return said
  }
}

/**
 * Milliseconds that background processes get to let go of a command's output: freshly forked they have it open
 * until their own redirections are made, and what a short-lived one says belongs to the command.
 */
const SETTLE_MS = 20

/** Hands over the rest of a command's output. True: some process keeps it open. */
async function settle(channel: Channel): Promise<boolean> {
  for (const start = performance.now(); channel.drain(); await sleep(2)) {
    if (performance.now() - start > SETTLE_MS) return true
  }
  return false
}

interface Order {
  command: string
  options: CommandOptions
}

/** What the result says about the end of its command. */
function describe(
  ending: Ending,
  { cwd, timeout, inChild }: { cwd: string; timeout: number; inChild: boolean },
): Pick<CommandResult, 'exit_code' | 'ended' | 'notes'> {
  switch (ending.type) {
    case 'frame':
      return { exit_code: ending.frame.status, ended: 'exit', notes: [] }
    case 'death':
      return { exit_code: ending.death.code, ended: 'exit', notes: [notes.tookShell(ending.death, cwd)] }
    case 'cut':
      return {
        exit_code: undefined,
        ended: ending.why,
        notes: [(inChild ? notes.cutChild : notes.cut)(ending.why, { cwd, timeout })],
      }
  }
}

interface Limits {
  /** Says when the command has to be cut. */
  cut: Promise<Ending>
  /** Milliseconds that it has in all. */
  readonly timeout: number
  /** As much time again. */
  extend(): void
  /** That is of no interest any more. */
  release(): void
}

function limit({ signal, timeout, onLimit }: CommandOptions, closing: AbortSignal): Limits {
  const began = performance.now()
  let all = Math.min(timeout, LONGEST_MS)
  let timer: NodeJS.Timeout | undefined
  let release = () => {}
  let resolve: (ending: Ending) => void = () => {}
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => resolve({ type: 'cut', why: 'timeout' }), began + all - performance.now())
    onLimit?.(all)
  }
  const cut = new Promise<Ending>(done => {
    resolve = done
    const abort = () => resolve({ type: 'cut', why: 'aborted' })
    for (const reason of [signal, closing]) reason.addEventListener('abort', abort)
    release = () => {
      clearTimeout(timer)
      for (const reason of [signal, closing]) reason.removeEventListener('abort', abort)
    }
  })
  wait()
  return {
    cut,
    get timeout() {
      return all
    },
    extend() {
      all = Math.min(all + timeout, LONGEST_MS)
      wait()
    },
    release: () => release(),
  }
}
