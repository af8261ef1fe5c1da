/**
 * A line diff for people: what a write changes, shown in the approval and kept in the journal.
 * Cost is bounded: when more than `maxEdits` lines differ, what lies between the like ends is shown as one block, old
 * lines first.
 */
import { type StructuredPatchHunk, structuredPatch } from 'diff'

export interface Diff {
  /** Hunks with three lines of context, without file headers; empty when nothing changed. */
  diff: string
  added: number
  removed: number
}

const context = 3
const maxEdits = 1000

/** The unified diff of two texts. A missing line end at the end of a text is a difference, and is said. */
export function diffLines(before: string, after: string): Diff {
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: maxEdits })
  const hunks = patch?.hunks ?? [oneBlock(splitLines(before), splitLines(after))]
  const lines = hunks.flatMap(hunk => hunk.lines)
  return {
    diff: hunks.map(printHunk).join(''),
    added: lines.filter(line => line.startsWith('+')).length,
    removed: lines.filter(line => line.startsWith('-')).length,
  }
}

function oneBlock(a: string[], b: string[]): StructuredPatchHunk {
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let end = 0
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [from, tail] = [Math.max(0, start - context), Math.max(0, end - context)]
  const lines = [
    ...a.slice(from, start).map(line => ` ${line}`),
    ...a.slice(start, a.length - end).map(line => `-${line}`),
    ...b.slice(start, b.length - end).map(line => `+${line}`),
    ...a.slice(a.length - end, a.length - tail).map(line => ` ${line}`),
  ]
  return {
    oldStart: from + 1,
    oldLines: a.length - tail - from,
    newStart: from + 1,
    newLines: b.length - tail - from,
    lines: lines.flatMap(line => line.split(/\n(?=\\ No newline)/)),
  }
}

/** Without line ends; a missing one is said in the last line. */
function splitLines(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop()
  return last ? [...lines, `${last}\n\\ No newline at end of file`] : lines
}

function printHunk({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  const range = (start: number, length: number) => `${length === 0 ? start - 1 : start},${length}`
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.map(line => `${line}\n`).join('')}`
}
