/**
 * Globs, as far as they must be bounded: `{1..99999999}` would fill the memory, `{a,b}{a,b}…` and `*a*a*a*a*…` take for ever.
 */
import { ToolError } from '../protocol/errors.ts'
import { count } from '../text/truncate.ts'

/** No path is longer. */
const longestGlob = 4_096

/** Throws a `ToolError` for a glob that stands for more than `most` patterns. `name`: of the tool and its parameter. */
export function boundBraces(glob: string, name: string, most = 1_000): void {
  if (glob.length > longestGlob) throw new ToolError(`${name} is longer than ${longestGlob} characters.`)
  if (isEndless(glob))
    throw new ToolError(
      `${name} has more stars than can be tried. Use fewer, or search with a regular expression.`,
    )
  if (patternsIn(glob) <= most) return
  throw new ToolError(
    `${name}: its braces stand for more than ${count(most)} patterns. Use * instead, or ask for less at a time.`,
  )
}

/** Stars side by side in one name, and `**` in one path: each more multiplies the ways to try by the length of a name. */
const MOST_STARS = 4

/** Whether a name can be thought of that takes for ever to compare with a glob: the regular expressions made of them go back. */
export function isEndless(glob: string): boolean {
  const parts = glob.split('/')
  const deep = parts.filter(part => part.includes('**')).length
  const more = parts.map(part => Math.max(0, (part.match(/\*+/g)?.length ?? 0) - 1))
  const ways = Math.max(0, deep - 1) + more.reduce((sum, ways) => sum + ways, 0)
  return ways >= MOST_STARS || /\)[*+?{]|\([^)]*[*+]/.test(glob)
}

/** How many patterns the braces of a glob stand for, at most. What is open at the end counts as if it were closed. */
function patternsIn(glob: string): number {
  interface Group {
    start: number
    /** Of the alternatives that are complete. */
    sum: number
    /** Of the one that is being read. */
    product: number
  }
  const outer: Group[] = []
  let group: Group = { start: 0, sum: 0, product: 1 }
  const close = (end: number) => {
    const inner = rangeIn(glob.slice(group.start, end)) ?? group.sum + group.product
    group = outer.pop() ?? group
    group.product *= inner
  }
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at]
    if (character === '\\') at++
    else if (character === '{') {
      outer.push(group)
      group = { start: at + 1, sum: 0, product: 1 }
    } else if (outer.length > 0 && character === ',') {
      group.sum += group.product
      group.product = 1
    } else if (outer.length > 0 && character === '}') close(at)
  }
  while (outer.length > 0) close(glob.length)
  return group.product
}

/** `1..9`, `a..z`, `1..100..5`: how many there are. The step counts for nothing: it may be none. */
function rangeIn(text: string): number | undefined {
  const [, from, to] = /^(-?\d+|.)\.\.(-?\d+|.)(?:\.\..*)?$/su.exec(text) ?? []
  if (from === undefined || to === undefined) return undefined
  const place = (end: string) => (/\d/.test(end) ? Number(end) : (end.codePointAt(0) ?? 0))
  return Math.abs(place(to) - place(from)) + 1
}
