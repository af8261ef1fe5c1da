/** The tool by which the model reads a skill. Its description is all that stands of skills in the prefix. */
import path from 'node:path'
import * as z from 'zod/mini'
import { ToolError } from '../../protocol/errors.ts'
import type { Told } from '../../protocol/sayings.ts'
import { defineTool } from '../../tools/define.ts'
import type { Tool } from '../../tools/tool.ts'
import { told } from '../../words/sayings/told.ts'
import type { Skill } from '../source.ts'
import { roughTokens } from '../tokens.ts'

/** Tokens that names with descriptions may take together. */
const BUDGET = 800
/** Names without a description that are listed at most. */
const MOST_NAMES = 100

/** `used`: hears of every skill that the model reads. `said`: what the person should know of the list. */
export function skillTool(
  skills: readonly Skill[],
  used: (skill: Skill) => void,
): { tool: Tool; said: Told[] } {
  const { text, bare } = listed(skills)
  const tool = defineTool({
    name: 'skill',
    parameters: z.object({ name: z.string() }),
    description: `Read the instructions of a skill before you begin a task that it is for. Skills:\n${text}`,
    access: ({ name }) => [{ use: name }],
    async execute({ name }) {
      const skill = skills.find(
        one => one.name.toLowerCase() === name.trim().replace(/^\//, '').toLowerCase(),
      )
      if (!skill) {
        const names = skills.map(one => one.name).slice(0, MOST_NAMES)
        throw new ToolError(`There is no skill ${JSON.stringify(name)}. The skills are: ${names.join(', ')}.`)
      }
      used(skill)
      return { output: instructionsOf(skill) }
    },
  })
  return { tool, said: bare === 0 ? [] : [told('skills.by_name', { count: bare, tokens: BUDGET })] }
}

/** What the model is told when a skill is used. */
export function instructionsOf({ file, body }: Skill): string {
  const folder = path.dirname(file)
  const text = body.replace(/\$\{CLAUDE_SKILL_DIR\}/g, () => folder)
  return `${text}\n\n(This skill's own files are in ${folder}; its relative paths start there.)`
}

/** A line each, as far as the budget goes; the rest by name only. */
function listed(skills: readonly Skill[]): { text: string; bare: number } {
  const shown = skills.filter(({ isHidden }) => !isHidden)
  const lines: string[] = []
  const bare: string[] = []
  let left = BUDGET
  for (const { name, description } of shown) {
    const line = `- ${name}: ${description}`
    left -= roughTokens(line)
    if (left >= 0 && bare.length === 0) lines.push(line)
    else bare.push(name)
  }
  const more = bare.length > MOST_NAMES ? ` and ${bare.length - MOST_NAMES} more` : ''
  if (bare.length > 0) lines.push(`Also: ${bare.slice(0, MOST_NAMES).join(', ')}${more}`)
  return { text: lines.join('\n'), bare: bare.length }
}
