import type { ParsedCall } from '../dialect/dialect.ts'
import type { ToolCall } from '../protocol/messages.ts'
import { turnBudget } from './act.ts'
import { Ahead } from './ahead.ts'
import type { Capabilities, Manner } from './run.ts'

/** Gives every call its id as soon as it is complete, and starts those that only read. */
export class CallTaker {
  /** By the call's id. */
  readonly manners = new Map<string, Manner>()
  readonly ahead: Ahead
  #parts: Capabilities
  #taken: ToolCall[] = []
  /** The ids of this reply's calls. */
  #given = new Set<string>()

  constructor(parts: Capabilities) {
    this.#parts = parts
    this.ahead = new Ahead(parts, () => turnBudget(parts.context))
  }

  take(calls: readonly ParsedCall[]): void {
    for (const call of calls.slice(this.#taken.length)) {
      const taken = this.#withId(call)
      this.#taken.push(taken)
      this.ahead.consider(taken)
    }
  }

  #withId({ id: given, name, arguments: args, wrote, from }: ParsedCall): ToolCall {
    const id = this.#unique(given)
    this.manners.set(id, { ...(wrote !== undefined && { wrote }), ...(from && { from }) })
    return { id, name, arguments: args }
  }

  /** The calls of the whole reply, with the ids that those taken before have already. */
  withIds(calls: readonly ParsedCall[]): ToolCall[] {
    return calls.map((call, index) => {
      const taken = this.#taken[index]
      return taken?.arguments === call.arguments ? taken : this.#withId(call)
    })
  }

  /** An id that the session has not seen: some servers give none, or the same ones each time. */
  #unique(id: string | undefined): string {
    const unique = id === undefined || this.#isSeen(id) ? `call_${this.#parts.context.newId()}` : id
    this.#given.add(unique)
    return unique
  }

  #isSeen(id: string): boolean {
    const isAnswered = this.#parts.context.history.some(
      message => message.role === 'tool' && message.tool_call_id === id,
    )
    return isAnswered || this.#given.has(id)
  }
}
