/**
 * Counts tokens (cl100k) in a process of its own, which starts when there is something to count and ends by itself.
 * Nobody waits for it: a count is known or it is not yet.
 */
import type { ChildProcess } from 'node:child_process'

/** Milliseconds from the first question to the start: what follows a key press at once must not wait for a fork. */
const defaultDelay = 250
/** Starts that end without an answer before no more is tried. */
const maxFailures = 3
/** Characters. A longer text is not worth counting exactly. */
const maxText = 1_000_000
/** Characters of texts whose counts are remembered, and of one batch. */
const maxRemembered = 4_000_000
const maxBatch = 400_000

export interface TokenCounter {
  /** The exact count if it is known by now; else undefined, and it will be known later. */
  count(text: string): number | undefined
  /** Resolves when everything that was asked for is known, or cannot be counted. Keeps the process alive meanwhile. */
  counted(): Promise<void>
  /** Ends the counting process now. Later questions start another. */
  close(): void
}

export interface TokenCounterOptions {
  /** Starts `token-process.ts` with an IPC channel. */
  start(): ChildProcess
  /** Milliseconds from the first question to the start. */
  delay?: number
}

export function createTokenCounter(options: TokenCounterOptions): TokenCounter {
  return new CountingProcess(options)
}

class CountingProcess implements TokenCounter {
  readonly #start: () => ChildProcess
  readonly #delay: number
  readonly #known = new Map<string, number>()
  #characters = 0
  readonly #asked = new Set<string>()
  /** What the process is counting now. */
  #batch: string[] = []
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #waiting: (() => void)[] = []

  constructor({ start, delay = defaultDelay }: TokenCounterOptions) {
    this.#start = start
    this.#delay = delay
  }

  count(text: string): number | undefined {
    if (text === '') return 0
    const known = this.#known.get(text)
    if (known !== undefined || text.length > maxText || this.#failures >= maxFailures) return known
    this.#asked.add(text)
    if (this.#child) this.#ask()
    else this.#timer ??= setTimeout(() => this.#ask(), this.#delay).unref()
    return undefined
  }

  counted(): Promise<void> {
    if (this.#asked.size === 0) return Promise.resolve()
    const counted = new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#hold()
    this.#ask()
    return counted
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const child = this.#child
    this.#child = undefined
    this.#batch = []
    this.#asked.clear()
    child?.kill()
    this.#wake()
  }

  /** Hands the process its next batch, one at a time, and starts it where there is none. */
  #ask(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#batch.length > 0 || this.#asked.size === 0) return
    this.#child ??= this.#begin()
    const child = this.#child
    if (!child) {
      this.#giveUp()
      return
    }
    this.#hold()
    let characters = 0
    for (const text of this.#asked) {
      if (characters > 0 && characters + text.length > maxBatch) break
      characters += text.length
      this.#batch.push(text)
    }
    child.send(this.#batch, error => error && this.#lost(child))
  }

  #begin(): ChildProcess | undefined {
    try {
      const child = this.#start()
      child.on('message', counts => this.#answered(child, counts))
      for (const end of ['error', 'exit', 'disconnect']) child.on(end, () => this.#lost(child))
      return child
    } catch {
      return undefined
    }
  }

  #answered(child: ChildProcess, counts: unknown): void {
    if (child !== this.#child || !Array.isArray(counts)) return
    this.#failures = 0
    for (const [index, text] of this.#batch.entries()) {
      const count: unknown = counts[index]
      if (typeof count === 'number') this.#remember(text, count)
      this.#asked.delete(text)
    }
    this.#batch = []
    this.#ask()
    if (this.#asked.size === 0) this.#wake()
  }

  /** It ended: by itself, which is fine, or in the middle of a batch, which another one counts. */
  #lost(child: ChildProcess): void {
    if (child !== this.#child) return
    this.#child = undefined
    const left = this.#batch.length
    this.#batch = []
    if (left > 0 && ++this.#failures >= maxFailures) this.#giveUp()
    else this.#ask()
  }

  #giveUp(): void {
    this.#failures = maxFailures
    this.#asked.clear()
    this.#wake()
  }

  #remember(text: string, count: number): void {
    this.#known.set(text, count)
    this.#characters += text.length
    for (const oldest of this.#known.keys()) {
      if (this.#characters <= maxRemembered) break
      this.#known.delete(oldest)
      this.#characters -= oldest.length
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
    this.#hold()
  }

  /** The process keeps us alive only while somebody waits for its answers. */
  #hold(): void {
    const child = this.#child
    if (!child) return
    if (this.#waiting.length > 0) {
      child.ref()
      child.channel?.ref()
    } else {
      child.unref()
      child.channel?.unref()
    }
  }
}
