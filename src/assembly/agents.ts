/** Who a session is, and who works for it: loaded where the configuration or the person wants an agent. */
import type { Config } from '../config/config.ts'
import { agentSources } from '../kit/agents/agents.ts'
import type { Places } from '../kit/folders/roots.ts'
import { kitOf } from '../kit/kit.ts'
import type { Source } from '../kit/source.ts'
import { UsageError } from '../protocol/errors.ts'
import type { KeptAgent } from '../protocol/events.ts'
import type { Told } from '../protocol/sayings.ts'
import type { Agent } from '../session/agent.ts'
import type { PastAgents } from '../session/replay.ts'
import { createTasks } from '../session/tasks.ts'
import { nearest } from '../text/nearest.ts'
import { taskTool } from '../tools/task.ts'
import { told } from '../words/sayings/told.ts'
import { createOthers } from './agent-setup.ts'
import type { AssembleOptions } from './assemble.ts'
import { heldTo, isAsWideAs } from './held.ts'

interface Wanted {
  config: Pick<Config, 'agents'>
  /** Who the session is to be; comes before who it was. */
  agent: string | undefined
  /** Who it was, where it is resumed. */
  before?: PastAgents | undefined
}

/**
 * The sources with agents among them; `task` where the configuration or the agent's own list has it. Of an agent with a list
 * the session has no other tools. Throws `UsageError` when there is no such agent.
 */
export async function withAgents(
  sources: readonly Source[],
  places: Places,
  { config, agent: name, before }: Wanted,
): Promise<{ sources: Source[] } & Pick<AssembleOptions, 'agent' | 'agentNow' | 'makeTasks' | 'notices'>> {
  const { sources: found, refused } = await agentSources(places)
  const { agents } = kitOf(found)
  const past = name === undefined && before ? takenUp(before, agents) : undefined
  const agent = name === undefined ? past?.agent : named(name, agents)
  const others = agents.filter(one => one.name !== 'build' && one.name !== agent?.name)
  const hasTask = agent?.tools?.includes('task') ?? config.agents.task
  const tool: Source[] = hasTask ? [{ from: 'gopi', tools: [taskTool(others)] }] : []
  const isIts = (tool: string) => agent?.tools?.includes(tool.toLowerCase()) ?? true
  const all = [...sources, ...tool].map(source => ({
    ...source,
    ...(source.tools && { tools: source.tools.filter(one => isIts(one.name)) }),
  }))
  return {
    sources: [...all, ...found],
    agent,
    ...(past && { agentNow: past.agentNow }),
    ...(hasTask && { makeTasks: parts => createTasks({ ...parts, ...createOthers(parts) }) }),
    notices: [...refused, ...(past?.notices ?? [])],
  }
}

/** They may do what they might before and no more: one that is there no more is what the journal has of it. */
function takenUp({ begun, now }: PastAgents, agents: readonly Agent[]) {
  const said = new Map<string, Told>()
  const one = (kept: KeptAgent): Agent => {
    const { name } = kept
    const agent = agents.find(known => known.name === name)
    if (!agent) {
      said.set(name, told('agent.gone', { name }))
      return { ...kept, description: '' }
    }
    const held = heldTo(agent, kept)
    if (isAsWideAs(held, agent)) return agent
    said.set(name, told('agent.wider', { name }))
    return held
  }
  const agent = begun && one(begun)
  const isBegun = JSON.stringify(now) === JSON.stringify(begun)
  const agentNow = now === undefined ? null : isBegun ? (agent ?? null) : one(now)
  return { agent, agentNow, notices: [...said.values()] }
}

function named(name: string, agents: readonly Agent[]): Agent {
  const agent = agents.find(one => one.name.toLowerCase() === name.toLowerCase())
  if (agent) return agent
  const names = agents.map(one => one.name)
  const near = nearest(name, names)
  const hint = near === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${near}?`
  throw new UsageError(`There is no agent ${name}. ${hint}`)
}
