/** A command that goes on while the conversation does: what it has written since somebody looked, and its end. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Characters of one command's output that are kept. */
const mostKept = 256 * 1024
/** Characters of its newest output that are kept for the person, read or not. */
const mostShown = 4000

export abstract class Ongoing {
  /** As it is shown. */
  command: string
  /** Sent here by the person: the model did not ask for it, and is told of its end. */
  readonly isSent: boolean = false
  abstract readonly pid: number | undefined
  /** How it ended; undefined: it runs. */
  ended: string | undefined
  /** undefined: it runs, or did not end by itself. */
  exit_code: number | undefined
  /** Resolves with its end. */
  readonly over: Promise<void>
  /** Of `performance.now()`. */
  readonly since: number
  #newest = ''
  #isStopped = false
  #unread = ''
  #dropped = 0
  #heard: (() => void) | undefined
  #isOver: () => void = () => {}

  constructor(command: string, since = performance.now()) {
    this.command = command
    this.since = since
    this.over = new Promise(resolve => (this.#isOver = resolve))
  }

  /** Ends it with all its processes: TERM, then KILL. */
  abstract kill(): Promise<void>

  /** The person ends it. */
  stop(): Promise<void> {
    this.#isStopped = true
    return this.kill()
  }

  /** The person has ended it. */
  get isStopped(): boolean {
    return this.ended !== undefined && this.#isStopped
  }

  /** The end of what it has written here, whoever has read it; what was cut begins with `…`. */
  get newest(): string {
    return this.#newest
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
    return this.take()
  }

  /** What is new, and how many characters before it were too many to be kept. */
  take(): { output: string; dropped: number } {
    const [output, dropped] = [this.#unread, this.#dropped]
    this.#unread = ''
    this.#dropped = 0
    return { output, dropped }
  }

  protected wrote(text: string): void {
    const newest = this.#newest + text
    this.#newest = newest.length > mostShown ? `…${newest.slice(1 - mostShown)}` : newest
    this.#unread += text
    const over = this.#unread.length - mostKept
    if (over > 0) this.#unread = this.#unread.slice(over)
    this.#dropped += Math.max(0, over)
    this.#heard?.()
  }

  protected end(how: string, code?: number): void {
    if (this.ended !== undefined) return
    this.ended = this.#isStopped ? how.replace(/^.*/, 'ended by the user') : how
    this.exit_code = code
    this.#heard?.()
    this.#isOver()
  }
}
