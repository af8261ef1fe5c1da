/**
 * One conversation of a session: the main one, or one at its side with a history, tools and a setup of its own. A run
 * goes from somebody's words to its end, whatever comes in between.
 */

import { abortable } from '../agent/abortable.ts'
import { asRunError, run } from '../agent/loop.ts'
import { chatRequest } from '../agent/request.ts'
import type { Capabilities, RunEnd, RunEvent, RunModel, RunPolicy, RunTools, Setup } from '../agent/run.ts'
import { Steering, type Words } from '../agent/steering.ts'
import type { Backend } from '../backends/backend.ts'
import type { Gauge } from '../context/gauge.ts'
import { withNote } from '../context/volatile.ts'
import type { RunReason } from '../protocol/events.ts'
import type { AssistantMessage, Message, UserMessage } from '../protocol/messages.ts'
import type { Notice } from './connection.ts'
import type { CompactionLimits, Conversation } from './conversation.ts'
import { Gauges } from './gauge.ts'
import { missingResults } from './missing.ts'
import { Progress } from './progress.ts'
import type { ThreadRecord } from './recorder.ts'
import { Room } from './room.ts'
import { asMessage } from './waiting.ts'

export interface TypedOptions {
  /**
   * What of the text the person typed: the files that it names with `@` are put before the text, also those about which
   * a tool's call would ask. Default: nothing.
   */
  typed?: string | undefined
  /** Base64. */
  images?: string[] | undefined
}

export interface RunOptions extends TypedOptions {
  signal: AbortSignal
  maxTurns?: number
}

export interface OneRun {
  end: RunEnd
  /** What the model has said in it: a compaction may take it out of the history. */
  replies: AssistantMessage[]
}

/** What the conversations of a session have in common. */
export interface Shared {
  backend: Backend
  /** Names the session to the server. */
  conversation?: string | undefined
  state: Conversation['state']
  limits: CompactionLimits
  tools: RunTools
  policy: RunPolicy
  gaugeFor(model: string): Gauge
  newId(): string
}

export interface ThreadOptions extends Shared {
  record: ThreadRecord
  /** undefined before the session was connected. */
  setup(): Setup | undefined
  fallBack: RunModel['fallBack']
  talk: RunModel['talk']
  /** The server has answered a request of ours since the model was loaded. */
  warm(): boolean
  /** Which conversation of the session used which model last. */
  lastUse: { by?: object; model?: string }
  steering?: Steering
  /** It goes on from the main conversation, and is in one cache with it. */
  isBranch?: boolean | undefined
  /** The message as it is sent: with the files that the person named in what they `typed`. Default: as it is. */
  asSent?(message: UserMessage, typed: string | undefined, signal: AbortSignal): Promise<UserMessage>
  /** Such a message stands in the conversation. */
  stands?(): void
  /** Around the runs of the main conversation. */
  around?: Partial<Around>
}

export interface Around {
  /** The setup is known when it resolves; undefined: it is known. Rejects with `RunError`, or the signal's reason. */
  connect(signal: AbortSignal): Promise<unknown> | undefined
  /** The message is ready to be sent: what is done in pauses gives way. */
  beforeRun(text: string, signal: AbortSignal): Promise<void>
  /** What the prompt brings with it: a note for the model, and what the person should hear. */
  aside(history: readonly Message[]): { note: string; notices: Notice[] }
  /** Of a run that begins. */
  checks(): RunPolicy['checks']
  /** A request was answered. */
  answered(): void
}

/** Milliseconds into a run at which the shell is started: the request has left by then. */
const shellDelay = 50
/** Events after which nothing is expected of a request any more. */
const endsWaiting: ReadonlySet<string> = new Set<RunEvent['type']>(['message_start', 'message', 'turn_end'])

/** A call may be composed before anything of it can be shown. */
const isWriting = (event: RunEvent): boolean => event.type === 'phase' && event.phase === 'writing'

export class Thread implements Conversation {
  readonly record: ThreadRecord
  readonly chat: Backend['chat']
  readonly state: Conversation['state']
  readonly limits: CompactionLimits
  readonly newId: () => string
  readonly room: Room
  readonly steering: Steering
  #options: ThreadOptions
  #progress: Progress
  #gauges: Gauges
  /** The tokens of the history as it was last asked for: within a turn that is often. */
  #counted: { messages: number; last: Message | undefined; setup: Setup; tokens: number } | undefined

  constructor(options: ThreadOptions) {
    const {
      record,
      backend,
      conversation,
      state,
      limits,
      newId,
      steering = new Steering(),
      gaugeFor,
      warm,
    } = options
    this.#options = options
    this.record = record
    const own = options.isBranch ? undefined : record.id
    const name = [conversation, own].filter(part => part !== undefined).join('-')
    this.chat =
      conversation === undefined
        ? backend.chat
        : (request, asked) => backend.chat({ ...request, conversation: name }, asked)
    this.state = state
    this.limits = limits
    this.newId = newId
    this.steering = steering
    this.#gauges = new Gauges(gaugeFor)
    this.room = new Room(this)
    this.#progress = new Progress(this, event => record.show(event), warm)
  }

  /** undefined: the main conversation. */
  get id(): string | undefined {
    return this.record.id
  }

  get history(): readonly Message[] {
    return this.record.history
  }

  get setup(): Setup | undefined {
    return this.#options.setup()
  }

  known(): Setup {
    const { setup } = this
    if (!setup) throw new Error('a request was made before the model was known')
    return setup
  }

  /** The gauge of the model that is talked to. */
  get gauge(): Gauge {
    return this.#gauges.of(this.known(), this.history)
  }

  tokens(history = this.history): number {
    const setup = this.known()
    const count = () => this.gauge.tokens(chatRequest(setup, history))
    if (history !== this.history) return count()
    const [messages, last] = [history.length, history.at(-1)]
    const before = this.#counted
    if (before?.messages === messages && before.last === last && before.setup === setup) return before.tokens
    const tokens = count()
    this.#counted = { messages, last, setup, tokens }
    return tokens
  }

  /** Never rejects: what goes wrong is the run's error. The history is valid afterwards. */
  async run(words: UserMessage, options: RunOptions): Promise<OneRun> {
    const { record, newId } = this
    const replies: AssistantMessage[] = []
    const end = await this.#runToEnd(words, options, replies).catch(error => this.#endWithout(error))
    for (const result of missingResults(record.history, newId)) record.record({ type: 'message', ...result })
    return { end, replies }
  }

  /** No request follows. */
  close(): void {
    this.room.runEnded()
  }

  async #runToEnd(
    words: UserMessage,
    { typed, signal, maxTurns }: RunOptions,
    replies: AssistantMessage[],
  ): Promise<RunEnd> {
    const { record } = this
    const { tools, asSent, stands, around = {} } = this.#options
    record.show({ type: 'phase', phase: 'waiting' })
    const connecting = around.connect?.(signal)
    const failure = connecting && (await failureOf(connecting))
    const message = failure === undefined && asSent ? await asSent(words, typed, signal) : words
    if (failure === undefined) await around.beforeRun?.(message.content, signal)
    record.record({ type: 'agent_start' })
    record.record({ type: 'message', ...this.#withAside(message) })
    stands?.()
    if (failure !== undefined) return this.#endWithout(failure)

    // The shell is likely to be needed, and the server takes longer than it does to start.
    const warming = setTimeout(() => tools.surroundings.shell.warm(), shellDelay)
    const events = run(this.#capabilities(maxTurns ?? this.#options.policy.maxTurns), { signal })
    for (;;) {
      const { done, value } = await events.next()
      if (done) {
        clearTimeout(warming)
        this.room.runEnded()
        return value
      }
      if (endsWaiting.has(value.type) || isWriting(value)) this.#progress.arrived()
      if (value.type === 'message' && value.role === 'assistant') replies.push(value)
      const held = record.take(value)
      if (value.type === 'message' && value.role === 'user') stands?.()
      // Whoever ends the run waits for nobody's reader.
      if (held) await abortable(held, signal).catch(() => {})
    }
  }

  #capabilities(maxTurns: number): Capabilities {
    const { fallBack, tools, policy, around, asSent } = this.#options
    let besides = false
    return {
      model: {
        chat: this.chat,
        setup: () => this.known(),
        fallBack,
        talk: this.#options.talk,
        expectation: request => {
          besides = this.#uses(request.model)
          return this.#progress.expectation(request)
        },
        measure: (request, answer) => {
          this.#counted = undefined
          const usage = this.gauge.answered(request, { ...answer, besides })
          if (usage) around?.answered?.()
          return usage
        },
      },
      tools,
      policy: { ...policy, maxTurns, checks: around?.checks?.(), thread: this.id },
      context: {
        history: this.history,
        steering: this.steering,
        asSent: async (words, signal) =>
          asSent
            ? asSent(asMessage(words), words.typed, signal).catch(error => this.#withheld(words, error))
            : asMessage(words),
        makeRoom: (signal, wish) => this.#makeRoom(signal, wish),
        toolsBegan: signal => this.room.toolsBegan(signal),
        freeTokens: () => this.room.freeTokens(),
        newId: this.newId,
      },
    }
  }

  /** → another conversation of the session used the model last. */
  #uses(model: string): boolean {
    const { lastUse } = this.#options
    const isOther = lastUse.by !== undefined && lastUse.by !== this && lastUse.model === model
    Object.assign(lastUse, { by: this, model })
    return isOther
  }

  async *#makeRoom(signal: AbortSignal, wish: { refused: boolean }): AsyncGenerator<RunEvent, boolean> {
    if (signal.aborted || !this.room.isWanted(wish)) return false
    yield { type: 'phase', phase: 'waiting', what: 'summary' }
    await this.mayCompact('auto', undefined, signal)
    const made = await this.room.makeRoom(signal, wish).catch(error => {
      if (!signal.aborted) throw error
    })
    if (!made) return false
    yield made.entry
    for (const notice of made.notices) yield { type: 'notice', ...notice }
    return true
  }

  /** Words that a step does not let step in: that they were said is all that the model is told. */
  #withheld({ id, content }: Words, error: unknown): UserMessage {
    const { told } = asRunError(error)
    this.record.record({ type: 'notice', ...told })
    return { id, role: 'user', content: '[The user said something that was not sent.]', shown: content }
  }

  /** Whether old history may be summarised now: nothing that a step says keeps a request from being made. */
  async mayCompact(
    trigger: 'auto' | 'manual',
    hint: string | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (const { compacting } of this.#options.policy.steps ?? []) {
      if ((await compacting?.({ trigger, hint }, signal)) !== undefined) return false
    }
    return true
  }

  /** The prompt as it is sent: what changed meanwhile rides at its end, where nothing was read yet. */
  #withAside(words: UserMessage): UserMessage {
    const { record } = this
    const { around } = this.#options
    const { note, notices } = around?.aside?.(record.history) ?? { note: '', notices: [] }
    for (const notice of notices) record.record({ type: 'notice', ...notice })
    if (note === '') return words
    return { ...words, content: withNote(words.content, note), shown: words.shown ?? words.content }
  }

  /** The run ends before its first request: nobody answered, or the person did not wait. */
  #endWithout(failure: unknown): RunEnd {
    const { record } = this
    const aborted = !(failure instanceof Error)
    const reason: RunReason = aborted ? 'aborted' : 'error'
    const error = asRunError(failure)
    if (!aborted) record.record({ type: 'error', ...error.told })
    record.record({ type: 'agent_end', reason, turns: 0 })
    record.show({ type: 'phase', phase: 'idle' })
    return { reason, turns: 0, text: '', ...(!aborted && { error }) }
  }
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    error => error,
  )
