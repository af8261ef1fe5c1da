import { reveal } from './sanitize.ts'

/** One line that tells a person what a tool call did: `✓ edit main.ts +12 −3`, `✗ bash exit 1: npm test`. */

export interface FinishedTool {
  name: string
  arguments: Record<string, unknown>
  is_error: boolean
  /** The result's typed data; what of it is known is shown. */
  details?: unknown
  /** What the model was told: where the details of a failure do not, its first line says why. */
  content: string
}

/** The words of the line, in the person's language. */
export interface ToolWords {
  /** A command ended with a code that is not 0. */
  exit(code: number): string
  /** What is looked for, and where. */
  within(pattern: string, place: string): string
  denied: string
  /** By the person. */
  stopped: string
  outOfTime: string
}

const longest = 100

export function toolLine(
  { name, arguments: args, is_error, details, content }: FinishedTool,
  say: ToolWords,
): string {
  const facts = (typeof details === 'object' && details !== null ? details : {}) as Record<string, unknown>
  const words = [is_error ? '✗' : '✓', name]
  const subject = subjectOf(args, say)
  const end = is_error ? endOf(facts, say) : undefined
  if (end !== undefined) words.push(subject === '' ? end : `${end}:`)
  if (subject !== '') words.push(subject)
  if (typeof facts.added === 'number' && typeof facts.removed === 'number') {
    words.push(`+${facts.added} −${facts.removed}`)
  }
  if (end !== undefined && typeof facts.why === 'string') words.push(`(${firstLine(facts.why)})`)
  if (is_error && end === undefined) words.push(`(${firstLine(content)})`)
  return shorten(reveal(words.join(' ')))
}

/** How a call ended that failed, was not run, or not to its end. */
function endOf({ exit_code, ended }: Record<string, unknown>, say: ToolWords): string | undefined {
  if (typeof exit_code === 'number') return say.exit(exit_code)
  if (ended === 'denied') return say.denied
  if (ended === 'aborted') return say.stopped
  return ended === 'timeout' ? say.outOfTime : undefined
}

/** What a call is about, in few words: its command, path or pattern. */
export function subjectOf(args: Record<string, unknown>, { within }: Pick<ToolWords, 'within'>): string {
  const { command, pattern, path } = args
  if (typeof command === 'string') return firstLine(command)
  const where = typeof path === 'string' ? firstLine(path) : undefined
  if (typeof pattern === 'string') return where ? within(firstLine(pattern), where) : firstLine(pattern)
  return where ?? ''
}

const firstLine = (text: string): string => {
  const [line = '', ...more] = text.trim().split('\n')
  return more.length > 0 ? `${line} …` : line
}

const shorten = (line: string): string => (line.length > longest ? `${line.slice(0, longest - 1)}…` : line)
