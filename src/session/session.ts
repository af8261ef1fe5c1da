/**
 * One conversation in one directory: what a face or a program holds. What happens goes through the recorder (journal
 * first, then listeners). How a model is reached is not its affair.
 */
import type { Setup } from '../agent/run.ts'
import type { Words } from '../agent/steering.ts'
import type { Think } from '../backends/backend.ts'
import type { RunError } from '../protocol/errors.ts'
import type { PermissionMode, SessionEvent } from '../protocol/events.ts'
import type { AssistantMessage, Message } from '../protocol/messages.ts'
import type { Price } from '../protocol/wire.ts'
import type { Background } from '../shell/background.ts'
import type { Agent } from './agent.ts'
import type { ProjectChecks } from './checks.ts'
import { Connecting, type Notice } from './connection.ts'
import { costBeside } from './cost.ts'
import { GoingBack } from './going-back.ts'
import type { Guest } from './hosted.ts'
import { Idle } from './idle.ts'
import { Loan } from './loan.ts'
import type { PromptOptions, SessionOptions } from './options.ts'
import { PersonShell } from './person-shell.ts'
import { Prepare } from './prepare.ts'
import type { Recorder, SubscribeOptions } from './recorder.ts'
import type { RunResult } from './result.ts'
import { Runs } from './runs.ts'
import { Thread, type TypedOptions } from './thread.ts'
import { type SideOptions, Threads } from './threads.ts'
import { Waiting } from './waiting.ts'
import { answerForm } from './words.ts'

export type { Approval, Approve, Verdict } from '../agent/run.ts'
export type { PromptOptions, SessionOptions } from './options.ts'
export type { RunResult } from './result.ts'
export type { TypedOptions } from './thread.ts'

export class Session {
  readonly id: string
  readonly main: Thread
  /** Rewinding. */
  readonly back: GoingBack
  /** The person's own commands. */
  readonly shell: PersonShell
  #options: SessionOptions
  #recorder: Recorder
  #connecting: Connecting
  #idle: Idle
  #waiting: Waiting
  #prepare: Prepare
  #threads: Threads
  #runs: Runs
  #name: string | undefined
  #closed = false
  #left: readonly string[] | undefined
  #ended: Promise<void> | undefined

  constructor(options: SessionOptions) {
    const { recorder, resumed, tools, policy } = options
    this.#options = options
    this.id = options.id
    this.#name = resumed?.name
    this.#recorder = recorder
    const connecting = new Connecting(options.connection, recorder.main, {
      sent: resumed?.sent,
      prompt: resumed?.prompt,
    })
    this.#connecting = connecting
    const loan = new Loan(connecting, options.role)
    this.#waiting = new Waiting(event => recorder.main.record(event))
    this.#prepare = new Prepare({
      tools,
      policy,
      newId: options.newId,
      expand: options.expand,
      lend: (wanted, signal) => loan.take(wanted, signal),
      take: message => this.shell.take(message),
      ...(options.resource && { resource: options.resource }),
      freeTokens: () => this.main.room.freeTokens(),
      sees: () => this.sees(),
      notice: notice => recorder.notice(notice),
    })
    this.shell = new PersonShell({
      ...options,
      record: event => recorder.main.record(event),
      notice: notice => this.notice(notice),
      before: resumed?.untold,
    })
    const shared = {
      ...options,
      conversation: options.id,
      lastUse: {},
      warm: () => this.#idle.prewarm.warm,
      fallBack: (error: RunError) => connecting.fallBack(error),
      talk: () => connecting.talk(),
    }
    this.main = new Thread({
      ...shared,
      record: recorder.main,
      setup: () => connecting.setup,
      steering: this.#waiting.steering,
      asSent: (message, typed, signal) => this.#prepare.asSent(message, typed, signal),
      stands: () => this.#prepare.mentions.tell(),
      around: {
        connect: signal => (this.setup && !signal.aborted ? undefined : connecting.connect(signal)),
        beforeRun: (text, signal) => this.#idle.beforeRun(text, signal),
        aside: options.aside,
        checks: () => options.checks.ofRun(),
        answered: () => this.#idle.prewarm.requestEnded(),
      },
    })
    this.#runs = new Runs({
      main: this.main,
      waiting: this.#waiting,
      loan,
      newId: options.newId,
      isClosed: () => this.#closed,
      price: () => this.priceOf(this.model ?? ''),
      costs: () => (tools.surroundings.tasks ? costBeside(this) : undefined),
      onRest: ({ reason }) => {
        // What could not be asked can not be summarised either.
        if (this.setup && !this.#closed && reason !== 'error') this.#idle.afterRun()
      },
    })
    this.#threads = new Threads({ ...shared, main: this.main, resumed: resumed?.threads })
    this.#idle = new Idle(this.main, {
      mode: options.prewarm,
      busy: () => this.isStreaming,
      hasRead: () => recorder.main.show({ type: 'read_ahead' }),
      foreseen: options.foreseen,
    })
    this.back = new GoingBack(this.main, { changes: options.changes, rest: () => this.#rest() })
  }

  /** What the server is sent beside the history; undefined until the session has been connected. */
  get setup(): Setup | undefined {
    return this.#connecting.setup
  }

  get model(): string | undefined {
    return this.setup?.model
  }

  /** What a model costs, where the configuration tells. */
  priceOf(model: string): Price | undefined {
    return this.#options.priceOf?.(model)
  }

  get mode(): PermissionMode {
    return this.#options.mode.current
  }

  /** Holds from the next decision on; what runs goes on as it was allowed. */
  setMode(mode: PermissionMode): void {
    this.#options.mode.set(mode)
  }

  /** Whether the model thinks before it answers; holds from the next request on. */
  setThink(think: 'off' | 'on' | Exclude<Think, boolean>): void {
    this.#connecting.setThink(think === 'on' ? true : think === 'off' ? false : think)
  }

  /** Cuts the thought in progress: the model answers without one. True if there was any. */
  enough(): boolean {
    return this.#waiting.steering.enough()
  }

  /** Turns in one run, where a prompt does not say. */
  get maxTurns(): number {
    return this.#options.policy.maxTurns
  }

  get background(): Background {
    return this.#options.tools.surroundings.background
  }

  /** What goes on beside the conversation and ends with it: commands in the background, agents. Closed: what did then. */
  get alongside(): readonly string[] {
    return this.#left ?? [...this.background.running.map(([, { command }]) => command), ...this.#runs.agents]
  }

  get checks(): ProjectChecks {
    return this.#options.checks
  }

  get agents(): readonly Agent[] {
    return this.#options.agents
  }

  /** Who it is; undefined: nobody in particular. */
  get agent(): Agent | undefined {
    return this.#options.role.current
  }

  /** Who it began as: of one with a list of tools the session has no others. */
  get beganAs(): Agent | undefined {
    return this.#options.role.begun
  }

  /** Holds from the next decision on; the model hears of it with the next words. */
  setAgent(agent: Agent | undefined): void {
    this.#options.role.set(agent)
  }

  /** Where the session's bash is. */
  get shellCwd(): string {
    return this.#options.tools.surroundings.shell.cwd
  }

  get isStreaming(): boolean {
    return this.#runs.current !== undefined
  }

  get messages(): readonly Message[] {
    return this.main.history
  }

  get sessionFile(): string | undefined {
    return this.#recorder.journal.file
  }

  /** Tokens in the context now: the server's count, and an estimate of what it has not seen. */
  get contextTokens(): number {
    return this.setup ? this.main.tokens(this.messages) : 0
  }

  /** An estimate, of a bare text. 0 until the session has been connected. */
  textTokens(text: string): number {
    return this.setup ? this.main.gauge.textTokens(text) : 0
  }

  /** What a person reads of a reply: without the dialect's own words and the calls in it. */
  readable({ content }: AssistantMessage): string {
    if (!this.setup) return content
    const parser = this.setup.dialect.parser(this.setup.wireTools)
    parser.push({ type: 'text', text: content })
    return parser.finish('stop').text
  }

  /** As the person calls it. */
  get name(): string | undefined {
    return this.#name
  }

  setName(name: string): void {
    this.#name = name
    this.#recorder.main.record({ type: 'name', name })
  }

  /** Words that a resumed journal holds and that were never sent: the caller gets them, once, for its editor. */
  takeUnsent(): string[] {
    this.#recorder.begin()
    const unsent = this.#options.resumed?.unsent.splice(0) ?? []
    for (const { id } of unsent) this.#recorder.main.record({ type: 'queue_removed', id })
    return unsent.map(({ content }) => content)
  }

  /**
   * Calls `listener` with everything that happens from now on in the main conversation, with `threads` also in those at
   * its side; a kept event is in the journal by then.
   */
  subscribe(listener: (event: SessionEvent) => void, options?: SubscribeOptions): () => void {
    return this.#recorder.subscribe(listener, options)
  }

  /** A conversation at the side of the main one: a new one, or one that the resumed journal holds. */
  thread(options?: SideOptions): Thread {
    if (this.#closed) throw new Error('the session is closed')
    return this.#threads.open(options)
  }

  /** The ids of the side conversations, those of a resumed journal among them. */
  get threads(): readonly string[] {
    return this.#threads.list()
  }

  /** Reaches the model's server now instead of with the first prompt. Rejects with `RunError`. */
  async connect(): Promise<void> {
    await this.#connecting.connect()
  }

  /** Connects, then has the server load the model and read what every request begins with. Rejects with `RunError`. */
  async open(): Promise<void> {
    await this.connect()
    void this.#idle.prewarm.open()
  }

  /**
   * What is being typed: the server reads it ahead in pauses, and the first key after a while warms it again. One that
   * was away is looked for again.
   */
  draft(text: string, { typed }: TypedOptions = {}): void {
    if (!this.setup) return void (this.#closed || this.connect().catch(() => {}))
    const isRead = this.#options.prewarm === 'type' && !this.isStreaming
    this.#prepare.mentions.draft(this.shell.before(text), isRead ? typed : undefined, content =>
      this.#idle.prewarm.draft(content),
    )
  }

  /** Summarises old history now; `hint` is what must be kept. → false: there was nothing to summarise, or the signal fired. */
  async compact(hint?: string, { signal }: { signal?: AbortSignal } = {}): Promise<boolean> {
    if (this.#closed) throw new Error('the session is closed')
    if (this.isStreaming) throw new Error('a run is going: compact() waits for its end')
    // A prompt that comes next must find it begun.
    if (!this.setup) await this.connect()
    return this.#idle.compactNow(hint, signal)
  }

  /**
   * Starts a run with the person's words. Resolves when it has ended, also when it failed; rejects only when the
   * session is closed or a run is going.
   */
  prompt(text: string, options: PromptOptions = {}): Promise<RunResult> {
    return this.#runs.prompt(text, options)
  }

  /** Asks for the answer of what was said so far in the form of a JSON Schema, which the server enforces. */
  answer(schema: object): Promise<RunResult> {
    return this.#connecting.during(schema, () => this.prompt(answerForm(schema)))
  }

  /** Words that step into the run now; without a run they start one. → the run that they end up in. */
  steer(text: string, options: TypedOptions = {}): Promise<RunResult> {
    return this.#runs.steer(text, options)
  }

  /** Words that wait until the run has ended, then start the next; without a run they start one. */
  followUp(text: string, options: TypedOptions = {}): Promise<RunResult> {
    return this.#runs.followUp(text, options)
  }

  /** Words that wait for the end of the run. */
  get followUps(): readonly Words[] {
    return this.#waiting.followUps
  }

  /** Words that wait come back to the person, by their id. undefined: they wait no longer. */
  takeBack(id: string): string | undefined {
    return this.#runs.takeBack(id)
  }

  /**
   * Has a side conversation do the work of a call: words step into it, and Esc ends it first. → ends that; what came too
   * late for it steps into the main one.
   */
  host(guest: Guest): () => void {
    return this.#runs.host(guest)
  }

  /**
   * Esc while tools run and words wait: the tools are cancelled and the words step in. While an agent works, that one ends.
   * True if one of it was so.
   */
  stepInNow(): boolean {
    return this.#runs.stepInNow()
  }

  /** Gives the command that runs as much time again. False: none runs. */
  moreTime(): boolean {
    return this.#options.tools.surroundings.shell.moreTime()
  }

  /** Sends the command that runs to the background; its end is told. False: none runs. */
  toBackground(): boolean {
    return this.#options.tools.surroundings.shell.toBackground()
  }

  /** Ends the run. What was said is kept; words that wait are taken back (`unsent` of the run's result). */
  abort(): void {
    this.#runs.abort()
  }

  /** Every kept event is on disk when it resolves (also when none was kept there so far). → the journal's path. */
  save(): Promise<string> {
    this.#recorder.begin()
    return this.#recorder.journal.save()
  }

  /** Aborts what runs, closes the journal, ends the shell. Nothing is left running when it resolves. Idempotent. */
  close(): Promise<void> {
    this.#ended ??= this.#close()
    return this.#ended
  }

  async #close(): Promise<void> {
    this.#left = this.alongside
    this.#closed = true
    this.abort()
    this.#idle.close()
    await this.#runs.current
    await this.#threads.close()
    await this.#options.onEnd?.()
    this.main.close()
    this.#recorder.close()
    await this.#options.onClose?.()
  }

  /** Says something to the person and keeps it. */
  notice(notice: Notice): void {
    if (!this.#closed) this.#recorder.notice(notice)
  }

  /** The model takes images. */
  async sees(): Promise<boolean> {
    const { model } = this
    const facts =
      model === undefined ? undefined : await this.#options.backend.facts(model).catch(() => undefined)
    return facts?.capabilities.includes('vision') ?? false
  }

  async #rest(): Promise<void> {
    if (this.#closed) throw new Error('the session is closed')
    if (this.isStreaming) throw new Error('a run is going: this waits for its end')
    await this.#idle.rest()
  }
}
