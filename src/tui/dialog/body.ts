/** What a dialog is about: the whole of what would happen, with what would be invisible written out. */
import { reveal } from '../../text/sanitize.ts'
import type { ApprovalWords, Words } from '../../words/words.ts'
import { changeLines } from '../cells/diff.ts'
import { textLines } from '../cells/text.ts'
import type { Line, Span } from '../line.ts'
import type { ApprovalDialog } from './dialog.ts'

export function bodyLines({ preview, touches }: ApprovalDialog, width: number, words: Words): Line[] {
  const { approval } = words
  const touched =
    touches.length === 0
      ? []
      : textLines(`${approval.touches} ${touches.map(reveal).join(', ')}`, width, { style: 'muted' })
  const after = touched.length === 0 ? [] : [[], ...touched]
  switch (preview.type) {
    case 'command':
      return [...shownText(preview.command, width, approval), ...after]
    case 'text':
      return [...shownText(preview.text, width, approval), ...after]
    case 'diff': {
      const counts: Span[] = [
        { text: ` +${preview.added}`, style: 'added' },
        { text: ` −${preview.removed}`, style: 'removed' },
      ]
      const path = textLines(reveal(preview.path), Math.max(1, width - 12), { style: 'strong' })
      const last = path.at(-1) ?? []
      return [...path.slice(0, -1), [...last, ...counts], ...changeLines(preview.diff, width), ...after]
    }
  }
}

/** Why it asks. */
export function whyLines({ why, hard }: ApprovalDialog, width: number, { approval }: Words): Line[] {
  const style = hard ? 'danger' : 'warning'
  return [
    ...textLines(`${approval.why} ${reveal(why)}`, width, { style }),
    ...(hard ? textLines(approval.danger, width, { style }) : []),
  ]
}

function shownText(text: string, width: number, approval: ApprovalWords): Line[] {
  const shown = reveal(text)
  const note = shown === text ? [] : textLines(approval.revealed, width, { style: 'warning' })
  return [...textLines(shown, width, { style: 'strong' }), ...note]
}
