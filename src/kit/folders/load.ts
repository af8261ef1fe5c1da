/** Makes sources of the folders that are there. Loaded with the first of them: it loads yaml. */
import { matchesHost, speaksOf } from '../../rules/match.ts'
import { readRules } from '../../rules/rule.ts'
import type { Agent } from '../../session/agent.ts'
import { promptCommand } from '../commands/prompt-command.ts'
import { kitOf } from '../kit.ts'
import type { Skill, Source } from '../source.ts'
import { readCommands } from './command-files.ts'
import { createNarrowing, type Narrowing } from './narrowing.ts'
import type { FolderOptions, Places, Root } from './roots.ts'
import { instructionsOf, skillTool } from './skill-tool.ts'
import { readSkills } from './skills.ts'

export async function loadFolders(
  skillRoots: readonly Root[],
  commandRoots: readonly Root[],
  { deny, ...places }: FolderOptions,
): Promise<Source[]> {
  const { cwd, person } = places
  const narrowing = createNarrowing({ cwd, home: person })
  const rules = readRules({ allow: [], ask: [], deny }).deny
  const isDenied = ({ name }: Skill) =>
    rules.some(rule => speaksOf(rule, 'skill') && matchesHost(rule.pattern, name))
  const ofSkills = skillRoots.map((root): Source => {
    const { skills, refused } = readSkills(root, cwd)
    const shown = skills.filter(skill => !isDenied(skill))
    return {
      from: root.from,
      skills: shown,
      commands: async () => shown.map(skill => asCommand(skill, narrowing)),
      refused,
    }
  })
  let found: Promise<readonly Agent[]> | undefined
  const agents = () => (found ??= agentsIn(places))
  const ofCommands = await Promise.all(
    commandRoots.map(async (root): Promise<Source> => {
      const { commands, refused } = await readCommands(root, { cwd, narrowing, agents })
      return { from: root.from, commands: async () => commands, refused }
    }),
  )
  return [...ofSkills, ...ofCommands, together(ofSkills, narrowing)]
}

async function agentsIn(places: Places): Promise<readonly Agent[]> {
  const { agentSources } = await import('../agents/agents.ts')
  return kitOf((await agentSources(places)).sources).agents
}

/** What all folders bring in common: the tool that reads a skill, and the step that keeps to `allowed-tools`. */
function together(ofSkills: readonly Source[], narrowing: Narrowing): Source {
  const { skills } = kitOf(ofSkills)
  const told = skills.filter(({ isHidden }) => !isHidden)
  const { tool, said } = skillTool(told, ({ name, allowed }) => narrowing.begin(name, allowed))
  return {
    from: 'gopi',
    hooks: [narrowing.hook],
    ...(told.length > 0 && { tools: [tool], refused: said }),
    begin(session) {
      session.subscribe(({ type }) => {
        if (type === 'agent_end') narrowing.end()
      })
      return undefined
    },
  }
}

const asCommand = (skill: Skill, narrowing: Narrowing) =>
  promptCommand({
    name: skill.name,
    description: skill.description.slice(0, LONGEST),
    text: instructionsOf(skill),
    began: () => narrowing.begin(`/${skill.name}`, skill.allowed),
  })

/** Characters that a line of help has room for. */
const LONGEST = 200
