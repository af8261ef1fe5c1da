/** Whether a text is a permission rule, `Tool` or `Tool(pattern)`: what stands in a list of rules is checked when it is read. */
import { isBalanced } from '../text/balanced.ts'
import { nearest } from '../text/nearest.ts'

/** The tools that rules speak of. `Read` and `Edit` speak of several. */
const TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'Grep', 'Find', 'Ls'] as const

/** What is wrong with it, to be read in brackets; undefined: it is a rule. `tools`: names of tools beside the built-in ones. */
export function ruleProblem(text: string, tools: readonly string[] = []): string | undefined {
  const [, tool, pattern] = /^([A-Za-z][\w-]*)(?:\((.*)\))?$/s.exec(text) ?? []
  if (/\p{Cc}/u.test(text)) return 'it holds a control character'
  if (!isBalanced(text)) return 'a parenthesis is missing, or one too many'
  if (tool === undefined) return 'it is neither Tool nor Tool(pattern)'
  if (pattern?.trim() === '') return 'the pattern is empty; without brackets it means every call'
  const known = [...TOOLS, ...tools]
  if (known.some(name => name.toLowerCase() === tool.toLowerCase())) return undefined
  const near = nearest(tool, known)
  return `there is no tool ${tool}; ${near === undefined ? `there are ${known.join(', ')}` : `did you mean ${near}?`}`
}
