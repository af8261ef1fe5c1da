/**
 * One conversation in one directory: what a face or a program holds. It owns the run in progress and the words that
 * wait; what happens goes through the recorder (journal first, then listeners). How a model is reached is not its affair.
 */
import { chatRequest } from '../agent/request.ts'
import type { Setup } from '../agent/run.ts'
import type { Words } from '../agent/steering.ts'
import type { Header, PermissionMode, SessionEvent } from '../protocol/events.ts'
import type { AssistantMessage, Message, UserMessage } from '../protocol/messages.ts'
import { Connecting } from './connection.ts'
import { type Gauge, Gauges } from './gauge.ts'
import { Idle } from './idle.ts'
import { Mentions } from './mentions.ts'
import { type OneRunOptions, oneRun } from './one-run.ts'
import type { PromptOptions, SessionParts, TypedOptions } from './parts.ts'
import { Progress } from './progress.ts'
import { Recorder } from './recorder.ts'
import { type RunResult, resultOf } from './result.ts'
import type { RunRooms } from './run-parts.ts'
import { asMessage, Waiting } from './waiting.ts'

export type { Approval, Approve, Verdict } from '../agent/run.ts'
export type { PromptOptions, SessionParts, TypedOptions } from './parts.ts'
export type { RunResult } from './result.ts'

interface CurrentRun {
  controller: AbortController
  result: Promise<RunResult>
}

export class Session {
  readonly id: string
  #parts: SessionParts
  #recorder: Recorder
  #connecting: Connecting
  #idle: Idle
  #gauges: Gauges
  #waiting: Waiting
  #mentions: Mentions
  #rooms: RunRooms
  #current: CurrentRun | undefined
  #begun = false
  #mode: PermissionMode
  #closed = false
  #ended: Promise<void> | undefined

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.id = parts.id
    this.#mode = parts.mode
    this.#recorder = new Recorder(parts.journal, parts.resumed?.history ?? [])
    const { sent, prompt } = parts.resumed ?? {}
    this.#connecting = new Connecting(parts.connection, this.#recorder, { sent, prompt })
    this.#gauges = new Gauges(parts.gaugeFor)
    this.#idle = new Idle({
      ...parts,
      mode: parts.prewarm,
      ready: () => this.setup !== undefined,
      setup: () => this.#connecting.known(),
      history: () => this.messages,
      tokens: history => this.#gauge.tokens(chatRequest(this.#connecting.known(), history)),
      countTokens: text => this.#gauge.textTokens(text),
      answered: (request, metrics) => void this.#gauge.answered(request, { metrics }),
      busy: () => this.#current !== undefined,
      record: entry => this.#recorder.record(entry),
      notice: ({ code, message }) => this.notice(code, message),
    })
    const progress = new Progress({
      show: event => this.#recorder.show(event),
      runner: parts.runner,
      warm: () => this.#idle.prewarm.warm,
      expect: request => this.#gauge.expect(request),
    })
    this.#waiting = new Waiting(event => this.#recorder.record(event))
    this.#mentions = new Mentions({
      ...parts,
      freeTokens: () => this.#idle.freeTokens(),
      notice: ({ code, message }) => this.notice(code, message),
    })
    this.#rooms = {
      parts,
      connecting: this.#connecting,
      idle: this.#idle,
      progress,
      recorder: this.#recorder,
      steering: this.#waiting.steering,
      mentions: this.#mentions,
      gauge: () => this.#gauge,
      begin: () => this.#begin(),
    }
  }

  /** What the server is sent beside the history; undefined until the session has been connected. */
  get setup(): Setup | undefined {
    return this.#connecting.setup
  }

  get model(): string | undefined {
    return this.setup?.model
  }

  get mode(): PermissionMode {
    return this.#mode
  }

  /** Holds from the next decision on; what runs goes on as it was allowed. */
  setMode(mode: PermissionMode): void {
    if (mode === this.#mode) return
    this.#begin()
    this.#mode = mode
    this.#recorder.record({ type: 'mode_change', mode })
  }

  get isStreaming(): boolean {
    return this.#current !== undefined
  }

  get messages(): readonly Message[] {
    return this.#recorder.history
  }

  get sessionFile(): string | undefined {
    return this.#parts.journal.file
  }

  /** Tokens in the context now: the server's count, and an estimate of what it has not seen. */
  get contextTokens(): number {
    return this.setup ? this.#gauge.tokens(chatRequest(this.setup, this.messages)) : 0
  }

  /** An estimate, of a bare text. 0 until the session has been connected. */
  textTokens(text: string): number {
    return this.setup ? this.#gauge.textTokens(text) : 0
  }

  /** What a person reads of a reply: without the dialect's own words and the calls in it. */
  readable({ content }: AssistantMessage): string {
    if (!this.setup) return content
    const parser = this.setup.dialect.parser(this.setup.wireTools)
    parser.push({ type: 'text', text: content })
    return parser.finish('stop').text
  }

  /** Words that a resumed journal holds and that were never sent: the caller gets them, once, for its editor. */
  takeUnsent(): string[] {
    this.#begin()
    const unsent = this.#parts.resumed?.unsent.splice(0) ?? []
    for (const { id } of unsent) this.#recorder.record({ type: 'queue_removed', id })
    return unsent.map(({ content }) => content)
  }

  /** Calls `listener` with everything that happens from now on; a kept event is in the journal by then. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    return this.#recorder.subscribe(listener)
  }

  /** Reaches the model's server now instead of with the first prompt. Rejects with `RunError`. */
  async connect(): Promise<void> {
    await this.#connecting.connect(() => this.#begin())
  }

  /** Connects, then has the server load the model and read what every request begins with. Rejects with `RunError`. */
  async open(): Promise<void> {
    await this.connect()
    void this.#idle.prewarm.open()
  }

  /** What is being typed: a long draft is read by the server ahead, and the first key after a while warms it again. */
  draft(text: string, { typed }: TypedOptions = {}): void {
    if (!this.setup) return
    const isRead = this.#parts.prewarm === 'type' && !this.#current
    this.#mentions.draft(text, isRead ? typed : undefined, content => this.#idle.prewarm.draft(content))
  }

  /** Summarises old history now; `hint` is what must be kept. → false: there was nothing to summarise. */
  async compact(hint?: string): Promise<boolean> {
    if (this.#closed) throw new Error('the session is closed')
    if (this.#current) throw new Error('a run is going: compact() waits for its end')
    // A prompt that comes next must find it begun.
    if (!this.setup) await this.connect()
    return this.#idle.compactNow(hint)
  }

  /**
   * Starts a run with the person's words. Resolves when it has ended, also when it failed; rejects only when the
   * session is closed or a run is going.
   */
  prompt(text: string, options: PromptOptions = {}): Promise<RunResult> {
    if (this.#closed) return Promise.reject(new Error('the session is closed'))
    if (this.#current) return Promise.reject(new Error('a run is going: use steer() or followUp()'))
    const { images, shown } = options
    const words: UserMessage = {
      id: this.#parts.newId(),
      role: 'user',
      content: text,
      ...(shown !== undefined && { shown }),
      ...(images && { images }),
    }
    return this.#start(words, options)
  }

  /** Words that step into the run now; without a run they start one. → the run that they end up in. */
  steer(text: string, options: TypedOptions = {}): Promise<RunResult> {
    return this.#current ? this.#waiting.steer(this.#words(text, options)) : this.prompt(text, options)
  }

  /** Words that wait until the run has ended, then start the next; without a run they start one. */
  followUp(text: string, options: TypedOptions = {}): Promise<RunResult> {
    return this.#current ? this.#waiting.followUp(this.#words(text, options)) : this.prompt(text, options)
  }

  /** Words that wait for the end of the run. */
  get followUps(): readonly Words[] {
    return this.#waiting.followUps
  }

  /** Words that wait come back to the person, by their id. undefined: they wait no longer. */
  takeBack(id: string): string | undefined {
    return this.#waiting.takeBack(id)
  }

  /** Esc while tools run and words wait: the tools are cancelled and the words step in. True if that was so. */
  stepInNow(): boolean {
    const { steering } = this.#waiting
    return steering.waiting > 0 && steering.cancelTools()
  }

  /** Ends the run. What was said is kept; words that wait are taken back (`unsent` of the run's result). */
  abort(): void {
    this.#current?.controller.abort('user')
  }

  /** Every kept event is on disk when it resolves (also when none was kept there so far). → the journal's path. */
  save(): Promise<string> {
    this.#begin()
    return this.#parts.journal.save()
  }

  /** Aborts what runs, closes the journal, ends the shell. Nothing is left running when it resolves. Idempotent. */
  close(): Promise<void> {
    this.#ended ??= this.#close()
    return this.#ended
  }

  async #close(): Promise<void> {
    this.#closed = true
    this.abort()
    this.#idle.close()
    await this.#current?.result
    this.#gauges.settle()
    this.#recorder.close()
    await this.#parts.onClose?.()
  }

  /** Says something to the person and keeps it. */
  notice(code: string, message: string): void {
    if (this.#closed) return
    this.#begin()
    this.#recorder.record({ type: 'notice', code, message })
  }

  #words(text: string, { typed }: TypedOptions): Words {
    return { id: this.#parts.newId(), content: text, typed }
  }

  #start(
    words: UserMessage,
    { typed, signal, maxTurns = this.#parts.maxTurns }: PromptOptions,
  ): Promise<RunResult> {
    const controller = new AbortController()
    const forward = () => controller.abort('user')
    if (signal?.aborted) forward()
    signal?.addEventListener('abort', forward, { once: true })

    const result = this.#run(words, { typed, signal: controller.signal, maxTurns }).finally(() =>
      signal?.removeEventListener('abort', forward),
    )
    this.#current = { controller, result }
    return result
  }

  async #run(words: UserMessage, options: OneRunOptions): Promise<RunResult> {
    // The run must stand in #current before anything of it happens, so that a listener may steer it.
    await Promise.resolve()
    const { end, replies } = await oneRun(this.#rooms, words, options)
    this.#current = undefined
    const isOver = this.#closed || end.reason === 'aborted' || end.reason === 'error'
    const unsent = isOver ? this.#waiting.takeAllBack() : []
    const result = resultOf(end, { replies, unsent })
    this.#waiting.runEnded(result)
    const next = this.#waiting.next()
    if (next) void this.#start(asMessage(next), next)
    // What could not be asked can not be summarised either.
    else if (this.setup && !this.#closed && end.reason !== 'error') this.#idle.afterRun()
    return result
  }

  /** The gauge of the model that is talked to. */
  get #gauge(): Gauge {
    return this.#gauges.of(this.#connecting.known(), this.messages)
  }

  /** The header, and what a resume has to mend, before anything else. */
  #begin(): void {
    if (this.#begun) return
    this.#begun = true
    const { id, cwd, resumed } = this.#parts
    const mode = this.#mode
    const header: Header = { type: 'header', version: 1, id, cwd }
    // A journal that lost its first line gets one again.
    if (resumed?.id) this.#recorder.show({ ...header, timestamp: new Date().toISOString() })
    else this.#recorder.record(header)
    for (const repair of resumed?.repairs ?? []) this.#recorder.recordRepair(repair)
    if (resumed && resumed.badLines.length > 0) {
      this.notice('journal', `Left out damaged lines of the journal: ${resumed.badLines.join(', ')}.`)
    }
    if (mode !== (resumed?.mode ?? 'ask')) this.#recorder.record({ type: 'mode_change', mode })
  }
}
