/**
 * The loaded models: loading, reloading when a runner option changes, unloading after `keep_alive`, and the queue of
 * requests before a busy slot.
 */
import type { DemoModelInfo } from './models.ts'
import type { Slot } from './slot.ts'
import { settle } from './wait.ts'

/** What makes Ollama start the runner anew when it changes (sampling options never do). */
const RUNNER_OPTIONS = [
  'num_ctx',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'use_mmap',
  'num_thread',
  'draft_num_predict',
] as const

export interface Runner {
  model: DemoModelInfo
  options: Record<string, unknown>
  /** Context in tokens, at most what the model was trained for. */
  context: number
  slots: Slot[]
  /** Requests that hold it, waiting ones included. */
  holders: number
  /** Milliseconds after the last request, Infinity for ever. */
  keepAlive: number
  /** Milliseconds since 1970. */
  expiresAt: number
  timer?: NodeJS.Timeout
}

export interface RunnersOptions {
  /** Does what loading takes. */
  load: () => Promise<void>
  /** Tokens, when a request names no `num_ctx`. */
  context: number
  parallel: number
  keepAlive: number
}

/** A runner that is held until `release`. Undefined when the signal fired first. */
export interface Hold {
  runner: Runner
  /** True when this request had it loaded. */
  loaded: boolean
  release(): void
}

export class Runners {
  readonly #options: RunnersOptions
  readonly #loaded = new Map<string, Runner>()
  #uses = 0
  readonly #turns = new Map<string, Promise<unknown>>()
  #changed: (() => void)[] = []

  constructor(options: RunnersOptions) {
    this.#options = options
  }

  /** The loaded ones, the last to expire first, as `/api/ps` lists them. */
  list(): Runner[] {
    return [...this.#loaded.values()].sort((a, b) => b.expiresAt - a.expiresAt)
  }

  /** Requests for one model are scheduled in order of arrival: a reload waits until the runner is idle. */
  async hold(
    model: DemoModelInfo,
    asked: { options: Record<string, unknown>; keepAlive: number | undefined; signal: AbortSignal },
  ): Promise<Hold | undefined> {
    const before = this.#turns.get(model.full) ?? Promise.resolve()
    const turn = before.then(() => (asked.signal.aborted ? undefined : this.#schedule(model, asked)))
    this.#turns.set(model.full, turn)
    await settle(turn, asked.signal)
    if (!asked.signal.aborted) return turn
    // A load goes on without the one who asked for it.
    void turn.then(hold => hold?.release())
    return undefined
  }

  /** Unloads the model as soon as nobody uses it. */
  unload(model: DemoModelInfo): void {
    const runner = this.#loaded.get(model.full)
    if (!runner) return
    runner.keepAlive = 0
    if (runner.holders === 0) this.#drop(runner)
  }

  /**
   * A free slot: the one whose conversation the prompt goes on with, else the one that was used longest ago, with what
   * another knows of the prompt copied, as Ollama does it. Waits its turn. Undefined when the signal fired.
   */
  async takeSlot(
    runner: Runner,
    { known, signal }: { known: (slot: Slot) => number; signal: AbortSignal },
  ): Promise<Slot | undefined> {
    while (!signal.aborted) {
      const free = runner.slots.filter(slot => !slot.busy)
      const best = free.sort((a, b) => known(b) - known(a))[0]
      if (best) {
        const shared = known(best)
        const oldest = free.reduce((oldest, slot) => (slot.used < oldest.used ? slot : oldest))
        const slot = shared < best.tokens.length ? oldest : best
        if (slot !== best) slot.tokens = best.tokens.slice(0, shared)
        slot.busy = true
        slot.used = ++this.#uses
        return slot
      }
      await this.#change(signal)
    }
    return undefined
  }

  freeSlot(slot: Slot): void {
    slot.busy = false
    this.#notify()
  }

  close(): void {
    for (const runner of this.#loaded.values()) clearTimeout(runner.timer)
    this.#loaded.clear()
  }

  async #schedule(
    model: DemoModelInfo,
    asked: { options: Record<string, unknown>; keepAlive: number | undefined; signal: AbortSignal },
  ): Promise<Hold | undefined> {
    const options = this.#runnerOptions(asked.options)
    let runner = this.#loaded.get(model.full)
    if (runner && needsReload(runner.options, options)) {
      while (runner.holders > 0) {
        await this.#change(asked.signal)
        if (asked.signal.aborted) return undefined
      }
      this.#drop(runner)
      runner = undefined
    }
    const loaded = !runner
    runner ??= await this.#load(model, options)
    clearTimeout(runner.timer)
    runner.holders++
    if (asked.keepAlive !== undefined) runner.keepAlive = asked.keepAlive
    runner.expiresAt = expiry(runner)
    return { runner, loaded, release: () => this.#release(runner) }
  }

  async #load(model: DemoModelInfo, options: Record<string, unknown>): Promise<Runner> {
    await this.#options.load()
    const runner: Runner = {
      model,
      options,
      context: Math.min(Math.max(Number(options.num_ctx), 4), model.context),
      slots: Array.from({ length: this.#options.parallel }, () => ({ tokens: [], busy: false, used: 0 })),
      holders: 0,
      keepAlive: this.#options.keepAlive,
      expiresAt: 0,
    }
    this.#loaded.set(model.full, runner)
    return runner
  }

  #release(runner: Runner): void {
    runner.holders--
    runner.expiresAt = expiry(runner)
    if (runner.holders === 0) {
      if (runner.keepAlive === 0) this.#drop(runner)
      else this.#expireLater(runner)
    }
    this.#notify()
  }

  #expireLater(runner: Runner): void {
    if (runner.keepAlive === Number.POSITIVE_INFINITY) return
    runner.timer = setTimeout(() => this.#drop(runner), Math.min(runner.keepAlive, 2 ** 31 - 1)).unref()
  }

  #drop(runner: Runner): void {
    clearTimeout(runner.timer)
    if (this.#loaded.get(runner.model.full) === runner) this.#loaded.delete(runner.model.full)
    this.#notify()
  }

  #runnerOptions(asked: Record<string, unknown>): Record<string, unknown> {
    const options = Object.fromEntries(RUNNER_OPTIONS.map(key => [key, asked[key]]))
    options.num_ctx ??= this.#options.context
    return options
  }

  #change(signal: AbortSignal): Promise<void> {
    return settle(new Promise<void>(resolve => this.#changed.push(resolve)), signal)
  }

  #notify(): void {
    const waiting = this.#changed
    this.#changed = []
    for (const wake of waiting) wake()
  }
}

/** The longest duration that Go knows is 292 years: that is its "for ever". */
function expiry(runner: Runner): number {
  return Date.now() + Math.min(runner.keepAlive, 2 ** 63 / 1e6)
}

function needsReload(loaded: Record<string, unknown>, asked: Record<string, unknown>): boolean {
  return RUNNER_OPTIONS.some(key => {
    const automatic = key === 'num_gpu' && (asked[key] === undefined || Number(asked[key]) < 0)
    return !automatic && loaded[key] !== asked[key]
  })
}
