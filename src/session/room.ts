/**
 * How full a conversation is, and room in it. Old history is summarised before the next request would not fit. Within a
 * long run that is done earlier: once the history passes the threshold, the summary is asked for while the next tools run,
 * when the server has nothing else to do, and put in place before the request that follows them.
 */
import { follow } from '../agent/abortable.ts'
import { told } from '../words/sayings/told.ts'
import { type Compacted, compact, compactWith, hasOld, reserveOf, summarise } from './compact.ts'
import type { Notice } from './connection.ts'
import type { Conversation } from './conversation.ts'

export class Room {
  #talk: Conversation
  /** A history that could not be made smaller: another try only once it has grown, or when something is old at last. */
  #inVain: { tokens: number; hadOld: boolean } | undefined
  /** A summary that is being made while tools run. */
  #early: { controller: AbortController; summary: Promise<string | undefined> } | undefined

  constructor(talk: Conversation) {
    this.#talk = talk
  }

  /** Whether a request for the history and this text leaves room for an answer. */
  fits(text = ''): boolean {
    const { limit } = this.#talk.known()
    return this.#talk.tokens() + this.#talk.gauge.textTokens(text) + reserveOf(limit) <= limit
  }

  /** Tokens that are free, for the room that results are given. */
  freeTokens(): number {
    return Math.max(0, this.#talk.known().limit - this.#talk.tokens())
  }

  /** The history is above the threshold, and a compaction would save something. */
  isDue(): boolean {
    return this.#isAbove() && !this.#wouldBeInVain()
  }

  /** As `isDue`, in a pause: here the person waits for nothing, so what has grown old since counts at once. */
  isDueInPause(): boolean {
    if (!this.#isAbove()) return false
    return (this.#inVain?.hadOld === false && hasOld(this.#talk)) || !this.#wouldBeInVain()
  }

  /** Tools run, and the server has nothing to do: a summary that is due is asked for now. */
  toolsBegan(signal: AbortSignal): void {
    if (this.#early || signal.aborted || !hasOld(this.#talk) || !this.isDue()) return
    const { controller, release } = follow(signal)
    const summary = summarise(this.#talk, { signal: controller.signal }).finally(release)
    summary.catch(() => {}) // Whoever waits for it hears of it.
    this.#early = { controller, summary }
  }

  /** Whether `makeRoom` has something to do. */
  isWanted({ refused }: { refused: boolean }): boolean {
    return refused || this.#early !== undefined || !this.fits()
  }

  /** In the middle of a run: → the compaction and what the entry does not say, unless it would be in vain. */
  async makeRoom(
    signal: AbortSignal,
    { refused }: { refused: boolean },
  ): Promise<(Compacted & { notices: Notice[] }) | undefined> {
    const early = this.#early
    this.#early = undefined
    if (!refused && !early && this.#wouldBeInVain()) return undefined
    const began = performance.now()
    const made = early
      ? compactWith(await early.summary, this.#talk, { refused })
      : await compact(this.#talk, { signal, refused })
    this.#remember(made)
    if (!made) return undefined
    const entry = { ...made.entry, waited_ms: Math.round(performance.now() - began) }
    return { ...made, entry, notices: noticesOf(made) }
  }

  /** In the background. → as `makeRoom`. Rejects with the signal's reason. */
  async compact(
    signal: AbortSignal,
    hint: string | undefined,
  ): Promise<(Compacted & { notices: Notice[] }) | undefined> {
    const made = await compact(this.#talk, { signal, ...(hint !== undefined && { hint }) })
    signal.throwIfAborted()
    this.#remember(made)
    return made && { ...made, notices: noticesOf(made) }
  }

  /** A summary that came too late for its run is given up: the next pause makes another. */
  runEnded(): void {
    this.#early?.controller.abort('user')
    this.#early = undefined
  }

  #isAbove(): boolean {
    return this.#talk.tokens() > this.#talk.known().limit * this.#talk.limits.threshold
  }

  #wouldBeInVain(): boolean {
    const { tokens } = this.#inVain ?? {}
    return tokens !== undefined && this.#talk.tokens() < tokens + this.#talk.known().limit / 10
  }

  #remember(made: Compacted | undefined): void {
    if (!made) this.#inVain = { tokens: this.#talk.tokens(), hadOld: hasOld(this.#talk) }
    else this.#inVain = made.inVain ? { tokens: made.entry.token_after, hadOld: true } : undefined
  }
}

/** What the entry does not say. */
function noticesOf({ byModel, inVain }: Compacted): Notice[] {
  return [
    ...(byModel ? [] : [told('compaction.no_summary', {})]),
    ...(inVain ? [told('compaction.in_vain', {})] : []),
  ]
}
