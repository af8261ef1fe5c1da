/** A dialog as it is drawn: what asks and why, the whole of what would happen, what can be answered. */
import { reveal } from '../../text/sanitize.ts'
import { displayWidth } from '../../text/width.ts'
import type { Words } from '../../words/words.ts'
import { COLUMNS_FOR_SIDES } from '../cells/diff.ts'
import { textLines } from '../cells/text.ts'
import { type Keymap, keyOf } from '../keymap.ts'
import { leftOf } from '../layout.ts'
import type { Line } from '../line.ts'
import type { Markdown } from '../markdown/markdown.ts'
import type { Popup } from '../window/window.ts'
import { bodyOf, whyLines } from './body.ts'
import { type Dialog, isRead } from './dialog.ts'
import { type Foot, footOf, ruleLines } from './foot.ts'

export interface DialogLook {
  columns: number
  /** Of them beside the conversation. */
  besides?: number
  /** Rows that the dialog may cover. */
  rows: number
  words: Words
  keymap: Keymap
  /** Absent: code has no colours yet. */
  markdown?: Markdown | undefined
  /** It has the keyboard. Default true. */
  isAwake?: boolean
}

export interface DialogView {
  popup: Popup
  /** On the screen, while something is typed in the dialog. */
  cursor?: { row: number; column: number }
}

/** The widest that a dialog gets: a longer line is hard to read. */
const widest = 110

export interface ScrollRange {
  /** The body's first line when it is at its end. */
  lastTop: number
  /** The body's first line when the end of what has to be read comes into sight. */
  readTop: number
  /** Lines that are read at a time. */
  page: number
}

export function scrollRange(dialog: Dialog, look: DialogLook): ScrollRange {
  return rangeOf(laidOut(dialog, look))
}

/** The last line in sight says that there are more. */
function rangeOf({ body, toRead, shown }: LaidOut): ScrollRange {
  const lastTop = body.length - shown
  return {
    lastTop,
    readTop: Math.max(0, Math.min(lastTop, toRead - shown + 1)),
    page: Math.max(1, shown - 1),
  }
}

interface Parts {
  /** Always in sight. */
  head: Line[]
  /** Scrolled where there is no room for all of it. */
  body: Line[]
  /** Lines of the body that have to be seen before it is allowed. */
  toRead: number
  foot: Foot
}

interface LaidOut extends Parts {
  width: number
  /** Lines of the body that are in sight. */
  shown: number
}

function laidOut(dialog: Dialog, look: DialogLook): LaidOut {
  const width = Math.max(4, isSideBySide(dialog, look) ? look.columns - 4 : Math.min(look.columns, widest))
  const room = Math.max(1, look.rows - 2)
  const inner = { ...look, width: Math.max(1, width - 4), room }
  const roomy = roomyParts(dialog, inner)
  const least = Math.min(roomy.body.length, Math.ceil(room / 2))
  const isTight = roomy.head.length + least + roomy.foot.lines.length > room
  const { head, body, toRead, foot } = isTight ? tightParts(dialog, inner) : roomy
  // Nothing is answered of which nothing can be read: a line, and that there are more.
  const lines = foot.lines.slice(0, Math.max(0, room - head.length - Math.min(2, body.length)))
  const shown = Math.min(body.length, room - head.length - lines.length)
  return { head, body, toRead, foot: { ...foot, lines }, width, shown }
}

const isSideBySide = (dialog: Dialog, { columns }: DialogLook): boolean =>
  columns >= COLUMNS_FOR_SIDES && dialog.type === 'approval' && dialog.preview.type === 'diff'

interface Inner extends DialogLook {
  /** Columns and rows within the border. */
  width: number
  room: number
}

function roomyParts(dialog: Dialog, inner: Inner): Parts {
  const { width, room: height, words, keymap, isAwake = true } = inner
  const foot = footOf(dialog, { width, height, words, keymap, isAwake, isTight: false })
  const apart = {
    lines: [[], ...foot.lines],
    ...(foot.caret && { caret: { ...foot.caret, row: foot.caret.row + 1 } }),
  }
  return { ...aboutOf(dialog, inner), foot: apart }
}

/** What would happen comes first; why it asks and the rules are read by scrolling. */
function tightParts(dialog: Dialog, inner: Inner): Parts {
  const { width, room, words, keymap, isAwake = true } = inner
  const height = Math.max(1, Math.floor(room / 2))
  const { head, body, toRead } = aboutOf(dialog, inner)
  const rules = ruleLines(dialog, { width, words })
  const isSaving = dialog.type === 'approval' && dialog.stage === 'save'
  const paragraphs = (isSaving ? [rules, body, head] : [body, head, rules]).filter(({ length }) => length > 0)
  return {
    head: [],
    toRead: isSaving ? 0 : toRead,
    body: paragraphs.flatMap((lines, index) => (index === 0 ? lines : [[], ...lines])),
    foot: footOf(dialog, { width, height, words, keymap, isAwake, isTight: true }),
  }
}

function aboutOf(dialog: Dialog, look: Inner): Omit<Parts, 'foot'> {
  const { width, words } = look
  if (dialog.type === 'question')
    return { head: [], body: textLines(dialog.text, width, { style: 'plain' }), toRead: 0 }
  const { lines, toRead } = bodyOf(dialog, { ...look, isWide: isSideBySide(dialog, look) })
  return { head: [...whyLines(dialog, width, words), []], body: lines, toRead }
}

export function dialogView(dialog: Dialog, look: DialogLook): DialogView {
  const laid = laidOut(dialog, look)
  const { head, body, foot, width, shown } = laid
  const { words, keymap } = look
  const top = Math.min(dialog.top, body.length - shown)
  const hidden = body.length - shown - top
  const visible = body.slice(top, top + shown)
  // A command's tail is never out of sight without a word about it.
  if (hidden > 0 && shown > 0) {
    const keys = { up: keyOf(keymap, 'approval_up'), down: keyOf(keymap, 'approval_down') }
    const more = `⋯ ${words.moreLines(hidden + 1)} · `
    const unread = `${more}${words.approval.unread({ ...keys, allow: keyOf(keymap, 'allow_once') })}`
    const mustRead = !isRead(dialog, rangeOf(laid)) && displayWidth(unread) <= width - 4
    const note = mustRead ? unread : `${more}${words.approval.scroll(keys)}`
    visible[shown - 1] = textLines(note, width - 4, { style: 'warning' })[0] ?? []
  }
  const lines = [...head, ...visible, ...foot.lines].map(padded)
  const height = lines.length + 2
  const popup = {
    top: Math.max(0, look.rows - height),
    left: leftOf(width, look),
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
  const { preview, call, among } = dialog
  const title = titles[preview.type](reveal(call.name))
  const [at, of] = [1 + (among?.before ?? 0), 1 + (among?.before ?? 0) + (among?.later.length ?? 0)]
  return of === 1 ? title : `${title} · ${approval.among({ at, of })}`
}
