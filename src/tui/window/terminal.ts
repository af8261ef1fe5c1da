/** The two streams of a terminal: raw keys in, frames out. A terminal that does not read stalls nobody. */
import { writeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { type Input, InputDecoder } from '../input.ts'
import { ENTER_SCREEN, type Modes, modesOff, modesOn } from './modes.ts'

export type TerminalInput = Readable & { setRawMode?(raw: boolean): unknown }
export type TerminalOutput = Writable & { columns?: number; rows?: number; fd?: number }

export interface TerminalOptions {
  input: TerminalInput
  output: TerminalOutput
  modes: Modes
  /** What came in one read; also the terminal's answers. */
  onInput(inputs: readonly Input[]): void
  onResize(): void
  /** The terminal reads again. */
  onReady(): void
  /** Nobody is at the other end any more. */
  onHangUp(): void
}

/** What Node keeps of a stream; there is no other way to what it does. */
interface Handle {
  fd?: number
  setBlocking?(blocking: boolean): unknown
}

/** Milliseconds for which leaving waits for a terminal that does not read. */
const LEAVING_WAIT = 200

/** Milliseconds for which answers to what was asked are still taken, so that the shell does not get them. */
const ANSWER_WAIT = 500

/** Milliseconds after which a terminal that has not answered is one that never does. */
const ANSWERS_AT_ALL = 5_000

export class Terminal {
  modes: Modes
  readonly #options: TerminalOptions
  readonly #decoder = new InputDecoder()
  #timer: NodeJS.Timeout | undefined
  #isIn = false
  #isBusy = false
  #askedAt: number | undefined
  #onAnswer: (() => void) | undefined

  constructor(options: TerminalOptions) {
    this.#options = options
    this.modes = options.modes
    const { input, output } = options
    input.on('data', this.#take)
    input.on('end', options.onHangUp)
    // Node hears of a terminal that is gone by reading (EIO) or writing (EPIPE).
    input.on('error', options.onHangUp)
    output.on('error', options.onHangUp)
    output.on('resize', options.onResize)
  }

  get columns(): number {
    // A serial line has none.
    return this.#options.output.columns || 80
  }

  get rows(): number {
    return this.#options.output.rows || 24
  }

  /** The terminal has not taken the last write yet. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  get isIn(): boolean {
    return this.#isIn
  }

  /** `isPainted`: the alternate screen has been entered before the window was there. */
  enter({ isPainted = false } = {}): void {
    const { input, output } = this.#options
    // The job was stopped without a warning, and what then had the terminal changed it as it liked.
    const back = this.#isIn ? modesOff(this.modes) : ''
    this.#isIn = true
    this.#onAnswer = undefined
    handleOf(output)?.setBlocking?.(false)
    // Libuv remembers the mode that it has set; somebody else may have set another since.
    input.setRawMode?.(false)
    input.setRawMode?.(true)
    input.resume()
    this.write(back + (isPainted ? '' : ENTER_SCREEN) + modesOn(this.modes))
  }

  write(text: string): void {
    const { output } = this.#options
    if (text === '' || output.destroyed) return
    output.write(text, () => {
      if (!this.#isBusy || output.writableLength > 0) return
      this.#isBusy = false
      this.#options.onReady()
    })
    this.#isBusy = output.writableLength > 0
  }

  /** Leaves for good. */
  close(text = ''): void {
    this.leave(text, () => {
      const { input, output, onHangUp, onResize } = this.#options
      input.off('data', this.#take)
      input.off('end', onHangUp)
      input.off('error', onHangUp)
      // The listener for errors stays: what is still being written may fail.
      output.off('resize', onResize)
    })
  }

  /**
   * Gives the terminal back as it was, and writes `text` to its normal screen. What the terminal still has to answer is
   * taken before others may read: `onLeft` is called then, which is at once where nothing is due.
   */
  leave(text: string, onLeft: () => void): void {
    const isAnswerDue = this.#isIn && performance.now() - (this.#askedAt ?? -Infinity) < ANSWERS_AT_ALL
    if (this.#isIn) this.#giveBack(text)
    const timer = isAnswerDue ? setTimeout(() => this.#onAnswer?.(), ANSWER_WAIT) : undefined
    this.#onAnswer = () => {
      clearTimeout(timer)
      this.#onAnswer = undefined
      this.#letGo()
      onLeft()
    }
    if (!isAnswerDue) this.#onAnswer()
  }

  /** Waits for answers no longer. */
  stopWaiting(): void {
    this.#onAnswer?.()
  }

  /** Sends a question; until it is `answered`, the terminal may say something at any time. */
  ask(question: string): void {
    this.#askedAt = performance.now()
    this.write(question)
  }

  answered(): void {
    this.#askedAt = undefined
    this.#onAnswer?.()
  }

  /** Reads the size again: while the process was stopped, nobody told it. */
  measure(): void {
    const { output } = this.#options
    ;(output as { _refreshSize?(): void })._refreshSize?.()
  }

  #giveBack(text: string): void {
    const { output } = this.#options
    this.#isIn = false
    // A sequence that was cut off in the middle is cancelled.
    const cancel = this.#isBusy ? '\x18' : ''
    const all = cancel + modesOff(this.modes) + text
    const descriptor = handleOf(output)?.fd ?? output.fd
    if (descriptor === undefined || descriptor < 0) output.write(all)
    else writeAtOnce(descriptor, all)
    // What others write now is not to be lost at an exit; but nothing may wait for a terminal that does not read.
    if (!this.#isBusy) handleOf(output)?.setBlocking?.(true)
  }

  #letGo(): void {
    const { input } = this.#options
    clearTimeout(this.#timer)
    try {
      input.setRawMode?.(false)
    } catch {
      // The terminal is gone.
    }
    input.pause()
  }

  readonly #take = (bytes: Uint8Array): void => {
    clearTimeout(this.#timer)
    this.#give(this.#decoder.push(bytes))
    const { wait } = this.#decoder
    if (wait !== undefined) this.#timer = setTimeout(() => this.#give(this.#decoder.finish()), wait)
  }

  #give(inputs: readonly Input[]): void {
    if (inputs.length > 0) this.#options.onInput(inputs)
  }
}

const handleOf = (stream: Writable): Handle | undefined => (stream as { _handle?: Handle })._handle

/** Writes all of it, or as much as the terminal takes in time. */
function writeAtOnce(descriptor: number, text: string): void {
  const deadline = performance.now() + LEAVING_WAIT
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > deadline) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}
