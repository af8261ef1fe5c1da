/**
 * The runs of a session, one after the other: the one that goes, and the person's words, which start one, step into it (or
 * into what an agent does for it), or wait for its end.
 */
import type { RunEnd } from '../agent/run.ts'
import type { Words } from '../agent/steering.ts'
import type { UserMessage } from '../protocol/messages.ts'
import type { Price } from '../protocol/wire.ts'
import { type Guest, Hosted } from './hosted.ts'
import type { Loan } from './loan.ts'
import type { PromptOptions } from './options.ts'
import { type RunResult, resultOf } from './result.ts'
import type { RunOptions, Thread, TypedOptions } from './thread.ts'
import { asMessage, type Waiting } from './waiting.ts'

export interface RunsOptions {
  main: Thread
  waiting: Waiting
  /** Given back with the end of each run. */
  loan: Loan
  newId(): string
  isClosed(): boolean
  /** Of the main conversation's model. */
  price(): Price | undefined
  /** Adds up what agents cost from now on. → ends that. undefined: nobody works for the run. */
  costs(): (() => number | undefined) | undefined
  /** A run has ended, and none follows it. */
  onRest(end: RunEnd): void
}

export class Runs {
  readonly #options: RunsOptions
  readonly #hosted = new Hosted()
  #current: { controller: AbortController; result: Promise<RunResult> } | undefined

  constructor(options: RunsOptions) {
    this.#options = options
  }

  /** The run that goes; undefined: none does. */
  get current(): Promise<RunResult> | undefined {
    return this.#current?.result
  }

  /** Agents at work, by name. */
  get agents(): readonly string[] {
    return this.#hosted.names
  }

  /** Rejects when the session is closed or a run is going. */
  prompt(text: string, options: PromptOptions): Promise<RunResult> {
    if (this.#options.isClosed()) return Promise.reject(new Error('the session is closed'))
    if (this.#current) return Promise.reject(new Error('a run is going: use steer() or followUp()'))
    const { images, shown } = options
    const words: UserMessage = {
      id: this.#options.newId(),
      role: 'user',
      content: text,
      ...(shown !== undefined && { shown }),
      ...(images && { images }),
    }
    return this.#start(words, options)
  }

  steer(text: string, options: TypedOptions): Promise<RunResult> {
    if (!this.#current) return this.prompt(text, options)
    const words = this.#words(text, options)
    if (!this.#hosted.steer(words)) return this.#options.waiting.steer(words)
    return this.#current.result
  }

  followUp(text: string, options: TypedOptions): Promise<RunResult> {
    if (!this.#current) return this.prompt(text, options)
    return this.#options.waiting.followUp(this.#words(text, options))
  }

  takeBack(id: string): string | undefined {
    return this.#hosted.takeBack(id) ?? this.#options.waiting.takeBack(id)
  }

  /** A side conversation does the work of a call. → ends that; what came too late for it steps into the main one. */
  host(guest: Guest): () => void {
    const end = this.#hosted.add(guest)
    return () => {
      for (const words of end()) void this.#options.waiting.steer(words)
    }
  }

  /** An agent ends, or tools are cancelled and the words that wait step in. → whether one of it was so. */
  stepInNow(): boolean {
    if (this.#hosted.stop()) return true
    const { steering } = this.#options.waiting
    return steering.waiting > 0 && steering.cancelTools()
  }

  abort(): void {
    this.#current?.controller.abort('user')
  }

  #words(text: string, { typed, images }: TypedOptions): Words {
    return { id: this.#options.newId(), content: text, typed, images }
  }

  #start(words: UserMessage, { typed, signal, maxTurns }: PromptOptions): Promise<RunResult> {
    const controller = new AbortController()
    const forward = () => controller.abort('user')
    if (signal?.aborted) forward()
    signal?.addEventListener('abort', forward, { once: true })

    const result = this.#run(words, {
      typed,
      signal: controller.signal,
      ...(maxTurns !== undefined && { maxTurns }),
    }).finally(() => signal?.removeEventListener('abort', forward))
    this.#current = { controller, result }
    return result
  }

  async #run(words: UserMessage, options: RunOptions): Promise<RunResult> {
    // The run must stand in #current before anything of it happens, so that a listener may steer it.
    await Promise.resolve()
    const { main, waiting, loan, isClosed, price, costs, onRest } = this.#options
    const beside = costs()
    const { end, replies } = await main.run(words, options)
    this.#current = undefined
    const isOver = isClosed() || end.reason === 'aborted' || end.reason === 'error'
    const unsent = isOver ? waiting.takeAllBack() : []
    const result = resultOf(end, { replies, unsent, price: price(), beside: beside?.() })
    loan.end()
    waiting.runEnded(result)
    const next = waiting.next()
    if (next) void this.#start(asMessage(next), next)
    else onRest(end)
    return result
  }
}
