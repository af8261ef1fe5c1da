/**
 * What a session does while nobody waits for it: summarises old history before it is in the way, and has the server
 * read ahead. A prompt comes before all of it.
 */
import { Prewarm, type PrewarmOptions } from './prewarm.ts'
import type { Thread } from './thread.ts'

/** Milliseconds after a run that count as a pause: prompts that come back to back leave none. */
const pause = 100

interface Compacting {
  controller: AbortController
  done: Promise<void>
  /** The person asked for it: a prompt waits for it. */
  ordered: boolean
}

export class Idle {
  readonly prewarm: Prewarm
  #main: Thread
  #busy: () => boolean
  #compacting: Compacting | undefined
  #pause: NodeJS.Timeout | undefined

  /** `busy`: a run has the server. */
  constructor(main: Thread, { mode, busy, hasRead }: PrewarmOptions) {
    this.#main = main
    this.#busy = busy
    this.prewarm = new Prewarm(main, {
      ...{ mode, hasRead },
      busy: () => busy() || this.#compacting !== undefined,
    })
  }

  /** A run has ended: summarise if the history is above the threshold, off the critical path. */
  afterRun(): void {
    void this.prewarm.afterRun()
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => this.#inPause(), pause)
    this.#pause.unref()
  }

  /**
   * A prompt is about to start a run. A compaction is abandoned if the prompt fits without it (and tried again at the
   * next pause), else waited for; the signal abandons it too.
   */
  async beforeRun(text: string, signal: AbortSignal): Promise<void> {
    clearTimeout(this.#pause)
    this.prewarm.beforeRun(text)
    const compacting = this.#compacting
    if (!compacting) return
    const abandon = () => compacting.controller.abort('user')
    if (signal.aborted || (!compacting.ordered && this.#main.room.fits(text))) abandon()
    signal.addEventListener('abort', abandon, { once: true })
    await compacting.done
    signal.removeEventListener('abort', abandon)
  }

  /** By hand, begun at once unless another one is at work. → whether there was anything to summarise. */
  async compactNow(hint: string | undefined, signal?: AbortSignal): Promise<boolean> {
    clearTimeout(this.#pause)
    while (this.#compacting) await this.#compacting.done
    if (this.#busy() || signal?.aborted) return false
    const working = this.#inBackground({ ordered: true, hint })
    const abandon = () => this.#compacting?.controller.abort('user')
    signal?.addEventListener('abort', abandon, { once: true })
    return working.finally(() => signal?.removeEventListener('abort', abandon))
  }

  /** Nothing is summarised any more when it resolves; the next pause begins anew. */
  async rest(): Promise<void> {
    clearTimeout(this.#pause)
    this.#compacting?.controller.abort('user')
    await this.#compacting?.done
  }

  close(): void {
    clearTimeout(this.#pause)
    this.prewarm.close()
    this.#compacting?.controller.abort('user')
  }

  #inPause(): void {
    if (this.#compacting || this.#busy()) return
    if (this.#main.room.isDueInPause()) void this.#inBackground({ ordered: false, hint: undefined })
  }

  async #inBackground({ ordered, hint }: { ordered: boolean; hint: string | undefined }): Promise<boolean> {
    const controller = new AbortController()
    const working = this.#work(controller.signal, { ordered, hint })
    const done = working.then(() => {})
    this.#compacting = { controller, done, ordered }
    const worked = await working
    this.#compacting = undefined
    if (worked) {
      this.prewarm.forget()
      void this.prewarm.open()
    }
    return worked
  }

  async #work(
    signal: AbortSignal,
    { ordered, hint }: { ordered: boolean; hint: string | undefined },
  ): Promise<boolean> {
    try {
      const trigger = ordered ? 'manual' : 'auto'
      if (!(await this.#main.mayCompact(trigger, hint, signal))) return false
      const made = await this.#main.room.compact(signal, hint)
      if (!made) return false
      this.#main.record.record(made.entry)
      for (const notice of made.notices) this.#main.record.record({ type: 'notice', ...notice })
      return true
    } catch {
      // Abandoned: the next pause tries again.
      return false
    }
  }
}
