/** Which words of a line are not those of the line that it replaces. */

/** Offsets, the end not included. */
export interface Range {
  start: number
  end: number
}

/** Beyond so many words on each side nobody compares them one by one. */
const most = 120
/** With less of it in common a line is another line, not a changed one. */
const leastCommon = 0.35

/** What differs in each; undefined where they have hardly anything in common. */
export function changedWords(before: string, after: string): { before: Range[]; after: Range[] } | undefined {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  if (a.length > most || b.length > most) return undefined
  const kept = commonOf(a, b)
  const length = (words: readonly string[]) => words.join('').replaceAll(/\s/g, '').length
  const common = length(a.filter((_, index) => kept.a.has(index)))
  if (common < leastCommon * Math.max(length(a), length(b))) return undefined
  return { before: rangesOf(a, kept.a), after: rangesOf(b, kept.b) }
}

const wordsOf = (line: string): string[] => line.match(/[\p{L}\p{N}_]+|\s+|./gu) ?? []

/** The longest common subsequence, as the places of its words in each. */
function commonOf(a: readonly string[], b: readonly string[]): { a: Set<number>; b: Set<number> } {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i] as Uint16Array
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const kept = { a: new Set<number>(), b: new Set<number>() }
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      kept.a.add(i++)
      kept.b.add(j++)
    } else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return kept
}

/** Blanks between two changed words are changed with them. */
function rangesOf(words: readonly string[], kept: ReadonlySet<number>): Range[] {
  const ranges: Range[] = []
  let at = 0
  for (const [index, word] of words.entries()) {
    const last = ranges.at(-1)
    const joins = /^\s+$/.test(word) && last?.end === at && index + 1 < words.length && !kept.has(index + 1)
    if (!kept.has(index) || joins) {
      if (last?.end === at) last.end = at + word.length
      else ranges.push({ start: at, end: at + word.length })
    }
    at += word.length
  }
  return ranges
}
