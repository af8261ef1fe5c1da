/** The changes of a text one by one, to be taken back singly. Import it lazily: who only shows a diff needs less. */
import { applyPatch, reversePatch, structuredPatch } from 'diff'

/** When more lines differ, there are no parts to choose from. */
const maxEdits = 1000

export interface Hunk {
  /** `12–15`: its lines in the new text. */
  head: string
  /** The first line that differs. */
  first: string
  /** The new text without this change. */
  without: string
}

/** In order. */
export function hunksOf(before: string, after: string): Hunk[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 0, maxEditLength: maxEdits })
  return (patch?.hunks ?? []).map(hunk => {
    const { newStart, newLines, lines } = hunk
    const without = applyPatch(after, reversePatch({ ...emptyPatch, hunks: [hunk] }))
    return {
      head: newLines < 2 ? String(newStart) : `${newStart}–${newStart + newLines - 1}`,
      first: lines.find(line => /^[+-]/.test(line)) ?? '',
      without: without === false ? after : without,
    }
  })
}

const emptyPatch = { oldFileName: '', newFileName: '', oldHeader: '', newHeader: '' }
