/** A text by its lines, and where a run of lines stands in it when only a part of each line counts. Pure. */

export interface FileLine {
  /** Without its line end. */
  text: string
  /** Where it starts in the whole text, in UTF-16 units. */
  start: number
}

export function fileLines(text: string): FileLine[] {
  const lines: FileLine[] = []
  for (let start = 0; ; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const isCrlf = newline > start && text[newline - 1] === '\r'
    // A byte-order mark is no part of what the first line says.
    const from = start === 0 && text.startsWith('\ufeff') ? 1 : start
    lines.push({ text: text.slice(from, isCrlf ? end - 1 : end), start: from })
    if (newline < 0) return lines
    start = newline + 1
  }
}

/** The lines of a text that somebody sent, without line ends. */
export const splitLines = (text: string): string[] => text.split(/\r?\n/)

/** The indexes of the lines at which all the wanted ones begin, one after the other; only what `key` leaves of each counts. */
export function findLines(
  lines: readonly FileLine[],
  wanted: readonly string[],
  key: (line: string) => string,
): number[] {
  const starts = [0]
  let joined = '\n'
  // Joined, so that the search takes one pass whatever the lines repeat.
  const keys = lines.map(({ text }) => key(text))
  for (const line of keys) starts.push(starts[starts.length - 1]! + line.length + 1)
  joined += `${keys.join('\n')}\n`
  const needle = `\n${wanted.map(key).join('\n')}\n`
  const found: number[] = []
  let line = 0
  for (let at = joined.indexOf(needle); at >= 0; at = joined.indexOf(needle, at + 1)) {
    while (starts[line]! < at) line++
    found.push(line)
  }
  return found
}

/** A text without the blank lines around it, and how many lines were taken off either end. */
export interface Core {
  lines: string[]
  before: number
  after: number
}

/** undefined: nothing but blanks. */
export function coreOf(lines: readonly string[]): Core | undefined {
  const first = lines.findIndex(line => line.trim() !== '')
  if (first < 0) return undefined
  const last = lines.findLastIndex(line => line.trim() !== '')
  return { lines: lines.slice(first, last + 1), before: first, after: lines.length - 1 - last }
}

/** Takes off at most as many blank lines as were taken off the other text's ends. */
export function trimAlike(lines: readonly string[], { before, after }: Core): string[] {
  let start = 0
  while (start < before && start < lines.length && lines[start]?.trim() === '') start++
  let end = lines.length
  while (lines.length - end < after && end > start && lines[end - 1]?.trim() === '') end--
  return lines.slice(start, end)
}
