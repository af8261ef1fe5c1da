/** Who a conversation is, or a part of it: data that people write. */
import type { Setup } from '../agent/run.ts'
import { type Narrowing, stricterMode } from '../permission/door.ts'
import type { AgentChange, KeptAgent } from '../protocol/events.ts'

export interface Agent {
  name: string
  description: string
  /** What it is told besides; empty: nothing. */
  prompt: string
  /** In lower case. Default: all that there are. */
  tools?: readonly string[]
  /** Default: the session's. */
  model?: string
  permission?: Pick<Narrowing, 'mode' | 'ask' | 'deny'>
  max_turns?: number
  options?: { temperature?: number; top_p?: number }
  think?: Setup['think']
}

/** What it may do less than the session. */
export const narrowingOf = ({ tools, permission }: Agent): Narrowing => ({
  ...permission,
  ...(tools && { tools }),
})

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

/** As the journal has it. */
export const agentChange = (
  agent: KeptAgent | undefined,
  { begins = false }: { begins?: boolean } = {},
): AgentChange => ({
  type: 'agent_change',
  ...(agent && { agent: kept(agent) }),
  ...(begins && { begins }),
})

const kept = ({ name, prompt, tools, permission }: KeptAgent): KeptAgent => ({
  name,
  prompt,
  ...(tools && { tools }),
  ...(permission && { permission }),
})
