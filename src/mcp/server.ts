/**
 * One server with its life: started in the background or by the first call, asked what it offers, started anew when it
 * ends by itself, at most three times with growing pauses. What it cannot do is an error for who asked, never for the session.
 */
import { messageOf } from '../text/message-of.ts'
import type { CallOptions, ClientRoom, Link, Target } from './link.ts'
import { type LeftOut, type NamedResource, type Offer, readOffer, readResources } from './offer.ts'

export interface ServerOptions {
  name: string
  target: Target
  /** Milliseconds that a call may take. */
  timeout: number
  /** The only tools that are offered. */
  only?: readonly string[] | undefined
  load(): Promise<ClientRoom>
  /** It told what it offers: at its start, and whenever that has changed. */
  onOffer(offer: Offer, left: readonly LeftOut[]): void
  /** It cannot be started, or not again. */
  onDead(why: string): void
  /** Milliseconds before the nth new start. Default: 1, 2 and 4 seconds. */
  pause?(restart: number): number
}

export type ServerState = 'idle' | 'starting' | 'ready' | 'waiting' | 'dead' | 'closed'

/** Milliseconds for a server to answer for the first time, and to list what it has. */
const START_TIMEOUT = 30_000
const MOST_RESTARTS = 3

export class Server {
  readonly name: string
  /** Milliseconds that its last start took. */
  startedIn: number | undefined
  /** Why it is dead, or waits. */
  why = ''
  #options: ServerOptions
  #life = new AbortController()
  #link: Promise<Link> | undefined
  #restarts = 0
  #state: ServerState = 'idle'
  #changed: () => void = () => {}

  constructor(options: ServerOptions) {
    this.#options = options
    this.name = options.name
  }

  get state(): ServerState {
    return this.#state
  }

  /** `changed` is called whenever its state is another one. */
  watch(changed: () => void): void {
    this.#changed = changed
  }

  /** Rejects with why there is none. One that is dead is not tried again. */
  link(): Promise<Link> {
    if (this.state === 'dead' || this.state === 'closed') return Promise.reject(new Error(this.why))
    this.#link ??= this.#start()
    return this.#link
  }

  /** Starts it, where that has not been done. Never rejects. */
  begin(): Promise<void> {
    return this.link().then(
      () => {},
      () => {},
    )
  }

  /** Rejects with a sentence for the model. */
  async call(
    name: string,
    args: Record<string, unknown>,
    options: Omit<CallOptions, 'timeout'>,
  ): Promise<unknown> {
    const { timeout } = this.#options
    return this.#asked(options.signal, link => link.call(name, args, { ...options, timeout }))
  }

  prompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<unknown> {
    return this.#asked(signal, link => link.prompt(name, args, signal))
  }

  /** What it has to be named. Of one that is not connected: nothing, and it is not started for that. */
  async resources(signal: AbortSignal): Promise<NamedResource[]> {
    if (this.state !== 'ready') return []
    return readResources(await this.#asked(signal, link => link.resources(signal)))
  }

  read(uri: string, signal: AbortSignal): Promise<unknown> {
    return this.#asked(signal, link => link.read(uri, signal))
  }

  /** Nothing of it runs when it resolves. */
  async close(): Promise<void> {
    const link = this.#link
    this.why = 'the session is over'
    this.#become('closed')
    this.#life.abort(new Error(this.why))
    await link?.then(
      one => one.close(),
      () => {},
    )
  }

  /** A server that hangs is given up by the asker; it may still come to. */
  async #asked<T>(signal: AbortSignal, ask: (link: Link) => Promise<T>): Promise<T> {
    const { timeout } = this.#options
    const limit = new AbortController()
    const timer = setTimeout(
      () => limit.abort(new Error(`no answer within ${Math.round(timeout / 100) / 10} s`)),
      timeout,
    )
    const both = AbortSignal.any([signal, limit.signal])
    let stop = () => {}
    const ended = new Promise<never>((_, reject) => {
      stop = () => reject(both.reason)
      both.addEventListener('abort', stop, { once: true })
    })
    try {
      return await Promise.race([this.link().then(ask), ended])
    } catch (error) {
      signal.throwIfAborted()
      throw new Error(`the MCP server ${this.name}: ${messageOf(error)}`)
    } finally {
      clearTimeout(timer)
      both.removeEventListener('abort', stop)
    }
  }

  #start(): Promise<Link> {
    const starting = this.#started()
    starting.catch(error => {
      if (this.state === 'closed' || this.state === 'waiting') return
      if (this.#restarts > 0) this.#ended(messageOf(error))
      else this.#dies(messageOf(error))
    })
    return starting
  }

  async #started(): Promise<Link> {
    const { load, target } = this.#options
    const { signal } = this.#life
    this.#become('starting')
    const began = performance.now()
    const { connect } = await load()
    signal.throwIfAborted()
    const link = await connect(target, {
      ...{ signal, timeout: START_TIMEOUT },
      onClose: words => this.#ended(words),
      onChanged: () => void this.#look(link).catch(() => {}),
    })
    try {
      signal.throwIfAborted()
      await this.#look(link)
    } catch (error) {
      await link.close().catch(() => {})
      throw error
    }
    this.startedIn = performance.now() - began
    this.#become('ready')
    return link
  }

  async #look(link: Link): Promise<void> {
    const { onOffer, only } = this.#options
    const { offer, left } = readOffer(await link.offer(this.#life.signal), { only })
    if (!this.#life.signal.aborted) onOffer(offer, left)
  }

  #ended(lastWords: string): void {
    if (this.state === 'closed' || this.state === 'dead') return
    this.why = lastWords === '' ? 'it ended' : `it ended: ${lastWords}`
    if (this.#restarts >= MOST_RESTARTS) {
      this.#dies(this.why)
      return
    }
    const { pause = n => 500 * 2 ** n } = this.#options
    this.#become('waiting')
    this.#restarts++
    const waited = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, pause(this.#restarts)).unref()
      this.#life.signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer)
          reject(this.#life.signal.reason)
        },
        { once: true },
      )
    })
    this.#link = waited.then(() => this.#start())
    this.#link.catch(() => {}) // Who asks learns it.
  }

  #become(state: ServerState): void {
    this.#state = state
    this.#changed()
  }

  #dies(why: string): void {
    this.why = why
    this.#become('dead')
    this.#options.onDead(why)
  }
}
