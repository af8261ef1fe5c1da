/** What a command of the person's own wants for its run: another model, another agent. Then all is as it was. */
import type { Connecting } from './connection.ts'
import type { Expanded } from './options.ts'
import type { Role } from './role.ts'

export class Loan {
  #connecting: Connecting
  #role: Role

  constructor(connecting: Connecting, role: Role) {
    this.#connecting = connecting
    this.#role = role
  }

  /** → what the model is told of it. Rejects with `RunError`; then nothing has changed. */
  async take({ model, agent }: Expanded, signal: AbortSignal): Promise<string> {
    if (model === undefined && agent === undefined) return ''
    await this.#connecting.lend({ ...agent, ...(model !== undefined && { model }) }, signal)
    if (!agent || signal.aborted) return ''
    // Nobody in particular.
    this.#role.lend(agent.prompt === '' && !agent.tools ? undefined : agent)
    return this.#role.note()
  }

  /** The run is over. */
  end(): void {
    this.#connecting.giveBack()
    this.#role.giveBack()
  }
}
