/**
 * Calls of one reply that change the same file: all of them or none. The first to run rehearses them all; where one of them
 * could not be done, nothing is.
 */
import { ToolError } from '../protocol/errors.ts'
import type { ToolCall } from '../protocol/messages.ts'
import type { Tool, ToolContext } from '../tools/tool.ts'
import { failed, type Outcome } from './outcome.ts'
import type { Touches } from './touches.ts'
import { notTogether } from './words.ts'

export interface Planned {
  call: ToolCall
  tool: Tool
  args: Record<string, unknown>
  touches: Touches
}

export class Together {
  #members: Planned[] = []
  #problems: Promise<Map<string, string>> | undefined

  add(member: Planned): void {
    this.#members.push(member)
  }

  get size(): number {
    return this.#members.length
  }

  /** Why a call cannot be run along with the others; undefined: it can. Rejects with what the tool refuses. */
  async refusal(
    { call, accesses }: Pick<Planned, 'call'> & Pick<Outcome, 'accesses'>,
    context: ToolContext,
  ): Promise<Outcome | undefined> {
    this.#problems ??= this.#rehearse(context)
    const problems = await this.#problems
    if (problems.size === 0) return undefined
    const own = problems.get(call.id)
    const calls = this.#members.length
    const failing = this.#members.flatMap(({ call: { id } }, at) => (problems.has(id) ? [at + 1] : []))
    const content =
      own === undefined ? notTogether(failing, calls) : `${own}\n${notTogether(undefined, calls)}`
    return { ...failed(call, content), accesses }
  }

  async #rehearse(context: ToolContext): Promise<Map<string, string>> {
    const [first] = this.#members
    const found = await first!.tool.rehearse!(
      this.#members.map(({ args }) => args),
      context,
    ).catch(error => {
      // What none of them can do, each says by itself.
      if (error instanceof ToolError) return []
      throw error
    })
    const problems = new Map<string, string>()
    for (const [at, problem] of found.entries())
      if (problem !== undefined) problems.set(this.#members[at]!.call.id, problem)
    return problems
  }
}

/** The groups of a reply's calls, by call id. A command, or another tool that writes the file, ends a group. */
export function togetherOf(calls: readonly (Planned | undefined)[]): Map<string, Together> {
  const open = new Map<string, Together>()
  const groups = new Map<string, Together>()
  for (const planned of calls) {
    if (!planned) continue
    const { call, tool, touches } = planned
    const [file] = touches.writes
    if (touches.mayChange) open.clear()
    else if (!tool.rehearse || file === undefined) for (const written of touches.writes) open.delete(written)
    else {
      const group = open.get(file) ?? new Together()
      open.set(file, group)
      group.add(planned)
      groups.set(call.id, group)
    }
  }
  for (const [id, group] of groups) if (group.size < 2) groups.delete(id)
  return groups
}
