/** A unified diff, read: its rows with their numbers, what replaces what, and which words of it changed. */
import { changedWords, type Range } from '../../text/changed-words.ts'
import { reveal } from '../../text/sanitize.ts'
import { withoutTabs } from '../spans.ts'

export interface DiffRow {
  /** Undefined for what is no line of the file: the gap between hunks, a note of the diff. */
  number?: number
  sign: ' ' | '+' | '-'
  /** As it is shown: what would be invisible is written out, since a person may have to judge it. */
  text: string
  /** Where it differs from the line that it replaces, or is replaced by. */
  changed?: readonly Range[]
}

/** A row beside the one that it became; what was only added or removed has nobody there. */
export interface Pair {
  before?: DiffRow
  after?: DiffRow
}

export function rowsOfDiff(diff: string): DiffRow[] {
  const rows: DiffRow[] = []
  let before = 0
  let after = 0
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    const text = withoutTabs(reveal(line.slice(1)))
    if (hunk) {
      before = Number(hunk[1])
      after = Number(hunk[2])
      if (rows.length > 0) rows.push({ sign: ' ', text: '⋯' })
    } else if (line.startsWith('+')) rows.push({ number: after++, sign: '+', text })
    else if (line.startsWith('-')) rows.push({ number: before++, sign: '-', text })
    else if (line.startsWith(' ')) {
      rows.push({ number: after++, sign: ' ', text })
      before++
    } else if (line.startsWith('\\')) rows.push({ sign: ' ', text: text.trim() })
  }
  return marked(rows)
}

/** Lines whose words are compared: it is done anew with every frame, and nobody reads more of them word by word. */
const mostCompared = 200

/** The first removed line of a block became the first added one, and so on. */
function marked(rows: DiffRow[]): DiffRow[] {
  let left = mostCompared
  for (const { removed, added } of blocksOf(rows))
    for (const [index, before] of removed.entries()) {
      const after = left-- > 0 ? added[index] : undefined
      const changed = after && changedWords(before.text, after.text)
      if (!after || !changed) continue
      before.changed = changed.before
      after.changed = changed.after
    }
  return rows
}

function* blocksOf(rows: readonly DiffRow[]): Generator<{ removed: DiffRow[]; added: DiffRow[] }> {
  let block: { removed: DiffRow[]; added: DiffRow[] } = { removed: [], added: [] }
  for (const row of rows) {
    if (row.sign === '-' && block.added.length === 0) block.removed.push(row)
    else if (row.sign === '+') block.added.push(row)
    else {
      yield block
      block = { removed: row.sign === '-' ? [row] : [], added: [] }
    }
  }
  yield block
}

/** The same rows, old ones on the left and new ones on the right. */
export function pairsOf(rows: readonly DiffRow[]): Pair[] {
  const pairs: Pair[] = []
  let open = 0
  for (const row of rows) {
    const waiting = pairs[open]
    if (row.sign === '+' && waiting) {
      waiting.after = row
      open++
    } else if (row.sign === '-') pairs.push({ before: row })
    else {
      pairs.push(row.sign === '+' ? { after: row } : { before: row, after: row })
      open = pairs.length
    }
  }
  return pairs
}
