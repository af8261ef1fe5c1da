/** A dialog as it is drawn: what asks and why, the whole of what would happen, what can be answered. */
import { reveal } from '../../text/sanitize.ts'
import type { Words } from '../../words/words.ts'
import { textLines } from '../cells/text.ts'
import { type Keymap, keyOf } from '../keymap.ts'
import type { Line } from '../line.ts'
import type { Popup } from '../window/window.ts'
import { bodyLines, whyLines } from './body.ts'
import type { Dialog } from './dialog.ts'
import { type Foot, footOf, ruleLines } from './foot.ts'

export interface DialogLook {
  columns: number
  /** Rows that the dialog may cover. */
  rows: number
  words: Words
  keymap: Keymap
}

export interface DialogView {
  popup: Popup
  /** On the screen, while something is typed in the dialog. */
  cursor?: { row: number; column: number }
}

/** The widest that a dialog gets: a longer line is hard to read. */
const widest = 110

/** How far the body can be scrolled: its first line when it is at its end, and the lines that are read at a time. */
export function scrollRange(dialog: Dialog, look: DialogLook): { lastTop: number; page: number } {
  const { body, shown } = laidOut(dialog, look)
  // The last line in sight says that there are more.
  return { lastTop: body.length - shown, page: Math.max(1, shown - 1) }
}

interface Parts {
  /** Always in sight. */
  head: Line[]
  /** Scrolled where there is no room for all of it. */
  body: Line[]
  foot: Foot
}

interface LaidOut extends Parts {
  width: number
  /** Lines of the body that are in sight. */
  shown: number
}

function laidOut(dialog: Dialog, look: DialogLook): LaidOut {
  const width = Math.max(4, Math.min(look.columns, widest))
  const room = Math.max(1, look.rows - 2)
  const inner = { ...look, width: Math.max(1, width - 4), room }
  const roomy = roomyParts(dialog, inner)
  const least = Math.min(roomy.body.length, Math.ceil(room / 2))
  const isTight = roomy.head.length + least + roomy.foot.lines.length > room
  const { head, body, foot } = isTight ? tightParts(dialog, inner) : roomy
  // Nothing is answered of which nothing can be read: a line, and that there are more.
  const lines = foot.lines.slice(0, Math.max(0, room - head.length - Math.min(2, body.length)))
  const shown = Math.min(body.length, room - head.length - lines.length)
  return { head, body, foot: { ...foot, lines }, width, shown }
}

interface Inner extends DialogLook {
  /** Columns and rows within the border. */
  width: number
  room: number
}

function roomyParts(dialog: Dialog, { width, room: height, words, keymap }: Inner): Parts {
  const foot = footOf(dialog, { width, height, words, keymap, isTight: false })
  const apart = {
    lines: [[], ...foot.lines],
    ...(foot.caret && { caret: { ...foot.caret, row: foot.caret.row + 1 } }),
  }
  return { ...aboutOf(dialog, width, words), foot: apart }
}

/** What would happen comes first; why it asks and the rules are read by scrolling. */
function tightParts(dialog: Dialog, { width, room, words, keymap }: Inner): Parts {
  const height = Math.max(1, Math.floor(room / 2))
  const { head, body } = aboutOf(dialog, width, words)
  const rules = ruleLines(dialog, { width, words })
  const isSaving = dialog.type === 'approval' && dialog.stage === 'save'
  const paragraphs = (isSaving ? [rules, body, head] : [body, head, rules]).filter(({ length }) => length > 0)
  return {
    head: [],
    body: paragraphs.flatMap((lines, index) => (index === 0 ? lines : [[], ...lines])),
    foot: footOf(dialog, { width, height, words, keymap, isTight: true }),
  }
}

function aboutOf(dialog: Dialog, width: number, words: Words): Omit<Parts, 'foot'> {
  if (dialog.type === 'question') return { head: [], body: textLines(dialog.text, width, { style: 'plain' }) }
  return { head: [...whyLines(dialog, width, words), []], body: bodyLines(dialog, width, words) }
}

export function dialogView(dialog: Dialog, look: DialogLook): DialogView {
  const { head, body, foot, width, shown } = laidOut(dialog, look)
  const { words, keymap } = look
  const top = Math.min(dialog.top, body.length - shown)
  const hidden = body.length - shown - top
  const visible = body.slice(top, top + shown)
  // A command's tail is never out of sight without a word about it.
  if (hidden > 0 && shown > 0) {
    const keys = { up: keyOf(keymap, 'approval_up'), down: keyOf(keymap, 'approval_down') }
    const note = `⋯ ${words.moreLines(hidden + 1)} · ${words.approval.scroll(keys)}`
    visible[shown - 1] = textLines(note, width - 4, { style: 'warning' })[0] ?? []
  }
  const lines = [...head, ...visible, ...foot.lines].map(padded)
  const height = lines.length + 2
  const popup = {
    top: Math.max(0, look.rows - height),
    left: Math.max(0, Math.floor((look.columns - width) / 2)),
    width,
    height,
    lines,
    title: titleOf(dialog, words),
    frame: dialog.type === 'approval' && dialog.hard ? ('danger' as const) : ('plain' as const),
  }
  if (!foot.caret) return { popup }
  const row = popup.top + 1 + head.length + visible.length + foot.caret.row
  return { popup, cursor: { row, column: popup.left + 2 + foot.caret.column } }
}

const padded = (line: Line): Line => [{ text: ' ', style: 'plain' }, ...line]

function titleOf(dialog: Dialog, { approval }: Words): string {
  if (dialog.type === 'question') return dialog.title
  const titles = dialog.hard ? approval.dangerTitle : approval.title
  const { preview, call } = dialog
  return titles[preview.type](reveal(call.name))
}
