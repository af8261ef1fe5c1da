import type { ParsedCall } from '../dialect/dialect.ts'
import type { ToolCall } from '../protocol/messages.ts'
import { turnBudget } from './act.ts'
import { Ahead } from './ahead.ts'
import type { RunParts } from './run.ts'

/** Gives every call its id as soon as it is complete, and starts those that only read. */
export class CallTaker {
  readonly ahead: Ahead
  #parts: RunParts
  #taken: ToolCall[] = []
  /** The ids of this reply's calls. */
  #given = new Set<string>()

  constructor(parts: RunParts) {
    this.#parts = parts
    this.ahead = new Ahead(parts, () => turnBudget(parts))
  }

  take(calls: readonly ParsedCall[]): void {
    for (const call of calls.slice(this.#taken.length)) {
      const { name, arguments: args } = call
      const taken = { id: this.#unique(call.id), name, arguments: args }
      this.#taken.push(taken)
      this.ahead.consider(taken)
    }
  }

  /** The calls of the whole reply, with the ids that those taken before have already. */
  withIds(calls: readonly ParsedCall[]): ToolCall[] {
    return calls.map(({ id, name, arguments: args }, index) => {
      const taken = this.#taken[index]
      return taken?.name === name && taken.arguments === args
        ? taken
        : { id: this.#unique(id), name, arguments: args }
    })
  }

  /** An id that the session has not seen: some servers give none, or the same ones each time. */
  #unique(id: string | undefined): string {
    const unique = id === undefined || this.#isSeen(id) ? `call_${this.#parts.newId()}` : id
    this.#given.add(unique)
    return unique
  }

  #isSeen(id: string): boolean {
    const isAnswered = this.#parts.history.some(
      message => message.role === 'tool' && message.tool_call_id === id,
    )
    return isAnswered || this.#given.has(id)
  }
}
