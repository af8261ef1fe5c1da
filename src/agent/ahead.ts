/**
 * Calls that only read start the moment their arguments are complete, while the model is still writing. Their events
 * wait until the reply stands in the journal; a reply that is cut drops them, which costs nothing.
 *
 * A call that may write ends it for the rest of the reply: what comes after must see what it did.
 */
import type { Decision } from '../permission/permission.ts'
import type { ToolCall } from '../protocol/messages.ts'
import { follow } from './abortable.ts'
import { contextFor, execute } from './attempt.ts'
import { limiter } from './limiter.ts'
import type { Outcome } from './outcome.ts'
import { permitOf } from './permit.ts'
import { authorize, type Prepared, prepare, withNote } from './prepare.ts'
import type { Capabilities } from './run.ts'
import { onlyReads } from './touches.ts'

/** Calls that run at once, whether their reply has ended or not. */
const maxAtOnce = 8

export interface Begun {
  /** When it began (`performance.now()`). */
  started: number
  prepared: Prepared
  /** `ended`: when it had its result, long before the reply's end perhaps. Missing where it needs the person's yes first, or turned out not to be for now. */
  ran?: { judged: Decision; outcome: Promise<Outcome>; ended: Promise<number> }
}

export class Ahead {
  /** For all calls of the reply. */
  readonly slots = limiter(maxAtOnce)
  #parts: Capabilities
  #budget: () => number
  #stop = new AbortController()
  #running = new Map<string, Promise<Begun | undefined>>()
  #reading = true

  /** `budget`: bytes that one output may take; asked for when a call begins. */
  constructor(parts: Capabilities, budget: () => number) {
    this.#parts = parts
    this.#budget = budget
  }

  /** Takes the calls of a reply in their order, each once. */
  consider(call: ToolCall): void {
    if (!this.#reading) return
    const { list, surroundings } = this.#parts.tools
    const tool = list.find(({ name }) => name === call.name)
    const checked = tool?.check(call.arguments, surroundings.cwd)
    // A call that cannot be run changes nothing.
    if (!tool || !checked?.ok) return
    this.#reading = onlyReads(tool.access(checked.args, surroundings.cwd))
    if (!this.#reading) return
    const run = this.#start(call)
    run.catch(() => {}) // Whoever takes it hears of it.
    this.#running.set(call.id, run)
  }

  /** What was started for this call; undefined: nothing. */
  async take(id: string): Promise<Begun | undefined> {
    return this.#running.get(id)
  }

  /** Ends what still runs. */
  stop(reason: unknown): void {
    this.#stop.abort(reason)
  }

  async #start(call: ToolCall): Promise<Begun | undefined> {
    await this.slots.enter()
    const following = follow(this.#stop.signal)
    const leave = () => {
      following.release()
      this.slots.leave()
    }
    try {
      const begun = await this.#begin(call, following.controller.signal)
      if (begun?.ran) begun.ran.outcome.catch(() => {}).finally(leave)
      else leave()
      return begun
    } catch (error) {
      leave()
      throw error
    }
  }

  async #begin(call: ToolCall, signal: AbortSignal): Promise<Begun | undefined> {
    if (signal.aborted) return undefined
    const parts = this.#parts
    const started = performance.now()
    const prepared = await prepare(call, { parts, signal })
    if ('outcome' in prepared) return undefined
    const judged = onlyReads(prepared.accesses) ? await authorize(prepared, parts) : undefined
    if (judged?.decision !== 'allow' || signal.aborted) return { started, prepared }
    const context = contextFor(prepared.call, {
      ...parts.tools,
      signal,
      budget: this.#budget(),
      tell: async () => {},
    })
    const outcome = execute(prepared.call, prepared.tool, {
      context,
      permit: permitOf(judged),
      hooks: parts.policy.hooks,
    }).then(done => ({ ...withNote(done, prepared), accesses: prepared.accesses }))
    const now = () => performance.now()
    return { started, prepared, ran: { judged, outcome, ended: outcome.then(now, now) } }
  }
}
