/** What the model is told before the conversation. One system message, fixed for the session: no clock, no git state. */
import instructionsHead from '../../prompts/instructions.md'
import json from '../../prompts/json.md'
import react from '../../prompts/react.md'
import system from '../../prompts/system.md'
import toolsText from '../../prompts/tools.md'
import type { DialectName } from '../protocol/messages.ts'
import type { WireTool } from '../protocol/wire.ts'
import { fill } from '../text/fill.ts'

export interface SystemFacts {
  cwd: string
  /** "Linux", "macOS", "Windows". */
  os: string
  /** How long a command may run, as it is told: "30s". */
  timeout: string
  dialect: DialectName
  tools: readonly WireTool[]
  /** The tools are told here although the dialect has a field for them. */
  toolsInSystem?: boolean | undefined
  /** Texts of AGENTS.md files, farthest first. */
  instructions: readonly string[]
}

/** The same facts give the same bytes. */
export function systemPrompt(facts: SystemFacts): string {
  const { cwd, os, timeout, dialect, tools, instructions } = facts
  const parts = [fill(system, { cwd, os, timeout }).trim()]
  if (dialect === 'react') parts.push(fill(react, { tools: toolLines(tools) }).trim())
  if (dialect === 'json') parts.push(fill(json, { tools: toolLines(tools) }).trim())
  if (dialect === 'native' && facts.toolsInSystem)
    parts.push(fill(toolsText, { tools: toolLines(tools) }).trim())
  if (instructions.length > 0) parts.push([instructionsHead.trim(), ...instructions].join('\n\n'))
  return parts.join('\n\n')
}

/** Whether a system text tells the tools in place of the field for them. */
export const tellsTools = (text: string): boolean => text.includes(toolsText.trim().split('\n', 1)[0]!)

/** `read {path, offset?, limit?}: Read a file.`, a line each: what text dialects have instead of schemas. */
function toolLines(tools: readonly WireTool[]): string {
  return tools
    .map(({ function: { name, description, parameters } }) => {
      const names = Object.entries(parameters.properties).map(([key, { type }]) => {
        const typed = type === 'string' ? key : `${key}: ${type}`
        return parameters.required.includes(key) ? typed : typed.replace(key, `${key}?`)
      })
      return `- ${name} {${names.join(', ')}}: ${description}`
    })
    .join('\n')
}
