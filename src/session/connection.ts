/** What connects a session to its model: found once, before the first request, and changed when a server refuses. */
import { abortable } from '../agent/abortable.ts'
import type { Setup } from '../agent/run.ts'
import type { RunError } from '../protocol/errors.ts'
import type { KeptEvent } from '../protocol/events.ts'
import type { Recorder } from './recorder.ts'
import type { Replayed } from './replay.ts'

export interface Notice {
  code: string
  message: string
}

/** Made by whoever knows the rooms; asks the server. */
export interface Connection {
  /** Rejects with `RunError`. */
  connect(): Promise<{ setup: Setup; notices: Notice[] }>
  /** Another setup that the server should not refuse, or undefined when the person forced this one. */
  fallBack(setup: Setup, error: RunError): { setup: Setup; notice: Notice } | undefined
}

export class Connecting {
  #connection: Connection
  #recorder: Recorder
  #sent: Pick<Replayed, 'sent' | 'prompt'>
  #setup: Setup | undefined
  #pending: Promise<Setup> | undefined

  /** `sent`: what a resumed journal says the server was last sent. */
  constructor(connection: Connection, recorder: Recorder, sent: Pick<Replayed, 'sent' | 'prompt'>) {
    this.#connection = connection
    this.#recorder = recorder
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
   * Connects, once; `begin` runs before anything is recorded. After a failure the next call tries again: the person
   * may have started the server meanwhile. Rejects with `RunError`, or the signal's reason.
   */
  connect(begin: () => void, signal?: AbortSignal): Promise<Setup> {
    this.#pending ??= this.#connect(begin).catch(error => {
      this.#pending = undefined
      throw error
    })
    return signal ? abortable(this.#pending, signal) : this.#pending
  }

  fallBack(error: RunError): KeptEvent[] | undefined {
    const next = this.#connection.fallBack(this.known(), error)
    if (!next) return undefined
    this.#setup = next.setup
    return [{ type: 'notice', ...next.notice }, ...this.#changes(next.setup)]
  }

  async #connect(begin: () => void): Promise<Setup> {
    const { setup, notices } = await this.#connection.connect()
    begin()
    for (const change of this.#changes(setup)) this.#recorder.record(change)
    for (const notice of notices) this.#recorder.record({ type: 'notice', ...notice })
    this.#setup = setup
    return setup
  }

  /** What the server is sent beside the history is kept whenever it changes, so that a resume sends the same bytes. */
  #changes({ model, dialect, num_ctx, system, wireTools: tools }: Setup): KeptEvent[] {
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
