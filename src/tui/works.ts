/** What commands of gopi's own wait for: said above the prompt with its time until it is over, and to be stopped. */
import type { SessionEvent } from '../protocol/events.ts'
import type { State } from './state.ts'
import type { Work } from './status.ts'

/** Of the conversation that a command waits for, until the function that comes back is called. */
type Phases = (heard: (event: SessionEvent) => void) => () => void

interface Shower {
  change(change: (state: State) => State, options?: { now?: boolean }): void
}

export class Works {
  #app: Shower
  #stops: AbortController[] = []

  constructor(app: Shower) {
    this.#app = app
  }

  /**
   * Says `what` goes on until `run` is over, and what the server does meanwhile; the signal fires when the person stops
   * it. → what came of `run`.
   */
  async during<T>(what: string, run: (signal: AbortSignal) => Promise<T>, phases?: Phases): Promise<T> {
    let work: Work = { what, since: performance.now() }
    const controller = new AbortController()
    this.#stops.push(controller)
    this.#app.change(({ hint: _, ...state }) => ({ ...state, works: [...state.works, work] }), { now: true })
    const unsubscribe = phases?.(event => {
      if (event.type !== 'phase') return
      const { phase, tokens } = event
      const { what, since } = work
      const [before, next] = [work, { what, since, phase, ...(tokens !== undefined && { tokens }) }]
      work = next
      this.#app.change(state => ({
        ...state,
        works: state.works.map(other => (other === before ? next : other)),
      }))
    })
    try {
      return await run(controller.signal)
    } finally {
      unsubscribe?.()
      this.#stops = this.#stops.filter(stop => stop !== controller)
      this.#app.change(state => ({ ...state, works: state.works.filter(other => other !== work) }), {
        now: true,
      })
    }
  }

  /** Stops what began last. False: nothing goes on. */
  stop(): boolean {
    const last = this.#stops.at(-1)
    last?.abort('user')
    return last !== undefined
  }
}
