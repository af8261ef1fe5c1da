/** What connects a session to its model: found once, before the first request, and changed when a server refuses. */
import { abortable } from '../agent/abortable.ts'
import type { Setup } from '../agent/run.ts'
import type { Think } from '../backends/backend.ts'
import { forced } from '../dialect/forced.ts'
import { talk } from '../dialect/talk.ts'
import { RunError } from '../protocol/errors.ts'
import type { KeptEvent } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'
import type { Agent } from './agent.ts'
import type { ThreadRecord } from './recorder.ts'
import type { Replayed } from './replay.ts'

/** What the person is told. */
export type Notice = Omit<Told, 'facts'> & Partial<Pick<Told, 'facts'>>

/** Made by whoever knows the rooms; asks the server. */
export interface Connection {
  /** `other`: to another model that is there; `resumed` is what goes on with it. Rejects with `RunError`. */
  connect(other?: OtherModel): Promise<{ setup: Setup; notices: Notice[] }>
  /** Another setup that the server should not refuse, or undefined when the person forced this one. */
  fallBack(setup: Setup, error: RunError): { setup: Setup; notice: Notice } | undefined
}

export interface OtherModel {
  model: string
  resumed: Pick<Replayed, 'sent' | 'prompt'> & { history: readonly Message[] }
}

export class Connecting {
  #connection: Connection
  #record: ThreadRecord
  #sent: Pick<Replayed, 'sent' | 'prompt'>
  #setup: Setup | undefined
  #pending: Promise<Setup> | undefined
  #talks = false
  /** As the person said while the session was open. */
  #think: Think | undefined
  /** The session's own, while a run is asked otherwise. */
  #own: { setup: Setup; talks: boolean } | undefined

  /** `sent`: what a resumed journal says the server was last sent. */
  constructor(connection: Connection, record: ThreadRecord, sent: Pick<Replayed, 'sent' | 'prompt'>) {
    this.#connection = connection
    this.#record = record
    this.#sent = sent
  }

  get setup(): Setup | undefined {
    return this.#setup
  }

  /** The setup of a session that has been connected. */
  known(): Setup {
    if (!this.#setup) throw new Error('a request was made before the model was known')
    return this.#setup
  }

  /**
   * Connects, once. After a failure the next call tries again: the person may have started the server meanwhile.
   * Rejects with `RunError`, or the signal's reason.
   */
  connect(signal?: AbortSignal): Promise<Setup> {
    this.#pending ??= this.#connect().catch(error => {
      this.#pending = undefined
      throw error
    })
    return signal ? abortable(this.#pending, signal) : this.#pending
  }

  /** Holds from the next request on. */
  setThink(think: Think): void {
    this.#think = think
    if (this.#own) this.#own.setup = { ...this.#own.setup, think }
    if (this.#setup) this.#setup = { ...this.#setup, think }
  }

  /**
   * Requests are as somebody wants them for a run, until `giveBack`. A model that is not there is said, and the session's
   * own answers. Rejects with `RunError`; then nothing has changed. When the signal fires, neither.
   */
  async lend({ model, options, think }: Pick<Agent, 'model' | 'options' | 'think'>, signal: AbortSignal) {
    const before = this.known()
    const other = model === undefined || model === before.model ? undefined : await this.#other(model, signal)
    if (signal.aborted) return
    const setup = other ?? before
    this.#own ??= { setup: before, talks: this.#talks }
    if (other) this.#talks = false
    this.#setup = {
      ...setup,
      ...(options && { options: { ...setup.options, ...options } }),
      ...(think !== undefined && { think }),
    }
    if (other) this.#record.record({ ...changeTo(other), for_run: true })
  }

  /** The run is over. */
  giveBack(): void {
    if (!this.#own) return
    const { setup, talks } = this.#own
    const isOther = this.#isOther
    const { dialect, system, wireTools } = this.known()
    this.#own = undefined
    // What was learned of the session's own model meanwhile stays.
    this.#setup = isOther ? setup : { ...setup, dialect, system, wireTools }
    if (!isOther) return
    this.#talks = talks
    this.#record.record(changeTo(setup))
  }

  /** It is not the session's own model that is asked. */
  get #isOther(): boolean {
    return this.#own !== undefined && this.#own.setup.model !== this.#setup?.model
  }

  /** undefined: it is not there, or nobody waits for it any more. */
  async #other(model: string, signal: AbortSignal): Promise<Setup | undefined> {
    const resumed = { ...this.#sent, history: this.#record.history }
    try {
      const { setup, notices } = await abortable(this.#connection.connect({ model, resumed }), signal)
      for (const notice of notices) this.#record.record({ type: 'notice', ...notice })
      return this.#think === undefined ? setup : { ...setup, think: this.#think }
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof RunError && error.code === 'no_model')) throw error
      const substitute = told('model.substitute', { wanted: model, used: this.known().model })
      this.#record.record({ type: 'notice', ...substitute })
      return undefined
    }
  }

  /** Requests demand this form of the answer while `work` is under way. */
  async during<T>(schema: object, work: () => Promise<T>): Promise<T> {
    const setup = await this.connect()
    this.#setup = { ...setup, dialect: forced(setup.dialect, schema) }
    try {
      return await work()
    } finally {
      this.#setup = { ...this.#setup, dialect: setup.dialect }
    }
  }

  /** From the next request on the model only talks. → false: it does already. */
  talk(): boolean {
    if (this.#talks) return false
    this.#talks = true
    const setup = this.known()
    this.#setup = { ...setup, dialect: talk(setup.dialect) }
    return true
  }

  fallBack(error: RunError): KeptEvent[] | undefined {
    const next = this.#connection.fallBack(this.known(), error)
    if (!next) return undefined
    this.#setup = next.setup
    const changes = this.#isOther
      ? [{ ...changeTo(next.setup), for_run: true as const }]
      : this.#changes(next.setup)
    return [{ type: 'notice', ...next.notice }, ...changes]
  }

  async #connect(): Promise<Setup> {
    const { setup, notices } = await this.#connection.connect()
    for (const change of this.#changes(setup)) this.#record.record(change)
    for (const notice of notices) this.#record.record({ type: 'notice', ...notice })
    this.#setup = this.#think === undefined ? setup : { ...setup, think: this.#think }
    return this.#setup
  }

  /** What the server is sent besides the history is kept whenever it changes, so that a resume sends the same bytes. */
  #changes(setup: Setup): KeptEvent[] {
    const { model, dialect, context: num_ctx, system, wireTools: tools } = setup
    const { sent, prompt } = this.#sent
    const changes: KeptEvent[] = []
    if (sent?.model !== model || sent.dialect !== dialect.name || sent.num_ctx !== num_ctx) {
      changes.push(changeTo(setup))
    }
    if (prompt?.system !== system || JSON.stringify(prompt.tools) !== JSON.stringify(tools)) {
      changes.push({ type: 'prompt', system, tools })
    }
    this.#sent = { sent: { model, dialect: dialect.name, num_ctx }, prompt: { system, tools } }
    return changes
  }
}

const changeTo = ({ model, dialect, context: num_ctx }: Setup) =>
  ({ type: 'model_change', model, tool_calling: dialect.name, num_ctx }) as const
