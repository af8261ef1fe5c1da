/**
 * What a session does while nobody waits for it: summarises old history before it is in the way, and has the server
 * read ahead. A prompt comes before all of it.
 */
import type { Setup } from '../agent/run.ts'
import type { CompactionEntry } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import { type Compacted, type CompactParts, compact, hasOld, reserveOf } from './compact.ts'
import type { Notice } from './connection.ts'
import { Prewarm, type PrewarmParts } from './prewarm.ts'

/** Milliseconds after a run that count as a pause: prompts that come back to back leave none. */
const pause = 100
/** Characters that a template puts around a message, at most; and what an image counts for. */
const frame = 100
const image = 4_000
/**
 * Tokens of a character: no text has more than the first, so that far from the limit nothing better is needed on the way
 * to a request; most has about the second.
 */
const mostPerCharacter = 3
const usualPerCharacter = 0.4

export interface IdleParts
  extends CompactParts,
    Pick<PrewarmParts, 'runner' | 'mode' | 'countTokens' | 'busy' | 'answered'> {
  record(entry: CompactionEntry): void
  notice(notice: Notice): void
}

interface Compacting {
  controller: AbortController
  done: Promise<void>
  /** The person asked for it: a prompt waits for it. */
  ordered: boolean
}

export class Idle {
  readonly prewarm: Prewarm
  #parts: IdleParts
  #compacting: Compacting | undefined
  #pause: NodeJS.Timeout | undefined
  /** A history that could not be made smaller: another try only once it has grown, or in a pause when something is old at last. */
  #inVain: { tokens: number; hadOld: boolean } | undefined

  constructor(parts: IdleParts & { ready(): boolean }) {
    this.#parts = parts
    const { chat, history, runner, mode, countTokens, answered, busy } = parts
    this.prewarm = new Prewarm({
      chat,
      history,
      runner,
      mode,
      countTokens,
      answered,
      busy: () => busy() || this.#compacting !== undefined,
      setup: () => (parts.ready() ? parts.setup() : undefined),
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
    if (signal.aborted || (!compacting.ordered && this.fits(text))) abandon()
    signal.addEventListener('abort', abandon, { once: true })
    await compacting.done
    signal.removeEventListener('abort', abandon)
  }

  /** Whether a request for the history and this text leaves room for an answer. */
  fits(text = ''): boolean {
    const setup = this.#parts.setup()
    const { limit } = setup
    const { known, characters } = unseen(setup, this.#parts.history())
    if (known + (characters + text.length) * mostPerCharacter + reserveOf(limit) <= limit) return true
    return this.#tokens() + this.#parts.countTokens(text) + reserveOf(limit) <= limit
  }

  /** Tokens that are free: a rough figure that costs nothing, for the room that results are given. */
  freeTokens(): number {
    const setup = this.#parts.setup()
    const { known, characters } = unseen(setup, this.#parts.history())
    return Math.max(0, Math.floor(setup.limit - known - characters * usualPerCharacter))
  }

  /**
   * The history does not fit any more, in the middle of a run: → the compaction, unless it would be in vain. `refused`:
   * it is the server that says so, whatever we believe.
   */
  async makeRoom(
    signal: AbortSignal,
    { refused }: { refused: boolean },
  ): Promise<{ entry: CompactionEntry; notices: Notice[] } | undefined> {
    if (!refused && this.#wouldBeInVain()) return undefined
    const made = await compact(this.#parts, { signal, refused })
    this.#remember(made)
    if (!made) return undefined
    return { entry: made.entry, notices: noticesOf(made) }
  }

  /** By hand, begun at once unless another one is at work. → whether there was anything to summarise. */
  async compactNow(hint: string | undefined): Promise<boolean> {
    clearTimeout(this.#pause)
    while (this.#compacting) await this.#compacting.done
    return !this.#parts.busy() && this.#inBackground({ ordered: true, hint })
  }

  close(): void {
    clearTimeout(this.#pause)
    this.prewarm.close()
    this.#compacting?.controller.abort('user')
  }

  #tokens(): number {
    return this.#parts.tokens(this.#parts.history())
  }

  #wouldBeInVain(): boolean {
    return this.#inVain !== undefined && this.#tokens() < this.#inVain.tokens + this.#parts.setup().limit / 10
  }

  #remember(made: Compacted | undefined): void {
    if (!made) this.#inVain = { tokens: this.#tokens(), hadOld: hasOld(this.#parts) }
    else this.#inVain = made.inVain ? { tokens: made.entry.token_after, hadOld: true } : undefined
  }

  #inPause(): void {
    if (this.#compacting || this.#parts.busy()) return
    const { setup, threshold } = this.#parts
    // Here the person waits for nothing, so what has grown old since counts at once; within a run it does not.
    const hasNewlyOld = this.#inVain?.hadOld === false && hasOld(this.#parts)
    if (this.#tokens() > setup().limit * threshold && (hasNewlyOld || !this.#wouldBeInVain())) {
      void this.#inBackground({ ordered: false, hint: undefined })
    }
  }

  async #inBackground({ ordered, hint }: { ordered: boolean; hint: string | undefined }): Promise<boolean> {
    const controller = new AbortController()
    const working = this.#work(controller.signal, hint)
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

  async #work(signal: AbortSignal, hint: string | undefined): Promise<boolean> {
    try {
      const made = await compact(this.#parts, { signal, ...(hint !== undefined && { hint }) })
      if (signal.aborted) return false
      this.#remember(made)
      if (!made) return false
      this.#parts.record(made.entry)
      for (const notice of noticesOf(made)) this.#parts.notice(notice)
      return true
    } catch {
      // Abandoned: the next pause tries again.
      return false
    }
  }
}

/** What the server has counted, and the characters that it has not seen yet. */
function unseen(
  { system, wireTools }: Setup,
  history: readonly Message[],
): { known: number; characters: number } {
  const last = history.findLastIndex(message => message.role === 'assistant' && message.usage !== undefined)
  const counted = history[last]
  const known = counted?.role === 'assistant' ? (counted.usage?.context_tokens ?? 0) : 0
  let characters = known > 0 ? 0 : system.length + JSON.stringify(wireTools).length
  for (const message of history.slice(last + 1)) {
    characters += message.content.length + frame
    if (message.role === 'assistant') characters += JSON.stringify(message.tool_calls ?? '').length
    if (message.role === 'user') characters += (message.images?.length ?? 0) * image
  }
  return { known, characters }
}

/** What the entry does not say. */
function noticesOf({ byModel, inVain }: Compacted): Notice[] {
  const notices: Notice[] = []
  if (!byModel) {
    notices.push({
      code: 'compaction',
      message: 'The model gave no summary; files, commands and the last messages were kept.',
    })
  }
  if (inVain) {
    notices.push({
      code: 'compaction',
      message: 'That saved little: a new session (/clear) would save more.',
    })
  }
  return notices
}
