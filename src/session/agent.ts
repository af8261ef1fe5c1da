/** Who a conversation is, or a part of it: data that people write. */
import type { Setup } from '../agent/run.ts'
import type { Narrowing } from '../permission/door.ts'
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

/** As the journal has it. */
export const agentChange = (
  agent: KeptAgent | undefined,
  { begins = false, for_run = false }: { begins?: boolean; for_run?: boolean } = {},
): AgentChange => ({
  type: 'agent_change',
  ...(agent && { agent: kept(agent) }),
  ...(begins && { begins }),
  ...(for_run && { for_run }),
})

const kept = ({ name, prompt, tools, permission }: KeptAgent): KeptAgent => ({
  name,
  prompt,
  ...(tools && { tools }),
  ...(permission && { permission }),
})
