/**
 * Places of a text in a longer one: exactly as it is written, or with whatever line ends there are; and what is put there. Pure.
 */

/** A piece of the text, in UTF-16 units. */
export interface Span {
  start: number
  end: number
}

/** Spans that are looked for: whoever gets so many must take it that there are more. */
export const maxSpans = 1_000_000

/** In order; they may overlap, which makes a match ambiguous. */
export function findExact(text: string, old: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(old); at >= 0 && spans.length < maxSpans; at = text.indexOf(old, at + 1)) {
    spans.push({ start: at, end: at + old.length })
  }
  return spans
}

/** `\n` and `\r\n` are the same: models write `\n` whatever the file has. */
export function findWithAnyLineEnds(text: string, old: string): Span[] {
  if (!old.includes('\n') || !(text.includes('\r\n') || old.includes('\r\n'))) return []
  /** Where the text without its carriage returns has lost one. */
  const lost: number[] = []
  for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2)) lost.push(at - lost.length)
  const plain = text.replaceAll('\r\n', '\n')
  let before = 0
  // Each span begins behind the one before; a line end belongs to what comes before it.
  return findExact(plain, old.replaceAll('\r\n', '\n')).map(({ start, end }) => {
    while (before < lost.length && lost[before]! < start) before++
    let within = before
    while (within < lost.length && lost[within]! < end) within++
    return { start: start + before, end: end + within }
  })
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

/** The number, from 1, of the line in which each position is. Positions must ascend. */
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
