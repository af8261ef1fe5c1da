/**
 * One task, in the words of whatever tools a client offers: four files are read, one search, a test run that fails,
 * three edits, a test run that passes, an answer. What a client has no tool for is done by a command.
 */
import type { ChatBody } from '../../src/demo/request.ts'
import type { WireTool } from '../../src/protocol/wire.ts'

export const prompt =
  'The test of this project (node test.mjs) fails. Look at the sources, find out why, mend them without touching the ' +
  'test, and see that it passes.'

/** Of the answer, so that a run can be seen to have come to its end. */
export const answer =
  'The test passes now: words are cut at any white space, counted whatever their case, and the report is sorted.'

export interface Edit {
  file: string
  old: string
  new: string
}

const edits: Edit[] = [
  { file: 'words.mjs', old: "text.split(' ')", new: 'text.split(/\\s+/).filter(Boolean)' },
  { file: 'count.mjs', old: 'const key = word', new: 'const key = word.toLowerCase()' },
  { file: 'report.mjs', old: '[...counts]', new: '[...counts].sort()' },
]

type Step = { read: string } | { search: string } | { edit: Edit } | { run: string }

const steps: Step[] = [
  ...['test.mjs', 'words.mjs', 'count.mjs', 'report.mjs'].map(read => ({ read })),
  { search: 'export function' },
  { run: 'node test.mjs' },
  ...edits.map(edit => ({ edit })),
  { run: 'node test.mjs' },
]

/** Replies, the answer among them. */
export const replies = steps.length + 1

export interface Call {
  name: string
  arguments: Record<string, unknown>
}

/** The reply to a request: its results tell how far the task has come. undefined: the answer. */
export function nextCall({ messages, tools }: Pick<ChatBody, 'messages' | 'tools'>): Call | undefined {
  const step = steps[messages.filter(({ role }) => role === 'tool').length]
  return step && callFor(step, tools)
}

export const calls = (tools: readonly WireTool[]): Call[] => steps.map(step => callFor(step, tools))

function callFor(step: Step, tools: readonly WireTool[]): Call {
  const find = (names: RegExp) => tools.find(tool => names.test(tool.function.name))?.function
  if ('read' in step) {
    const tool = find(/^read(_file)?$/)
    if (!tool) return command(`cat ${step.read}`, tools)
    const key = tool.parameters.properties?.file_path ? 'file_path' : 'path'
    return { name: tool.name, arguments: { [key]: step.read } }
  }
  if ('search' in step) {
    const tool = find(/^grep$/)
    if (tool) return { name: tool.name, arguments: { pattern: step.search } }
    return command(`grep -rn '${step.search}' .`, tools)
  }
  if ('run' in step) return command(step.run, tools)
  return edit(step.edit, find(/^edit$/)) ?? command(patch(step.edit), tools)
}

function edit({ file, old, new: text }: Edit, tool: WireTool['function'] | undefined): Call | undefined {
  if (!tool) return undefined
  const { properties = {} } = tool.parameters
  if (properties.edits)
    return { name: tool.name, arguments: { path: file, edits: [{ oldText: old, newText: text }] } }
  const named = properties.oldText ? { oldText: old, newText: text } : { old, new: text }
  return { name: tool.name, arguments: { path: file, ...named } }
}

function command(line: string, tools: readonly WireTool[]): Call {
  const tool = tools.find(({ function: { name } }) => /^(bash|shell|exec_command|shell_command)$/.test(name))
  if (!tool) throw new Error('a tool that runs commands was expected in the request')
  const { name, parameters } = tool.function
  const { properties = {} } = parameters as { properties?: Record<string, { type?: unknown }> }
  const key = properties.cmd ? 'cmd' : 'command'
  return { name, arguments: { [key]: properties[key]?.type === 'array' ? ['bash', '-c', line] : line } }
}

/** In the form that is read by `apply_patch`, which stands in for an edit tool. */
function patch({ file, old, new: text }: Edit): string {
  const line = project[file]?.split('\n').find(line => line.includes(old)) ?? ''
  const hunk = `@@\n-${line}\n+${line.replace(old, () => text)}`
  return `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: ${file}\n${hunk}\n*** End Patch\nEOF`
}

/** What stands around the lines that count: a file of the usual length. */
const filling = (name: string) =>
  Array.from(
    { length: 14 },
    (_, n) =>
      `/** The ${name} number ${n}, which others ask for. */\nexport const ${name}${n} = [${n}, ${n * n}]`,
  ).join('\n')

/** The files of the project, by name. */
export const project: Readonly<Record<string, string>> = {
  'words.mjs': `export function words(text) {\n  return text.split(' ')\n}\n\n${filling('word')}\n`,
  'count.mjs': `export function count(words) {
  const counts = new Map()
  for (const word of words) {
    const key = word
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

${filling('sum')}
`,
  'report.mjs': `export function report(counts) {
  return [...counts].map(([word, times]) => word + ': ' + times).join(', ')
}

${filling('line')}
`,
  'test.mjs': `import assert from 'node:assert/strict'
import { count } from './count.mjs'
import { report } from './report.mjs'
import { words } from './words.mjs'

assert.equal(report(count(words('the  cat saw The dog'))), 'cat: 1, dog: 1, saw: 1, the: 2')
console.log('passed')
`,
}
