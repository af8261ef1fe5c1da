/** What a dialog is about: the whole of what would happen, with what would be invisible written out. */
import { reveal } from '../../text/sanitize.ts'
import { subjectOf } from '../../text/tool-line.ts'
import { cut, displayWidth } from '../../text/width.ts'
import { saidOf } from '../../words/sayings/said.ts'
import type { Words } from '../../words/words.ts'
import { changeLines } from '../cells/diff.ts'
import { textLines } from '../cells/text.ts'
import type { Line, Span } from '../line.ts'
import type { Markdown } from '../markdown/markdown.ts'
import type { ApprovalDialog } from './dialog.ts'

export interface Body {
  lines: Line[]
  /** How many of them have to be seen before it is allowed: a command to its end. */
  toRead: number
}

export interface BodyLook {
  width: number
  words: Words
  /** Absent: code has no colours yet. */
  markdown?: Markdown | undefined
  /** There is room for both sides of a change. */
  isWide: boolean
}

export function bodyOf(dialog: ApprovalDialog, { width, words, markdown, isWide }: BodyLook): Body {
  const { preview, touches } = dialog
  const { approval } = words
  const touched =
    touches.length === 0
      ? []
      : textLines(`${approval.touches} ${words.listed(touches.map(reveal))}`, width, { style: 'muted' })
  const parts = [partLines(dialog, width, words), touched, laterLines(dialog, width, words)]
  const after = parts.filter(({ length }) => length > 0).flatMap(lines => [[], ...lines])
  switch (preview.type) {
    case 'command':
    case 'text': {
      const text = preview.type === 'command' ? preview.command : preview.text
      const lines = shownText(text, width, approval)
      return { lines: [...lines, ...after], toRead: lines.length }
    }
    case 'diff': {
      const counts = countsOf(preview)
      const path = textLines(reveal(preview.path), Math.max(1, width - 12), { style: 'strong' })
      const last = path.at(-1) ?? []
      const lines = [
        ...path.slice(0, -1),
        [...last, ...counts],
        ...changeLines(preview.diff, width, { path: preview.path, markdown, isWide }),
        ...after,
      ]
      return { lines, toRead: 0 }
    }
  }
}

const countsOf = ({ added, removed }: { added: number; removed: number }): Span[] => [
  { text: ` +${added}`, style: 'added' },
  { text: ` −${removed}`, style: 'removed' },
]

const NATURES = { reads: 'success', writes: 'warning', network: 'danger', unknown: 'warning' } as const

/** What each command of a line does; one that asks, with its reason. */
function partLines({ parts = [] }: ApprovalDialog, width: number, { approval, say }: Words): Line[] {
  const room = Math.max(...parts.map(({ does }) => displayWidth(approval.does[does]))) + 2
  return parts.flatMap(({ text, does, why }) => {
    const name = approval.does[does]
    const first = { text: name + ' '.repeat(room - displayWidth(name)), style: NATURES[does] }
    const shown = cut(reveal(text.replaceAll(/\s+/g, ' ')), Math.max(1, 2 * (width - room)), { mark: '…' })
    return [
      ...textLines(shown, width, { style: why ? 'warning' : 'muted', first }),
      ...(why
        ? textLines(reveal(say(why)), width, { style: 'muted', first: { ...BLANK, text: ' '.repeat(room) } })
        : []),
    ]
  })
}

const BLANK = { style: 'plain' } as const

/** The calls of the same reply that are asked about after this one. */
function laterLines({ among }: ApprovalDialog, width: number, { approval, tool }: Words): Line[] {
  const { later = [] } = among ?? {}
  if (later.length === 0) return []
  return [
    ...textLines(approval.later, width, { style: 'muted' }),
    ...later.flatMap(({ name, arguments: args, added, removed }) => {
      const lines = textLines(reveal(`${name} ${subjectOf(args, tool)}`), Math.max(1, width - 12), {
        style: 'muted',
        first: { ...BLANK, text: '  ' },
      })
      if (added === undefined || removed === undefined) return lines
      return [...lines.slice(0, -1), [...(lines.at(-1) ?? []), ...countsOf({ added, removed })]]
    }),
  ]
}

/** Why it asks. */
export function whyLines(dialog: ApprovalDialog, width: number, { approval, say }: Words): Line[] {
  const why = say(saidOf(dialog))
  const style = dialog.hard ? 'danger' : 'warning'
  return [
    ...textLines(approval.why(reveal(why)), width, { style }),
    ...(dialog.hard ? textLines(approval.danger, width, { style }) : []),
  ]
}

function shownText(text: string, width: number, approval: Words['approval']): Line[] {
  const shown = reveal(text)
  const note = shown === text ? [] : textLines(approval.revealed, width, { style: 'warning' })
  return [...textLines(shown, width, { style: 'strong' }), ...note]
}
