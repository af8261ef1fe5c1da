/**
 * One conversation in one directory: what a face or a program holds. It owns the run in progress and the words that
 * wait; what happens goes through the recorder (journal first, then listeners). How a model is reached is not its affair.
 */
import { run } from '../agent/loop.ts'
import { chatRequest } from '../agent/request.ts'
import type { RunEnd, RunEvent, RunParts, Setup } from '../agent/run.ts'
import { Steering } from '../agent/steering.ts'
import { RunError } from '../protocol/errors.ts'
import type { Header, PermissionMode, RunReason, SessionEvent } from '../protocol/events.ts'
import type { Message, Usage, UserMessage } from '../protocol/messages.ts'
import { Connecting, type Connection, type Notice } from './connection.ts'
import type { Gauge } from './gauge.ts'
import { Idle, type IdleParts } from './idle.ts'
import type { Journal } from './journal.ts'
import { Progress } from './progress.ts'
import { Recorder } from './recorder.ts'
import { missingResults, type Replayed } from './replay.ts'

export type { Approval, Approve, Verdict } from '../agent/run.ts'

export interface RunResult {
  /** The last reply, as a person reads it. */
  text: string
  reason: RunReason
  turns: number
  /** Tokens of all requests of the run together. */
  usage: { prompt_tokens: number; completion_tokens: number }
  error?: { code: string; message: string }
  /** Words that waited and were not sent, because the run was aborted or failed: they go back to the editor. */
  unsent: string[]
}

export interface PromptOptions {
  /** Base64. */
  images?: string[]
  /** As the person typed it, where that differs from the text that is sent. */
  shown?: string
  signal?: AbortSignal
  maxTurns?: number
}

type LoopParts = Pick<
  RunParts,
  | 'chat'
  | 'tools'
  | 'decide'
  | 'shell'
  | 'limits'
  | 'spillDir'
  | 'newId'
  | 'cwd'
  | 'approve'
  | 'goOn'
  | 'maxTurns'
>

export interface SessionParts extends LoopParts, Pick<IdleParts, 'runner' | 'keepRecent' | 'threshold'> {
  id: string
  journal: Journal
  connection: Connection
  mode: PermissionMode
  prewarm: IdleParts['mode']
  /** Made once the model is known. */
  gaugeFor(model: string): Gauge
  resumed?: Replayed
  /** What the next prompt brings with it: a note for the model, and what the person should hear. */
  aside(history: readonly Message[]): { note: string; notices: Notice[] }
  /** Runs when the session closes, before its journal does. */
  onClose?(): Promise<void> | void
}

interface CurrentRun {
  controller: AbortController
  steering: Steering
  result: Promise<RunResult>
}

interface FollowUp {
  id: string
  content: string
  resolve(result: RunResult): void
}

/** Milliseconds into a run at which the shell is started: the request has left by then. */
const shellDelay = 50

export class Session {
  readonly id: string
  #parts: SessionParts
  #recorder: Recorder
  #connecting: Connecting
  #idle: Idle
  #progress: Progress
  #known: { model: string; gauge: Gauge } | undefined
  #current: CurrentRun | undefined
  #followUps: FollowUp[] = []
  #begun = false
  #closed = false

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.id = parts.id
    this.#recorder = new Recorder(parts.journal, parts.resumed?.history ?? [])
    const { sent, prompt } = parts.resumed ?? {}
    this.#connecting = new Connecting(parts.connection, this.#recorder, { sent, prompt })
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
    this.#progress = new Progress({
      show: event => this.#recorder.show(event),
      runner: parts.runner,
      warm: () => this.#idle.prewarm.warm,
      expect: request => this.#gauge.expect(request),
    })
  }

  /** What the server is sent beside the history; undefined until the session has been connected. */
  get setup(): Setup | undefined {
    return this.#connecting.setup
  }

  get model(): string | undefined {
    return this.setup?.model
  }

  get mode(): PermissionMode {
    return this.#parts.mode
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
  draft(text: string): void {
    if (this.setup) this.#idle.prewarm.draft(text)
  }

  /** Summarises old history now; `hint` is what must be kept. → false: there was nothing to summarise. */
  async compact(hint?: string): Promise<boolean> {
    if (this.#current) throw new Error('a run is going: compact() waits for its end')
    await this.connect()
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
  steer(text: string): Promise<RunResult> {
    if (!this.#current) return this.prompt(text)
    const words = { id: this.#parts.newId(), content: text }
    this.#recorder.record({ type: 'steer', ...words })
    this.#current.steering.push(words)
    return this.#current.result
  }

  /** Words that wait until the run has ended, then start the next; without a run they start one. */
  followUp(text: string): Promise<RunResult> {
    if (!this.#current) return this.prompt(text)
    const words = { id: this.#parts.newId(), content: text }
    this.#recorder.record({ type: 'follow_up', ...words })
    return new Promise(resolve => this.#followUps.push({ ...words, resolve }))
  }

  /** Words that wait for the end of the run. */
  get followUps(): readonly { id: string; content: string }[] {
    return this.#followUps
  }

  /** Esc while tools run and words wait: the tools are cancelled and the words step in. True if that was so. */
  stepInNow(): boolean {
    const steering = this.#current?.steering
    return steering !== undefined && steering.waiting > 0 && steering.cancelTools()
  }

  /** Ends the run. What was said is kept; words that wait are taken back (`unsent` of the run's result). */
  abort(): void {
    this.#current?.controller.abort('user')
  }

  /** Every kept event is on disk when it resolves (also when none was kept there so far). → the journal's path. */
  save(): Promise<string> {
    return this.#parts.journal.save()
  }

  /** Aborts what runs, ends the shell, closes the journal. Nothing is left running. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.abort()
    this.#idle.close()
    await this.#current?.result
    await this.#parts.onClose?.()
    this.#parts.journal.close()
  }

  /** Says something to the person and keeps it. */
  notice(code: string, message: string): void {
    if (this.#closed) return
    this.#begin()
    this.#recorder.record({ type: 'notice', code, message })
  }

  #start(words: UserMessage, { signal, maxTurns }: PromptOptions): Promise<RunResult> {
    const controller = new AbortController()
    const forward = () => controller.abort('user')
    if (signal?.aborted) forward()
    signal?.addEventListener('abort', forward, { once: true })

    const current = { controller, steering: new Steering() }
    const result = this.#run(words, current, maxTurns).finally(() =>
      signal?.removeEventListener('abort', forward),
    )
    this.#current = { ...current, result }
    return result
  }

  async #run(
    words: UserMessage,
    { controller, steering }: Omit<CurrentRun, 'result'>,
    maxTurns = this.#parts.maxTurns,
  ): Promise<RunResult> {
    // The run must stand in #current before anything of it happens, so that a listener may steer it.
    await Promise.resolve()
    const before = this.messages.length
    const end = await this.#runToEnd(words, { controller, steering, maxTurns })
    for (const result of missingResults(this.messages, this.#parts.newId)) {
      this.#recorder.record({ type: 'message', ...result })
    }
    this.#current = undefined
    if (this.setup && !this.#closed) this.#idle.afterRun()
    const unsent = this.#goOnOrTakeBack(end, steering)
    return {
      text: end.text,
      reason: end.reason,
      turns: end.turns,
      usage: sumUsage(this.messages.slice(before)),
      ...(end.error && { error: { code: end.error.code, message: end.error.message } }),
      unsent,
    }
  }

  async #runToEnd(
    words: UserMessage,
    { controller, steering, maxTurns }: Omit<CurrentRun, 'result'> & { maxTurns: number },
  ): Promise<RunEnd> {
    const failure = await this.#connecting
      .connect(() => this.#begin(), controller.signal)
      .then(
        () => undefined,
        error => error as unknown,
      )
    this.#begin()
    if (failure === undefined) await this.#idle.beforeRun(words.content)
    this.#recorder.record({ type: 'agent_start' })
    this.#recorder.record({ type: 'message', ...this.#withAside(words) })
    if (failure !== undefined) return this.#endWithout(failure)

    // The shell is likely to be needed, and the server takes longer than it does to start.
    const warming = setTimeout(() => this.#parts.shell.warm(), shellDelay)
    const events = run(this.#runParts(steering, maxTurns), { signal: controller.signal })
    for (;;) {
      const { done, value } = await events.next()
      if (done) {
        clearTimeout(warming)
        return value
      }
      if (value.type === 'message_start' || value.type === 'message') this.#progress.arrived()
      this.#recorder.take(value)
    }
  }

  /** The prompt as it is sent: what changed meanwhile rides at its end, where nothing was read yet. */
  #withAside(words: UserMessage): UserMessage {
    const { note, notices } = this.#parts.aside(this.messages)
    for (const notice of notices) this.#recorder.record({ type: 'notice', ...notice })
    if (note === '') return words
    return { ...words, content: `${words.content}\n\n${note}`, shown: words.shown ?? words.content }
  }

  /** The run ends before its first request: nobody answered, or the person did not wait. */
  #endWithout(failure: unknown): RunEnd {
    const aborted = !(failure instanceof Error)
    const reason: RunReason = aborted ? 'aborted' : 'error'
    const error =
      failure instanceof RunError ? failure : new RunError('internal', String(failure), { cause: failure })
    if (!aborted) this.#recorder.record({ type: 'error', code: error.code, message: error.message })
    this.#recorder.record({ type: 'agent_end', reason, turns: 0 })
    return { reason, turns: 0, text: '', ...(!aborted && { error }) }
  }

  #runParts(steering: Steering, maxTurns: number): RunParts {
    return {
      ...this.#parts,
      steering,
      maxTurns,
      history: this.messages,
      setup: () => this.#connecting.known(),
      fallBack: error => this.#connecting.fallBack(error),
      measure: (request, answer) => this.#measure(request, answer),
      expectation: request => this.#progress.expectation(request),
      makeRoom: signal => this.#makeRoom(signal),
      freeTokens: () => Math.max(0, this.#connecting.known().num_ctx - this.contextTokens),
    }
  }

  #measure(...answer: Parameters<Gauge['answered']>): Usage | undefined {
    const usage = this.#gauge.answered(...answer)
    if (usage) this.#idle.prewarm.requestEnded()
    return usage
  }

  /** The gauge of the model that is talked to. */
  get #gauge(): Gauge {
    const { model } = this.#connecting.known()
    if (this.#known?.model !== model) {
      this.#known = { model, gauge: this.#parts.gaugeFor(model) }
      this.#resumeGauge(this.#known.gauge)
    }
    return this.#known.gauge
  }

  /** What the server counted of a resumed conversation still holds. */
  #resumeGauge(gauge: Gauge): void {
    const last = this.messages.findLastIndex(
      message => message.role === 'assistant' && message.usage !== undefined,
    )
    const reply = this.messages[last]
    if (reply?.role !== 'assistant') return
    gauge.resume(chatRequest(this.#connecting.known(), this.messages.slice(0, last)), reply)
  }

  async *#makeRoom(signal: AbortSignal): AsyncGenerator<RunEvent> {
    if (this.#idle.fits() || signal.aborted) return
    const room = await this.#idle.makeRoom(signal).catch(error => {
      if (!signal.aborted) throw error
    })
    if (!room) return
    yield room.entry
    for (const notice of room.notices) yield { type: 'notice', ...notice }
  }

  /** The header, and what a resume has to mend, before anything else. */
  #begin(): void {
    if (this.#begun) return
    this.#begun = true
    const { id, cwd, mode, resumed } = this.#parts
    const header: Header = { type: 'header', version: 1, id, cwd }
    if (resumed) this.#recorder.show({ ...header, timestamp: new Date().toISOString() })
    else this.#recorder.record(header)
    for (const repair of resumed?.repairs ?? []) this.#recorder.recordRepair(repair)
    if (resumed && resumed.badLines.length > 0) {
      this.notice('journal', `Left out damaged lines of the journal: ${resumed.badLines.join(', ')}.`)
    }
    if (mode !== (resumed?.mode ?? 'ask')) this.#recorder.record({ type: 'mode_change', mode })
  }

  /** Words that wait start the next run, unless this one was ended by the person or by a failure: then → the words. */
  #goOnOrTakeBack({ reason }: RunEnd, steering: Steering): string[] {
    const late = steering.take().map(words => ({ ...words, resolve: () => {} }))
    const waiting: FollowUp[] = [...late, ...this.#followUps.splice(0)]
    if (this.#closed || reason === 'aborted' || reason === 'error') {
      for (const { id, resolve } of waiting) {
        this.#recorder.record({ type: 'queue_removed', id })
        resolve({ text: '', reason: 'aborted', turns: 0, usage: sumUsage([]), unsent: [] })
      }
      return waiting.map(({ content }) => content)
    }
    const [next, ...rest] = waiting
    this.#followUps = rest
    if (next) this.#start({ id: next.id, role: 'user', content: next.content }, {}).then(next.resolve)
    return []
  }
}

function sumUsage(messages: readonly Message[]): RunResult['usage'] {
  const sum = { prompt_tokens: 0, completion_tokens: 0 }
  for (const message of messages) {
    if (message.role !== 'assistant' || !message.usage) continue
    sum.prompt_tokens += message.usage.prompt_tokens
    sum.completion_tokens += message.usage.completion_tokens
  }
  return sum
}
