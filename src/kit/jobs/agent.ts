/** `/agent`: who the session is from the next words on. What the model was told of tools stays; the door refuses the rest. */
import { homedir } from 'node:os'
import { agentSources } from '../agents/agents.ts'
import { builtinAgents } from '../agents/builtin.ts'
import type { Desk } from '../commands/command.ts'
import { kitOf } from '../kit.ts'

export async function agent(
  { session, words, place, say, refuse, choose }: Desk,
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
  const isPlain = chosen.prompt === ''
  if (chosen.model !== undefined && chosen.model !== session.model) say(said.otherModel(chosen.model))
  session.setAgent(isPlain ? undefined : chosen)
  say(isPlain ? said.nobody : said.now(chosen.name))
}
