/** Before a call may run: its arguments are checked, the steps before see it, the permission room judges it. */
import type { Decision } from '../permission/permission.ts'
import type { Access } from '../protocol/access.ts'
import type { ToolCall } from '../protocol/messages.ts'
import type { Stopped, Tool } from '../tools/tool.ts'
import { bare } from '../words/sayings/said.ts'
import { told } from '../words/sayings/told.ts'
import { abortable } from './abortable.ts'
import { rulingOf, type StepRuling, stricter, withRuling } from './hooks.ts'
import { failed, type Outcome } from './outcome.ts'
import { type Quoted, unlessQuoted } from './quoted.ts'
import { type Acting, unknownTool } from './words.ts'

/** A call that the steps before it have seen. */
export interface Prepared {
  /** With the arguments that it will have. */
  call: ToolCall
  tool: Tool
  accesses: readonly Access[]
  /** What the steps want. */
  ruling: StepRuling | undefined
  /** A sandbox kept it from this: it is to run outside. */
  stopped?: Stopped
  /** It was read from text, and may only be quoted there. */
  quoted?: Quoted
  /** What of its arguments was mended. */
  note?: string | undefined
}

/** Checks the arguments and asks the steps before. → the outcome of a call that cannot be run. */
export async function prepare(
  call: ToolCall,
  { parts, signal }: { parts: Acting; signal: AbortSignal },
): Promise<Prepared | { outcome: Outcome }> {
  const tool = parts.tools.list.find(({ name }) => name === call.name)
  if (!tool) return { outcome: { ...failed(call, unknownTool(parts, call.name)), unusable: true } }
  const { cwd } = parts.tools.surroundings
  let checked = tool.check(call.arguments, cwd)
  let ruling: StepRuling | undefined
  for (const { name, before } of parts.policy.hooks ?? []) {
    if (!checked.ok || !before) continue
    const step = before({ ...call, arguments: checked.args }, signal)
    const wish = await abortable(step, signal).catch(error => {
      if (!signal.aborted) throw error
    })
    if (!wish) continue
    if (wish.arguments) checked = tool.check(wish.arguments, cwd)
    ruling = stricter(ruling, rulingOf(name, wish))
  }
  if (!checked.ok) return { outcome: { ...failed(call, checked.problem), unusable: true } }
  const accesses = tool.access(checked.args, cwd)
  return { call: { ...call, arguments: checked.args }, tool, accesses, ruling, note: checked.note }
}

/** The model hears what was mended for it, whatever came of the call. */
export const withNote = (outcome: Outcome, { note }: Pick<Prepared, 'note'>): Outcome =>
  note === undefined ? outcome : { ...outcome, content: `${outcome.content}\n${note}` }

/** The only way to leave: what the permission room says, and within that what the steps want. */
export async function authorize(prepared: Prepared, { policy }: Acting): Promise<Decision> {
  const { tool, accesses, ruling, stopped } = prepared
  const { id, arguments: args } = prepared.call
  const call = {
    id,
    tool: tool.ruledAs?.(args) ?? tool.name,
    accesses,
    ...(stopped && { outside: true as const }),
  }
  const decision = unlessQuoted(withRuling(await policy.authorize(call), ruling), prepared)
  if (stopped === undefined || decision.decision !== 'ask') return decision
  return { ...decision, why: told(`permission.sandbox_${stopped}`, { why: bare(decision.why) }) }
}
