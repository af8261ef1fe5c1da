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

import { findBash } from '../paths/program.ts'
import type { Where } from '../protocol/access.ts'
import { messageOf } from '../text/message-of.ts'
import type { Death } from './bash.ts'
import { settle } from './channel.ts'
import type { Frame } from './framing.ts'
import { LateOutput } from './late.ts'
import { type Cut, type LimitOptions, type Limits, limit } from './limits.ts'
import { existingDirectory, GRACE_MS, isDirectory, type Lineage, type Place } from './lineage.ts'
import * as notes from './notes.ts'
import type { Ongoing } from './ongoing.ts'
import { Output } from './output.ts'
import { SpillRoom } from './spill.ts'
import { type Reach, Worlds, type WorldsOptions } from './worlds.ts'

export interface CommandOptions extends LimitOptions {
  /** Live output as it comes, decoded; may be many megabytes in all. The command waits where too much is not taken. */
  onOutput?(text: string): Promise<void> | void
  /** Takes the command where the person sends it to the background. → its name there. Default: it cannot be sent. */
  onSent?: ((job: Ongoing) => string) | undefined
  /** Bytes of output that the result carries: more than that keeps head and tail. */
  maxOutput: number
  /** Where it runs. Default: in the persistent bash. */
  where?: Where | undefined
  /** Takes out of what is kept whole what nobody is told. Default: nothing is. */
  mask?: ((text: string) => string) | undefined
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
  /** `sent`: it goes on in the background. */
  ended: 'exit' | 'timeout' | 'aborted' | 'sent'
  /** Where it could reach single hosts: which, and those that it was refused. */
  reach?: Reach
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
  /** Another one, in this one's directory as it is now, for lines that only read: they run beside this one's. To be closed. */
  beside(): Shell
  /** Gives the command that runs as much time again. False: none does. */
  moreTime(): boolean
  /** Sends the command that runs to the background. False: none does, or none that can be sent. */
  toBackground(): boolean
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

/** How a command came to its own end: by itself, or with its bash. */
type OwnEnding = { type: 'frame'; frame: Frame } | { type: 'death'; death: Death }
/** How the waiting for it ended. `sent`: it is called so in the background. */
type Ending = OwnEnding | Exclude<Cut, { type: 'sent' }> | { type: 'sent'; id: string }

class PersistentShell implements Shell {
  #directory: string
  /** undefined: there is no bash on this machine. */
  #worlds: Worlds | undefined
  #usual: Where | undefined
  #late: LateOutput[] = []
  #queue: Promise<unknown> = Promise.resolve()
  #closing = new AbortController()
  #room = new SpillRoom()
  #report: Promise<CloseReport> | undefined
  /** Of the command that runs. */
  #limits: (Limits & { isSendable: boolean }) | undefined

  /** `usual`: where lines run that are not to run anywhere else. Default: in the persistent bash. */
  constructor(directory: string, worlds: Worlds | undefined, usual?: Where) {
    this.#directory = directory
    this.#worlds = worlds
    this.#usual = usual
  }

  get cwd(): string {
    return this.#directory
  }

  warm(): void {
    if (this.#closing.signal.aborted || this.#usual !== undefined) return
    try {
      this.#worlds?.outside.start()
    } catch {
      // The first command tries again, and tells.
    }
  }

  run(command: string, options: CommandOptions): Promise<CommandResult> {
    const { where = this.#usual } = options
    const result = this.#queue.then(() => this.#run(command, { ...options, where }))
    this.#queue = result
    return result
  }

  beside(): Shell {
    return new PersistentShell(this.#directory, this.#worlds?.beside(), 'harmless')
  }

  moreTime(): boolean {
    this.#limits?.extend()
    return this.#limits !== undefined
  }

  toBackground(): boolean {
    if (!this.#limits?.isSendable) return false
    this.#limits.send()
    return true
  }

  close(): Promise<CloseReport> {
    this.#closing.abort()
    this.#report ??= this.#queue.then(async () => {
      return { escaped: (await this.#worlds?.close()) ?? [] }
    })
    return this.#report
  }

  async #run(command: string, options: CommandOptions): Promise<CommandResult> {
    const start = performance.now()
    const notRun = (ended: CommandResult['ended'], ...notes: string[]): CommandResult => ({
      ...{ output: '', total_bytes: 0, exit_code: undefined, ended, notes },
      ...{ cwd: this.cwd, duration_ms: performance.now() - start },
    })
    if (this.#closing.signal.aborted) return notRun('aborted', notes.SHELL_CLOSED)
    if (options.signal.aborted) return notRun('aborted', notes.NOT_STARTED)
    if (command.includes('\0')) return notRun('exit', notes.NUL_REFUSED)
    if (this.#worlds === undefined) return notRun('exit', notes.NO_BASH)
    try {
      const where = await this.#worlds.placeOf(options.where)
      const lineage = await this.#worlds.at(where, this.#directory)
      const place = await lineage.place()
      const wanted = this.#directory
      if (lineage.cwd !== wanted || lineage.isAstray) {
        // What was allowed was meant for there.
        place.bash.giveBack(place.channel)
        this.#directory = existingDirectory(wanted)
        const output = `${notes.directoryGone(wanted, this.cwd)}\n`
        return { ...notRun('exit'), output, exit_code: 1, total_bytes: Buffer.byteLength(output) }
      }
      if (!this.#closing.signal.aborted && !options.signal.aborted)
        return await this.#runIn(
          this.#worlds,
          { ...place, lineage },
          { command, options: { ...options, where } },
        )
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
    const { where, onSent } = options
    this.#limits = Object.assign(limits, { isSendable: onSent !== undefined })
    const { isElsewhere, ...flow } = lineage.flow
    const enter = worlds.before(where, { isElsewhere, cwd: lineage.cwd })
    const inChild = where === 'harmless'
    const made = worlds.begin(where)
    // What was refused before was refused to something else.
    worlds.reach(where)
    const own = bash
      .run(command, { pipe: channel.path, ...flow, child: inChild, ...(enter !== undefined && { enter }) })
      .then<OwnEnding>(async frame =>
        frame === undefined ? { type: 'death', death: await bash.death } : { type: 'frame', frame },
      )
    const send = async () => {
      const { Sent } = await import('./sent.ts')
      return onSent?.(new Sent(command, { bash, channel, since: start, own, made })) ?? ''
    }
    const first = await Promise.race([own, limits.cut])
    this.#limits = undefined
    limits.release()
    const ending = first.type === 'sent' ? { ...first, id: await send() } : first
    if (ending.type === 'cut') await bash.endCommand(start, { grace: GRACE_MS })
    const duration_ms = performance.now() - start

    const isHeld = ending.type !== 'sent' && (await settle(channel))
    const said = [...(ending.type === 'sent' ? [] : made()), ...lineage.takeNews(), ...this.#takeLate()]
    if (isHeld) {
      this.#late.push(new LateOutput(command, channel))
      said.push(notes.STILL_HELD)
    } else if (ending.type !== 'sent') bash.giveBack(channel)
    if (ending.type === 'sent') lineage.letGo(bash, own)
    else if (ending.type !== 'frame') await lineage.retire(bash)
    else if (!inChild) lineage.keep(ending.frame)
    else if (ending.frame.moved !== undefined && isDirectory(ending.frame.moved))
      lineage.goTo(ending.frame.moved)
    this.#directory = lineage.cwd
    const { notes: about, ...collected } = await output.finish()
    const end = describe(ending, { cwd: lineage.cwd, timeout: limits.timeout, inChild })
    const reach = worlds.reach(where)
    return {
      ...{ ...collected, ...end, cwd: lineage.cwd, duration_ms, ...(reach && { reach }) },
      notes: [...end.notes, ...about, ...said],
    }
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
    case 'sent':
      return {
        exit_code: undefined,
        ended: 'sent',
        notes: [(inChild ? notes.sentChild : notes.sent)(ending.id, cwd)],
      }
    case 'cut':
      return {
        exit_code: undefined,
        ended: ending.why,
        notes: [(inChild ? notes.cutChild : notes.cut)(ending.why, { cwd, timeout })],
      }
  }
}
