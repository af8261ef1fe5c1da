/** What connects a session to its model: found once, before the first request, and changed when a server refuses. */
import { abortable } from '../agent/abortable.ts'
import type { Setup } from '../agent/run.ts'
import type { Think } from '../backends/backend.ts'
import { forced } from '../dialect/forced.ts'
import { talk } from '../dialect/talk.ts'
import type { RunError } from '../protocol/errors.ts'
import type { KeptEvent } from '../protocol/events.ts'
import type { Told } from '../protocol/sayings.ts'
import type { ThreadRecord } from './recorder.ts'
import type { Replayed } from './replay.ts'

/** What the person is told. */
export type Notice = Omit<Told, 'facts'> & Partial<Pick<Told, 'facts'>>

/** Made by whoever knows the rooms; asks the server. */
export interface Connection {
  /** Rejects with `RunError`. */
  connect(): Promise<{ setup: Setup; notices: Notice[] }>
  /** Another setup that the server should not refuse, or undefined when the person forced this one. */
  fallBack(setup: Setup, error: RunError): { setup: Setup; notice: Notice } | undefined
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
    if (this.#setup) this.#setup = { ...this.#setup, think }
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
    return [{ type: 'notice', ...next.notice }, ...this.#changes(next.setup)]
  }

  async #connect(): Promise<Setup> {
    const { setup, notices } = await this.#connection.connect()
    for (const change of this.#changes(setup)) this.#record.record(change)
    for (const notice of notices) this.#record.record({ type: 'notice', ...notice })
    this.#setup = this.#think === undefined ? setup : { ...setup, think: this.#think }
    return this.#setup
  }

  /** What the server is sent besides the history is kept whenever it changes, so that a resume sends the same bytes. */
  #changes({ model, dialect, context: num_ctx, system, wireTools: tools }: Setup): KeptEvent[] {
    const { sent, prompt } = this.#sent
    const changes: KeptEvent[] = []
    if (sent?.model !== model || sent.dialect !== dialect.name || sent.num_ctx !== num_ctx) {
      changes.push({ type: 'model_change', model, tool_calling: dialect.name, num_ctx })
    }
    if (prompt?.system !== system || JSON.stringify(prompt.tools) !== JSON.stringify(tools)) {
      changes.push({ type: 'prompt', system, tools })
    }
    this.#sent = { sent: { model, dialect: dialect.name, num_ctx }, prompt: { system, tools } }
    return changes
  }
}
