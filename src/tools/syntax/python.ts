/** What of Python's indentation an edit breaks: a block without a body, a line that stands between two levels. Pure. */
import type { Span } from '../match.ts'
import { isIn } from './javascript.ts'
import type { Problem } from './scan.ts'

/** For a text whose brackets and strings are closed; `quoted`: its strings and comments. */
export function indentProblem(text: string, quoted: readonly Span[]): Problem | undefined {
  const levels = [0]
  let depth = 0
  let expectsBlock = false
  let isContinued = false
  let opener = 0
  let position = 0
  for (const [at, line] of text.split('\n').entries()) {
    const start = position
    position += line.length + 1
    const indent = /^[ \t\f]*/.exec(line)![0]
    const first = start + indent.length
    const isString = isIn(quoted, start) && quoted.some(span => span.start < start && span.end > start)
    const code = codeOf(line, start, quoted)
    const starts = depth === 0 && !isContinued && !isString
    if (
      starts &&
      indent.length < line.trimEnd().length &&
      !(isIn(quoted, first) && line[indent.length] === '#')
    ) {
      const width = indent.replace(/\t/g, '        ').length
      const top = levels[levels.length - 1]!
      if (expectsBlock && width <= top)
        return { line: at + 1, what: `an indented block is expected after line ${opener}` }
      if (!expectsBlock && width > top) return { line: at + 1, what: 'the line is indented for no reason' }
      if (expectsBlock) levels.push(width)
      while (levels[levels.length - 1]! > width) levels.pop()
      if (levels[levels.length - 1] !== width)
        return { line: at + 1, what: 'the indentation matches no level above' }
      expectsBlock = false
    }
    for (const sign of code) {
      if ('([{'.includes(sign)) depth++
      else if (')]}'.includes(sign)) depth--
    }
    const bare = code.trimEnd()
    isContinued = bare.endsWith('\\')
    if (depth === 0 && bare.endsWith(':')) {
      expectsBlock = true
      opener = at + 1
    }
  }
  return expectsBlock ? { line: opener, what: 'the block has no body' } : undefined
}

/** A line with its strings and comments left blank. */
function codeOf(line: string, start: number, quoted: readonly Span[]): string {
  let code = ''
  for (let at = 0; at < line.length; at++) {
    if (!isIn(quoted, start + at)) code += line[at]
    // A string is a thing that a line may end with; a comment is nothing.
    else code += line[at] === '#' || /^\s*$/.test(code) ? ' ' : '_'
  }
  return code.replace(/\s_*\s*$/, found =>
    found.includes('_') && line.trimEnd().endsWith('"') ? found : ' ',
  )
}
