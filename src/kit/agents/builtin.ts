/** The agents that gopi itself brings. */
import texts from '../../../prompts/agents.md'
import type { Agent } from '../../session/agent.ts'
import { sections } from '../../text/fill.ts'

const READING = ['read', 'grep', 'find', 'ls']

export function builtinAgents(): Agent[] {
  const { plan, general, explore } = sections(texts, ['plan', 'general', 'explore'])
  return [
    { name: 'build', description: 'all tools.', prompt: '' },
    {
      name: 'plan',
      description: 'changes nothing, ends with a plan.',
      prompt: plan,
      tools: ['bash', ...READING],
      permission: { mode: 'plan' },
    },
    { name: 'general', description: 'any work, to its end.', prompt: general },
    {
      name: 'explore',
      description: 'reads only; answers where things are.',
      prompt: explore,
      tools: READING,
      permission: { mode: 'plan' },
    },
  ]
}
