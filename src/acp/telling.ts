/** Updates on their way to the editor. */
import type { AgentContext, SessionUpdate } from '@agentclientprotocol/sdk'

export class Telling {
  #editor: AgentContext
  #sessionId: () => string
  /** Updates that wait until the editor knows the session. */
  #early: SessionUpdate[] | undefined = []

  /** `sessionId`: as the editor calls the session. */
  constructor(editor: AgentContext, sessionId: () => string) {
    this.#editor = editor
    this.#sessionId = sessionId
  }

  /** In this turn of the event loop, unless the editor does not know the session yet. */
  send = (update: SessionUpdate): void => {
    if (this.#early) this.#early.push(update)
    else this.now(update)
  }

  /** The editor knows the session by its own request. */
  now(update: SessionUpdate): void {
    const said = this.#editor.notify('session/update', { sessionId: this.#sessionId(), update })
    said.catch(() => {}) // Nobody is there any more.
  }

  /** The editor knows the session. */
  begin(): void {
    const early = this.#early ?? []
    this.#early = undefined
    for (const update of early) this.now(update)
  }

  /** Nothing is told any more. */
  stop(): void {
    this.#early = []
  }
}
