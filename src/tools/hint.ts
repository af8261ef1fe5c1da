/** What to show a model whose `old` text is not in the file: the lines that it probably meant. Pure, bounded. */

/** Lines compared, characters of a line that count, and lines shown. */
const maxLines = 50_000
const maxLength = 200
const maxShown = 12
/** Shared pairs of letters from which on two lines are called alike (Dice's coefficient). */
const alike = 0.6

export interface Hint {
  /** The first line shown, from 1. */
  line: number
  lines: string[]
  /** The lines differ from `old` in white space alone. */
  blanksOnly: boolean
  /** The first line that is another one in `old`; `file` is undefined where the file has no such line. */
  differs: { line: number; file: string | undefined; old: string } | undefined
}

/** The lines of `text` that are most like `old`; undefined when nothing is. */
export function findHint(text: string, old: string): Hint | undefined {
  const lines = text.split(/\r?\n/)
  const wanted = old.replace(/^\s*\n|\n\s*$/g, '').split(/\r?\n/)
  const anchor = wanted.reduce(
    (best, line, at) => (line.trim().length > (wanted[best] ?? '').trim().length ? at : best),
    0,
  )
  const near = mostAlike(lines.slice(0, maxLines), wanted[anchor] ?? '')
  if (near === undefined) return undefined
  const start = Math.max(0, near - anchor)
  const end = start + wanted.length
  const shown = lines.slice(start, Math.min(end, start + maxShown))
  const from = near - anchor
  const at = wanted.findIndex((line, at) => line !== lines[from + at])
  const piece = (line: string) => line.slice(0, maxLength)
  return {
    line: start + 1,
    lines: shown.map(line => line.slice(0, maxLength)),
    blanksOnly: withoutBlanks(lines.slice(start, end)) === withoutBlanks(wanted),
    differs:
      at < 0 || from + at < 0
        ? undefined
        : {
            line: from + at + 1,
            file: lines[from + at] === undefined ? undefined : piece(lines[from + at]!),
            old: piece(wanted[at]!),
          },
  }
}

function mostAlike(lines: readonly string[], wanted: string): number | undefined {
  const pairs = letterPairs(wanted)
  if (pairs.size === 0) return undefined
  let best: number | undefined
  let bestScore = alike
  for (const [at, line] of lines.entries()) {
    const score = likeness(pairs, line)
    if (score > bestScore) {
      best = at
      bestScore = score
    }
  }
  return best
}

function likeness(pairs: ReadonlySet<string>, line: string): number {
  const others = letterPairs(line)
  let shared = 0
  for (const pair of others) if (pairs.has(pair)) shared++
  return (2 * shared) / (pairs.size + others.size)
}

function letterPairs(line: string): Set<string> {
  const text = line.trim().slice(0, maxLength)
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2))
  return pairs
}

function withoutBlanks(lines: readonly string[]): string {
  return lines.join('').replace(/\s+/g, '')
}
