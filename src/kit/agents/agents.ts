/** The agents that there are: gopi's own, and those of the folders beside the skills'. */
import type { Told } from '../../protocol/sayings.ts'
import { type Places, rootsOf } from '../folders/roots.ts'
import type { Source } from '../source.ts'
import { builtinAgents } from './builtin.ts'

/** The nearest last, and what is wrong with files. */
export async function agentSources(places: Places): Promise<{ sources: Source[]; refused: Told[] }> {
  const own: Source = { from: 'gopi', agents: builtinAgents() }
  const roots = rootsOf('agents', places)
  if (roots.length === 0) return { sources: [own], refused: [] }
  const { readAgents } = await import('../folders/agent-files.ts')
  const read = roots.map(root => ({ from: root.from, ...readAgents(root, places.cwd) }))
  return {
    sources: [own, ...read.map(({ from, agents }) => ({ from, agents }))],
    refused: read.flatMap(({ refused }) => refused),
  }
}
