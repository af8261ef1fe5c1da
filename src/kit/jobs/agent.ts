/**
 * `/agent`: who the session is from the next words on. What the model was told of tools stays,
 * and the door refuses the rest; for tools that it was not told of the conversation goes on in a session that has them.
 */
import { homedir } from 'node:os'
import type { Agent } from '../../session/agent.ts'
import { agentSources } from '../agents/agents.ts'
import { builtinAgents } from '../agents/builtin.ts'
import type { Desk } from '../commands/command.ts'
import { kitOf } from '../kit.ts'

export async function agent(
  { session, words, place, say, refuse, choose, end }: Desk,
  typed: string,
): Promise<void> {
  const { agent: said } = words.doing
  const { sources } = await agentSources({ ...place, person: process.env.HOME ?? homedir() })
  const { agents } = kitOf(sources)
  const own: Readonly<Record<string, string>> = said.does
  const isOwn = new Set(builtinAgents().map(({ name, description }) => `${name}: ${description}`))
  const choices = agents.map(({ name, description }) => ({
    ...{ id: name, label: name },
    detail: (isOwn.has(`${name}: ${description}`) ? own[name] : undefined) ?? description,
  }))
  const name = typed === '' ? await choose(said.which, choices) : typed
  if (name === undefined) return
  const chosen = agents.find(one => one.name.toLowerCase() === name.toLowerCase())
  if (!chosen) return refuse(said.none(name, words.listed(agents.map(one => one.name))))
  if (lacksTools(chosen, session.beganAs)) {
    if (session.isStreaming) return refuse(words.notices.notWhileRunning('/agent'))
    say(said.anew(chosen.name))
    return end({ type: 'agent', name: chosen.name })
  }
  const isPlain = chosen.prompt === ''
  if (chosen.model !== undefined && chosen.model !== session.model) say(said.otherModel(chosen.model))
  session.setAgent(isPlain ? undefined : chosen)
  say(isPlain ? said.nobody : said.now(chosen.name))
}

/** A session has the tools that it was begun with. */
const lacksTools = ({ tools }: Agent, begun: Agent | undefined): boolean =>
  begun?.tools !== undefined && (tools === undefined || tools.some(tool => !begun.tools?.includes(tool)))
