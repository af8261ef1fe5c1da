/**
 * Where the `old` text of an edit stands in a file. Matching goes in tiers, the strictest first; the first tier that
 * finds anything has the word. Pure.
 */

/** A piece of the text, in UTF-16 units. */
export interface Span {
  start: number
  end: number
}

export interface Match {
  tier: string
  /** In order; they may overlap, which makes a match ambiguous too. */
  spans: Span[]
}

/** Spans that are looked for: whoever gets so many must take it that there are more. */
export const maxSpans = 1_000_000

const tiers: readonly { name: string; find(text: string, old: string): Span[] }[] = [
  { name: 'exact', find: findExact },
  { name: 'line ends', find: findWithAnyLineEnds },
]

/** undefined when no tier finds `old`, which must not be empty. */
export function findMatch(text: string, old: string): Match | undefined {
  for (const { name, find } of tiers) {
    const spans = find(text, old)
    if (spans.length > 0) return { tier: name, spans }
  }
  return undefined
}

function findExact(text: string, old: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(old); at >= 0 && spans.length < maxSpans; at = text.indexOf(old, at + 1)) {
    spans.push({ start: at, end: at + old.length })
  }
  return spans
}

/** `\n` and `\r\n` are the same: models write `\n` whatever the file has. */
function findWithAnyLineEnds(text: string, old: string): Span[] {
  if (!old.includes('\n')) return []
  const lines = old.split(/\r?\n/).map(line => line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const spans: Span[] = []
  for (const found of text.matchAll(new RegExp(lines.join('\\r?\\n'), 'g'))) {
    if (spans.push({ start: found.index, end: found.index + found[0].length }) === maxSpans) break
  }
  return spans
}

/**
 * Puts a replacement in the place of each span, literally; spans that overlap an earlier one are passed over.
 * `starts` are the places of the replacements in the new text.
 */
export function replaceSpans(
  text: string,
  spans: readonly Span[],
  replacement: (span: Span) => string,
): { text: string; starts: number[] } {
  const starts: number[] = []
  let result = ''
  let from = 0
  for (const span of spans) {
    if (span.start < from) continue
    result += text.slice(from, span.start)
    starts.push(result.length)
    result += replacement(span)
    from = span.end
  }
  return { text: result + text.slice(from), starts }
}

/** Tells the line end that the text has at a position: of that line, or of the last one. Positions must ascend. */
export function lineEndFinder(text: string): (position: number) => '\n' | '\r\n' {
  const last = text.lastIndexOf('\n')
  let newline = text.indexOf('\n')
  return position => {
    if (newline < position && newline < last) newline = text.indexOf('\n', position)
    return newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n'
  }
}

/** The number, from 1, of the line in which each position stands. Positions must ascend. */
export function lineNumbers(text: string, positions: readonly number[]): number[] {
  let line = 1
  let from = 0
  return positions.map(position => {
    for (let at = text.indexOf('\n', from); at >= 0 && at < position; at = text.indexOf('\n', from)) {
      line++
      from = at + 1
    }
    return line
  })
}
