/**
 * Has the server read ahead, so that little is left to read when the person presses Enter: the system message, tools
 * and history when a session opens, and a draft while it is still being typed.
 *
 * Measured on a real server (0.24): after a prewarm for one token with the very options of the real request,
 * 55 ms of 6,755 ms are left; a real request sent meanwhile waits for it and then needs 61 ms. An aborted prefill runs
 * to its end anyway, so what is a prefix of the real request is never aborted.
 */

import { chatRequest } from '../agent/request.ts'
import type { ChatRequest } from '../backends/backend.ts'
import { withNote } from '../context/volatile.ts'
import type { Message } from '../protocol/messages.ts'
import type { Conversation } from './conversation.ts'
import { Pauses, pauseBegins } from './pauses.ts'

/** New tokens from which a draft is worth a request of its own: with fewer it costs more than it saves. */
const leastNew = 8
/**
 * New tokens that are read in any pause: they take so long that what a request costs beside them is nothing, and where
 * the pause ends before it, that much has been read already.
 */
const manyNew = 200
/** Milliseconds after which it is worth asking whether the server still has what it read. */
const stale = 10_000

export interface PrewarmOptions {
  /** `type`: also what is being typed; `open`: when a session opens; `off`: nothing. */
  mode: 'off' | 'open' | 'type'
  /** A run has the server. */
  busy(): boolean
  /** The server has read ahead, and the model is loaded. */
  hasRead(): void
  /** What gopi will add to words that are sent now. Empty: nothing. */
  foreseen(history: readonly Message[]): string
}

interface Reading {
  /** The draft that is being read; undefined for the prefix alone. */
  draft: string | undefined
  controller: AbortController
  ended: Promise<boolean>
}

export class Prewarm {
  #talk: Conversation
  #options: PrewarmOptions
  #reading: Reading | undefined
  /** The newest draft, and the longest one that has been read whole. */
  #draft = ''
  #read = ''
  /** Words that were sent so far: a draft that is still being read then is no draft of the next ones. */
  #sent = 0
  #timer: NodeJS.Timeout | undefined
  #pauses = new Pauses()
  /** The server has finished reading for us since the model was loaded, as far as we know. */
  #warm = false
  #closed = false
  #contact = { wall: 0, mark: undefined as string | undefined, checked: false }

  constructor(talk: Conversation, options: PrewarmOptions) {
    this.#talk = talk
    this.#options = options
  }

  /** Whether the server should still have what it was sent last. */
  get warm(): boolean {
    return this.#warm
  }

  /** Reads the prefix and the history. Never rejects: a prewarm that fails leaves the work to the real request. */
  async open(): Promise<void> {
    if (this.#closed || this.#options.mode === 'off' || this.#options.busy() || this.#reading) return
    await this.#start(undefined)
  }

  /**
   * What is being typed now. Read when the typing pauses, if it is long, or can be read before the pause is likely to
   * end; never shown, never kept.
   */
  draft(text: string): void {
    if (this.#closed || this.#options.mode === 'off' || this.#options.busy()) return
    void this.wake()
    if (this.#options.mode !== 'type') return
    this.#pauses.key(performance.now())
    this.#draft = text
    if (!text.startsWith(this.#read)) this.#read = ''
    const { draft } = this.#reading ?? {}
    if (draft !== undefined && !text.startsWith(draft)) this.#abandon()
    this.#after(pauseBegins, pauseBegins)
  }

  /** The first key, or the focus, after a while: warms again if the server has evidently lost what it had. */
  async wake(): Promise<void> {
    const { state } = this.#talk
    if (!state || this.#contact.checked || Date.now() - this.#contact.wall < stale) return
    this.#contact.checked = true
    const loaded = await state().catch(() => undefined)
    const lost =
      !loaded ||
      loaded.context !== (this.#talk.setup?.context ?? loaded.context) ||
      (this.#contact.mark !== undefined && loaded.mark !== this.#contact.mark)
    if (!lost || this.#options.busy()) return
    this.#warm = false
    this.#read = ''
    await this.open()
  }

  /** A real request is about to leave: a prewarm that is no prefix of it is given up, others go on. */
  beforeRun(text: string): void {
    clearTimeout(this.#timer)
    this.#pauses.sent(performance.now())
    const { draft } = this.#reading ?? {}
    if (draft !== undefined && !text.startsWith(draft)) this.#abandon()
    this.#draft = ''
    this.#read = ''
    this.#sent++
  }

  /** A real request has ended well: the server has what it was sent. */
  requestEnded(): void {
    this.#warm = true
  }

  /** A run has ended: from now on a pause may cost what the server has. */
  async afterRun(): Promise<void> {
    if (this.#warm && this.#options.mode !== 'off') await this.#touched()
  }

  /** The history was replaced, or there is another model. */
  forget(): void {
    this.#abandon()
    this.#warm = false
    this.#read = ''
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#abandon()
  }

  #abandon(): void {
    this.#reading?.controller.abort('user')
    this.#reading = undefined
  }

  /** In `delay` milliseconds the typing will have paused for `so` long. */
  #after(delay: number, so: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#readDraft(so), delay)
    this.#timer.unref()
  }

  /** One at a time: what is being read now may turn out to be enough. */
  async #readDraft(so: number): Promise<void> {
    const draft = this.#draft
    await this.#reading?.ended
    if (draft !== this.#draft || this.#options.busy() || this.#reading) return
    const { gauge } = this.#talk
    const fresh = gauge.textTokens(draft.slice(this.#read.length))
    if (fresh < leastNew) return
    // A pause that has gone on is likely to be one of the longer ones.
    if (fresh < manyNew && gauge.ahead_ms(fresh) > this.#pauses.rest(so)) return this.#after(so, 2 * so)
    const sent = this.#sent
    if ((await this.#start(draft)) && sent === this.#sent) this.#read = draft
  }

  #start(draft: string | undefined): Promise<boolean> {
    const setup = this.#talk.setup
    if (!setup) return Promise.resolve(false)
    const controller = new AbortController()
    const { history } = this.#talk
    const typed: Message[] = draft === undefined ? [] : [this.#asSent(draft, history)]
    const request = chatRequest(setup, [...history, ...typed])
    // One token, not none: 0 means "without end" to some servers.
    const ended = this.#send({ ...request, most: 1 }, controller.signal).then(async whole => {
      if (this.#reading?.controller === controller) this.#reading = undefined
      if (whole) await this.#touched()
      if (whole && !this.#closed) this.#options.hasRead()
      return whole
    })
    this.#reading = { draft, controller, ended }
    return ended
  }

  /** With what is added: where no key comes before Enter, nothing is left to be read. */
  #asSent(draft: string, history: readonly Message[]): Message {
    return { id: '', role: 'user', content: withNote(draft, this.#options.foreseen(history)) }
  }

  async #send(request: ChatRequest, signal: AbortSignal): Promise<boolean> {
    const { gauge } = this.#talk
    gauge.leaves(request)
    try {
      for await (const event of this.#talk.chat(request, { signal })) {
        if (event.type === 'end') {
          if (event.metrics) gauge.answered(request, { metrics: event.metrics })
          return true
        }
        // A busy server is left alone: nobody waits for this.
        if (event.type === 'notice') break
      }
    } catch {}
    gauge.gaveUp()
    return false
  }

  async #touched(): Promise<void> {
    this.#warm = true
    this.#contact = { wall: Date.now(), mark: undefined, checked: false }
    const contact = this.#contact
    const loaded = await this.#talk.state?.().catch(() => undefined)
    contact.mark = loaded?.mark
  }
}
