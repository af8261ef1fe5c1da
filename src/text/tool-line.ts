import type { ToolMessage } from '../protocol/messages.ts'
import type { Said, Told } from '../protocol/sayings.ts'
import { fieldsOf, isRecord } from './record.ts'
import { reveal } from './sanitize.ts'

/** One line that tells a person what a tool call did: `✓ edit main.ts +12 −3`, `✗ bash npm test · exit 1`. */

export interface FinishedTool {
  name: string
  arguments: Record<string, unknown>
  is_error: boolean
  /** The result's typed data; what of it is known is shown. */
  details?: unknown
  /** What the model was told: where the details of a failure do not, its first line says why. */
  content: string
}

export const finishedTool = (
  { tool_name: name, content, is_error, details }: ToolMessage,
  args: Record<string, unknown> = {},
): FinishedTool => ({ name, arguments: args, is_error, content, ...(details !== undefined && { details }) })

/** The words of the line, in the person's language. */
export interface ToolWords {
  /** Why a call failed, of the first line that the model was told. */
  failed(line: string): string
  /** A command ended with a code that is not 0. */
  exit(code: number): string
  /** What is looked for, and where. */
  within(pattern: string, place: string): string
  denied: string
  /** By the person. */
  stopped: string
  outOfTime: string
  /** It goes on in the background. */
  sent: string
  lines(lines: number): string
  /** A part of a file. */
  linesOf(from: number, to: number, total: number): string
  matches(matches: number, files: number): string
  files(files: number): string
  entries(entries: number): string
  /** What an agent did. `way`: on the conversation’s prefix (`branch`), or on one of its own. */
  task(calls: number, read: number, way: 'branch' | 'fresh'): string
}

export interface LineWords {
  tool: ToolWords
  /** The sentence of a saying. */
  say(told: Told): string
}

/** The lines that a command wrote; undefined: it was no command. What else the model was told is said by the row. */
export function linesWritten({
  content,
  details,
}: Pick<FinishedTool, 'content' | 'details'>): string[] | undefined {
  const { command, output_lines } = fieldsOf(details)
  if (typeof command !== 'string') return undefined
  const lines = content.trimEnd().split('\n')
  return isNumber(output_lines) ? lines.slice(0, output_lines) : lines
}

const longest = 100

/** The line in its parts. */
export interface ToolParts {
  sign: '✗' | '✓'
  /** The tool, and what the call was about. */
  call: string
  /** What came of it, and why; empty where that is nothing to tell. */
  outcome: string
}

export function toolParts(
  { name, arguments: args, is_error, details, content }: FinishedTool,
  { tool: say, say: word }: LineWords,
): ToolParts {
  const facts = fieldsOf(details)
  // A person may have changed what was to run.
  const { ran = args.command } = facts
  const end = is_error ? endOf(facts, say) : undefined
  const outcome = is_error ? (end ?? `(${firstLine(content, say.failed)})`) : resultOf(facts, say)
  const why =
    end !== undefined && typeof facts.why === 'string' && firstLine(reasonOf(facts, facts.why, word))
  return {
    sign: is_error ? '✗' : '✓',
    call: reveal(`${name} ${subjectOf({ ...args, command: ran }, say)}`.trim()),
    outcome: reveal(why ? `${outcome} (${why})` : outcome),
  }
}

export function toolLine(tool: FinishedTool, words: LineWords): string {
  const { sign, call, outcome } = toolParts(tool, words)
  return shorten(
    [`${sign} ${call}`, ...(outcome === '' ? [] : [outcome])].join(hasMark(outcome) ? ' ' : ' · '),
  )
}

/** A change's counts and a reason in brackets need nothing before them. */
export const hasMark = (outcome: string): boolean => /^[+(]/.test(outcome)

/** What a call that went well has brought. */
function resultOf(facts: Record<string, unknown>, say: ToolWords): string {
  const { added, removed, from, to, total, matches, files, entries } = facts
  if (facts.ended === 'sent') return say.sent
  if (isNumber(added) && isNumber(removed)) return `+${added} −${removed}`
  if (isNumber(from) && isNumber(to) && isNumber(total)) {
    return from <= 1 && to >= total ? say.lines(total) : say.linesOf(from, to, total)
  }
  if (isNumber(matches)) return say.matches(matches, isNumber(files) ? files : 0)
  if (isNumber(files)) return say.files(files)
  const { calls, read_tokens, way } = facts
  if (isNumber(calls) && isNumber(read_tokens))
    return say.task(calls, read_tokens, way === 'branch' ? 'branch' : 'fresh')
  return isNumber(entries) ? say.entries(entries) : ''
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

const reasonOf = (
  { code, facts }: Record<string, unknown>,
  message: string,
  say: LineWords['say'],
): string =>
  typeof code === 'string' && isRecord(facts)
    ? say({ code, facts: facts as Said['facts'], message })
    : message

/** How a call ended that failed, was not run, or not to its end. */
function endOf({ exit_code, ended }: Record<string, unknown>, say: ToolWords): string | undefined {
  if (typeof exit_code === 'number') return say.exit(exit_code)
  if (ended === 'denied') return say.denied
  if (ended === 'aborted') return say.stopped
  if (ended === 'sent') return say.sent
  return ended === 'timeout' ? say.outOfTime : undefined
}

/** What a call is about, in few words: its command, path or pattern. */
export function subjectOf(args: Record<string, unknown>, { within }: Pick<ToolWords, 'within'>): string {
  const { command, pattern, path, agent, prompt, url } = args
  if (typeof command === 'string') return firstLine(command)
  if (typeof agent === 'string' && typeof prompt === 'string') return `${agent}: ${firstLine(prompt)}`
  if (typeof url === 'string') return firstLine(url)
  const where = typeof path === 'string' ? firstLine(path) : undefined
  if (typeof pattern === 'string') return where ? within(firstLine(pattern), where) : firstLine(pattern)
  return where ?? ''
}

const firstLine = (text: string, say = (line: string) => line): string => {
  const [line = '', ...more] = text.trim().split('\n')
  return more.length > 0 ? `${say(line)} …` : say(line)
}

const shorten = (line: string): string => (line.length > longest ? `${line.slice(0, longest - 1)}…` : line)
