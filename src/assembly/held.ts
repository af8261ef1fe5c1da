/** A session that is taken up again is as narrow as it was: its agent may have been widened since. */
import { stricterMode } from '../permission/door.ts'
import type { KeptAgent } from '../protocol/events.ts'
import type { Agent } from '../session/agent.ts'

/** What of its definition came after it was written down may narrow it, and widens nothing. */
export function heldTo(agent: Agent, before: KeptAgent): Agent {
  const tools = before.tools?.filter(tool => agent.tools?.includes(tool) ?? true) ?? agent.tools
  const [one = {}, other = {}] = [before.permission, agent.permission]
  const mode = one.mode && other.mode ? stricterMode(one.mode, other.mode) : (one.mode ?? other.mode)
  const permission = {
    ...(mode && { mode }),
    ask: both(one.ask, other.ask),
    deny: both(one.deny, other.deny),
  }
  return { ...agent, ...(tools && { tools }), permission }
}

/** Whether it may do all that the other one may. */
export const isAsWideAs = (one: Agent, other: Agent): boolean => limitsOf(one) === limitsOf(other)

const both = (some: readonly string[] = [], others: readonly string[] = []): string[] => [
  ...new Set([...some, ...others]),
]

const limitsOf = ({ tools, permission: { mode, ask = [], deny = [] } = {} }: Agent): string =>
  JSON.stringify([tools && [...tools].sort(), mode, [...ask].sort(), [...deny].sort()])
