/** The grammar of permission rules, `Tool` or `Tool(pattern)`: whoever reads one, checks one or offers one does it here. */
import { isBalanced } from '../text/balanced.ts'
import { nearest } from '../text/nearest.ts'

export interface Rule {
  /** As it was written. */
  text: string
  /** In lower case; a star at its end stands for the rest of a name. */
  tool: string
  /** undefined: every call of the tool. */
  pattern: string | undefined
}

/** A rule, or what is wrong with the text, to be read in brackets. Any name may be a tool's. */
function readRule(text: string): Rule | { problem: string } {
  const [, tool, pattern] = /^([A-Za-z][\w.-]*\*?)(?:\((.*)\))?$/s.exec(text) ?? []
  if (/\p{Cc}/u.test(text)) return { problem: 'it holds a control character' }
  if (!isBalanced(text)) return { problem: 'a parenthesis is missing, or one too many' }
  if (tool === undefined) return { problem: 'it is neither Tool nor Tool(pattern)' }
  if (pattern?.trim() === '') return { problem: 'the pattern is empty; without brackets it means every call' }
  return { text, tool: tool.toLowerCase(), pattern }
}

/** undefined: not a rule. */
export function parseRule(text: string): Rule | undefined {
  const read = readRule(text)
  return 'problem' in read ? undefined : read
}

/** The names that are often mistyped. */
const TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'Grep', 'Find', 'Ls'] as const

/**
 * What is wrong with a rule that a person wrote, to be read in brackets; undefined: nothing. A name that is nearly a
 * built-in tool's is taken for a slip. `tools`: names besides the built-in ones that are meant as they stand.
 */
export function ruleProblem(text: string, tools: readonly string[] = []): string | undefined {
  const read = readRule(text)
  if ('problem' in read) return read.problem
  const isKnown = [...TOOLS, ...tools].some(name => name.toLowerCase() === read.tool)
  const near = isKnown || /__|\*$/.test(read.tool) ? undefined : nearest(read.tool, TOOLS)
  return near && `there is no tool ${text.slice(0, read.tool.length)}; did you mean ${near}?`
}

export interface PermissionRules {
  allow: readonly Rule[]
  ask: readonly Rule[]
  deny: readonly Rule[]
}

/** Rules as they stand in the configuration. What is no rule forbids and asks about everything, and allows nothing. */
export function readRules(lists: Record<keyof PermissionRules, readonly string[]>): PermissionRules {
  const read = (texts: readonly string[], otherwise: (text: string) => Rule[]) =>
    texts.flatMap(text => parseRule(text) ?? otherwise(text))
  const everything = (text: string): Rule[] => [{ text, tool: '*', pattern: undefined }]
  return {
    allow: read(lists.allow, () => []),
    ask: read(lists.ask, everything),
    deny: read(lists.deny, everything),
  }
}
