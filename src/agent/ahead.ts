/**
 * Calls that only read start the moment their arguments are complete, while the model is still writing. Their events
 * wait until the reply stands in the journal; a reply that is cut drops them, which costs nothing.
 *
 * A call that may write ends it for the rest of the reply: what comes after must see what it did.
 */
import type { Decision } from '../permission/permission.ts'
import type { ToolCall } from '../protocol/messages.ts'
import type { Tool } from '../tools/tool.ts'
import { contextFor, execute, permitOf } from './attempt.ts'
import type { Outcome } from './outcome.ts'
import type { RunParts } from './run.ts'

export interface RanAhead {
  /** When it began (`performance.now()`). */
  started: number
  judged: Decision
  outcome: Promise<Outcome>
}

export class Ahead {
  #parts: RunParts
  #budget: () => number
  #stop = new AbortController()
  #running = new Map<string, Promise<RanAhead | undefined>>()
  #reading = true

  /** `budget`: bytes that one output may take; asked for when a call begins. */
  constructor(parts: RunParts, budget: () => number) {
    this.#parts = parts
    this.#budget = budget
  }

  /** Takes the calls of a reply in their order, each once. */
  consider(call: ToolCall): void {
    const tool = this.#parts.tools.find(({ name }) => name === call.name)
    this.#reading &&= tool?.kind === 'read'
    const checked = this.#reading ? tool?.check(call.arguments) : undefined
    if (!tool || !checked?.ok) return
    const run = this.#start({ ...call, arguments: checked.args }, tool)
    run.catch(() => {}) // Whoever takes it hears of it.
    this.#running.set(call.id, run)
  }

  /** What was started for this call: undefined when nothing was, or when it needs the person's yes first. */
  async take(id: string): Promise<RanAhead | undefined> {
    return this.#running.get(id)
  }

  /** Ends what still runs. */
  stop(reason: unknown): void {
    this.#stop.abort(reason)
  }

  async #start(call: ToolCall, tool: Tool): Promise<RanAhead | undefined> {
    const started = performance.now()
    const judged = await this.#parts.decide(call, tool)
    if (judged.decision !== 'allow' || this.#stop.signal.aborted) return undefined
    const signal = this.#stop.signal
    const context = contextFor(call, {
      parts: this.#parts,
      signal,
      budget: this.#budget(),
      tell: async () => {},
    })
    const outcome = execute(call, tool, { context, permit: permitOf(judged) })
    outcome.catch(() => {})
    return { started, judged, outcome }
  }
}
