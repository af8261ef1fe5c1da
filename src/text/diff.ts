/**
 * A line diff for people: what a write changes, shown in the approval and kept in the journal.
 * Cost is bounded: what is alike at both ends is cut off, and when more than `maxEdits` lines differ between
 * them, the middle is shown as one block, old lines first.
 */

export interface Diff {
  /** Hunks with three lines of context, without file headers; empty when nothing changed. */
  diff: string
  added: number
  removed: number
}

const context = 3
const maxEdits = 1000

/** Kept lines alternate with changes: a change replaces `removed` old lines from `before` by `added` new ones. */
interface Change {
  before: number
  removed: number
  after: number
  added: number
}

/** The unified diff of two texts. A missing line end at the end of a text is a difference, and is said. */
export function diffLines(before: string, after: string): Diff {
  const a = splitLines(before)
  const b = splitLines(after)
  const changes = findChanges(a, b)
  let added = 0
  let removed = 0
  for (const change of changes) {
    added += change.added
    removed += change.removed
  }
  return {
    diff: group(changes)
      .map(hunk => printHunk(hunk, a, b))
      .join(''),
    added,
    removed,
  }
}

/** Lines with their line ends, so that `a` and `a\n` differ. */
function splitLines(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop()
  const whole = lines.map(line => `${line}\n`)
  if (last) whole.push(last)
  return whole
}

function findChanges(a: string[], b: string[]): Change[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  if (start === endA && start === endB) return []
  const block = { before: start, removed: endA - start, after: start, added: endB - start }
  if (block.removed === 0 || block.added === 0) return [block]
  const kept = keptLines(a.slice(start, endA), b.slice(start, endB))
  return kept ? changesBetween(kept, block) : [block]
}

/**
 * Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986): pairs of line numbers that
 * both texts keep, in order. undefined when more than `maxEdits` lines differ.
 */
function keptLines(a: string[], b: string[]): [number, number][] | undefined {
  const limit = Math.min(maxEdits, a.length + b.length)
  const reach = new Int32Array(2 * limit + 3)
  const middle = limit + 1
  const history: Int32Array[] = []
  for (let edits = 0; edits <= limit; edits++) {
    history.push(reach.slice(middle - edits - 1, middle + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = furthest(reach, middle, diagonal, edits)
      let y = x - diagonal
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++
        y++
      }
      reach[middle + diagonal] = x
      if (x >= a.length && y >= b.length) return walkBack(history, a.length, b.length)
    }
  }
  return undefined
}

/** Where a path on `diagonal` starts after one more edit: a line of `b` added, or one of `a` removed. */
function furthest(reach: Int32Array, middle: number, diagonal: number, edits: number): number {
  const at = middle + diagonal
  return isAddition(reach, middle, diagonal, edits) ? (reach[at + 1] ?? 0) : (reach[at - 1] ?? 0) + 1
}

function isAddition(reach: Int32Array, middle: number, diagonal: number, edits: number): boolean {
  const at = middle + diagonal
  return diagonal === -edits || (diagonal !== edits && (reach[at - 1] ?? 0) < (reach[at + 1] ?? 0))
}

function walkBack(history: Int32Array[], endX: number, endY: number): [number, number][] {
  const kept: [number, number][] = []
  let x = endX
  let y = endY
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const reach = history[edits] ?? new Int32Array()
    const middle = edits + 1
    const diagonal = x - y
    const start = edits === 0 ? 0 : furthest(reach, middle, diagonal, edits)
    while (x > start && y > start - diagonal) kept.push([--x, --y])
    if (edits === 0) break
    if (isAddition(reach, middle, diagonal, edits)) y--
    else x--
  }
  return kept.reverse()
}

function changesBetween(kept: [number, number][], block: Change): Change[] {
  const changes: Change[] = []
  let x = 0
  let y = 0
  for (const [keptX, keptY] of [...kept, [block.removed, block.added] as const]) {
    if (keptX > x || keptY > y) {
      changes.push({ before: block.before + x, removed: keptX - x, after: block.after + y, added: keptY - y })
    }
    x = keptX + 1
    y = keptY + 1
  }
  return changes
}

/** Changes whose context would touch stand in one hunk. */
function group(changes: Change[]): Change[][] {
  const hunks: Change[][] = []
  let last: Change | undefined
  for (const change of changes) {
    if (last && change.before - (last.before + last.removed) <= 2 * context) hunks.at(-1)?.push(change)
    else hunks.push([change])
    last = change
  }
  return hunks
}

function printHunk(hunk: Change[], a: string[], b: string[]): string {
  const first = hunk[0]
  const last = hunk.at(-1)
  if (!first || !last) return ''
  const lead = Math.min(context, first.before)
  const end = Math.min(a.length, last.before + last.removed + context)
  const lines: string[] = []
  let x = first.before - lead
  for (const change of hunk) {
    while (x < change.before) lines.push(printLine(' ', a[x++]))
    while (x < change.before + change.removed) lines.push(printLine('-', a[x++]))
    for (let y = change.after; y < change.after + change.added; y++) lines.push(printLine('+', b[y]))
  }
  while (x < end) lines.push(printLine(' ', a[x++]))
  const tailLength = end - (last.before + last.removed)
  const before = range(first.before - lead, end - (first.before - lead))
  const after = range(first.after - lead, last.after + last.added + tailLength - (first.after - lead))
  return `@@ -${before} +${after} @@\n${lines.join('')}`
}

function range(start: number, length: number): string {
  return `${length === 0 ? start : start + 1},${length}`
}

function printLine(mark: string, line = ''): string {
  return line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`
}
