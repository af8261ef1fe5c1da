/** A dialog as it is drawn: what asks and why, the whole of what would happen, what can be answered. */
import { reveal } from '../../text/sanitize.ts'
import { displayWidth } from '../../text/width.ts'
import type { ApprovalWords, Words } from '../../words/words.ts'
import { changeLines } from '../cells/diff.ts'
import { textLines } from '../cells/text.ts'
import { viewOf } from '../editor/rows.ts'
import { type Action, type Keymap, printedKey } from '../keymap.ts'
import type { Line, Span } from '../line.ts'
import type { Popup } from '../window/window.ts'
import { type ApprovalDialog, type Dialog, offers } from './dialog.ts'

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
const mostReasonRows = 4

/** The first line of the body when it is scrolled to its end. */
export function lastTop(dialog: Dialog, look: DialogLook): number {
  const { body, shown } = laidOut(dialog, look)
  return body.length - shown
}

function laidOut(dialog: Dialog, look: DialogLook) {
  const width = Math.max(4, Math.min(look.columns, widest))
  const parts = partsOf(dialog, Math.max(1, width - 4), look)
  const room = Math.max(0, look.rows - 2 - parts.head.length - parts.foot.length)
  return { ...parts, width, shown: Math.min(room, parts.body.length) }
}

export function dialogView(dialog: Dialog, look: DialogLook): DialogView {
  const { head, body, foot, caret, width, shown } = laidOut(dialog, look)
  const top = Math.min(dialog.top, body.length - shown)
  const hidden = body.length - shown - top
  const visible = body.slice(top, top + shown)
  // A command's tail is never out of sight without a word about it.
  if (hidden > 0 && shown > 0) {
    visible[shown - 1] = [{ text: `⋯ ${look.words.moreLines(hidden + 1)}`, style: 'warning' }]
  }
  const lines = [...head, ...visible, ...foot].slice(0, Math.max(1, look.rows - 2)).map(padded)
  const height = lines.length + 2
  const popup = {
    top: Math.max(0, look.rows - height),
    left: Math.max(0, Math.floor((look.columns - width) / 2)),
    width,
    height,
    lines,
    title: titleOf(dialog, look.words),
    frame: dialog.type === 'approval' && dialog.hard ? ('danger' as const) : ('plain' as const),
  }
  if (!caret) return { popup }
  const row = popup.top + 1 + head.length + visible.length + caret.row
  return { popup, cursor: { row, column: popup.left + 2 + caret.column } }
}

const padded = (line: Line): Line => [{ text: ' ', style: 'plain' }, ...line]

interface Parts {
  head: Line[]
  body: Line[]
  foot: Line[]
  /** Where something is typed: row in `foot`, column in its line. */
  caret?: { row: number; column: number }
}

function partsOf(dialog: Dialog, width: number, look: DialogLook): Parts {
  const { words, keymap } = look
  if (dialog.type === 'question') {
    const foot = buttonLines(
      [
        { key: keyOf(keymap, 'allow_once'), does: words.questions.yes },
        { key: keyOf(keymap, 'deny'), does: words.questions.no },
      ],
      width,
    )
    return { head: [], body: textLines(dialog.text, width, { style: 'plain' }), foot: [[], ...foot] }
  }
  const { approval } = words
  const head = [
    ...textLines(`${approval.why} ${reveal(dialog.why)}`, width, {
      style: dialog.hard ? 'danger' : 'warning',
    }),
    ...(dialog.hard ? textLines(approval.danger, width, { style: 'danger' }) : []),
    [],
  ]
  return { head, body: bodyOf(dialog, width, words), ...footOf(dialog, width, look) }
}

function titleOf(dialog: Dialog, { approval }: Words): string {
  if (dialog.type === 'question') return dialog.title
  const titles = dialog.hard ? approval.dangerTitle : approval.title
  const { preview, call } = dialog
  const kind = preview?.type === 'diff' ? 'diff' : preview?.type === 'command' ? 'command' : 'text'
  return titles[kind](reveal(call.name))
}

/** The whole of what would happen, with what would be invisible written out. */
function bodyOf({ preview, call, touches }: ApprovalDialog, width: number, words: Words): Line[] {
  const { approval } = words
  const touched =
    touches.length === 0
      ? []
      : textLines(`${approval.touches} ${touches.map(reveal).join(', ')}`, width, { style: 'muted' })
  const after = touched.length === 0 ? [] : [[], ...touched]
  switch (preview?.type) {
    case undefined:
      return [...shownText(JSON.stringify(call.arguments, undefined, 2), width, approval), ...after]
    case 'failed':
      return [...textLines(approval.cannotShow(preview.message), width, { style: 'warning' }), ...after]
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

function shownText(text: string, width: number, approval: ApprovalWords): Line[] {
  const shown = reveal(text)
  const note = shown === text ? [] : textLines(approval.revealed, width, { style: 'warning' })
  return [...textLines(shown, width, { style: 'strong' }), ...note]
}

function footOf(
  dialog: ApprovalDialog,
  width: number,
  { words, keymap }: DialogLook,
): Pick<Parts, 'foot' | 'caret'> {
  const { approval } = words
  const back = keyOf(keymap, 'deny_all')
  if (dialog.stage === 'reason') {
    const label = `${approval.reason} `
    const view = viewOf(
      dialog.reason,
      { columns: width, label: ({ lines }) => words.prompt.pasted(lines) },
      { height: mostReasonRows },
    )
    const hint = approval.reasonHint({ send: keyOf(keymap, 'send'), back: keyOf(keymap, 'stop') })
    return {
      foot: [
        [],
        ...textLines(label, width, { style: 'accent' }),
        ...view.rows,
        ...textLines(hint, width, { style: 'muted' }),
      ],
      caret: {
        row: 1 + textLines(label, width, { style: 'accent' }).length + view.caret.row,
        column: view.caret.column,
      },
    }
  }
  if (dialog.stage === 'save') {
    const rules = dialog.rules.always.flatMap(rule => textLines(`  ${rule}`, width, { style: 'strong' }))
    const hint = approval.save({ confirm: keyOf(keymap, 'list_choose'), back })
    return {
      foot: [
        [],
        ...textLines(approval.rules.save(dialog.rules.always.length), width, { style: 'plain' }),
        ...rules,
        ...textLines(hint, width, { style: 'muted' }),
      ],
    }
  }
  return { foot: [[], ...buttonLines(buttonsOf(dialog, words, keymap), width)] }
}

interface Button {
  key: string
  does: string
}

function buttonsOf(dialog: ApprovalDialog, { approval }: Words, keymap: Keymap): Button[] {
  const { buttons } = approval
  const can = offers(dialog)
  const button = (action: Action, does: string): Button => ({ key: keyOf(keymap, action), does })
  const session = `${buttons.session}: ${dialog.rules.session.map(reveal).join(', ')}`
  return [
    button('allow_once', buttons.once),
    ...(can.session ? [button('allow_session', session)] : []),
    ...(can.always ? [button('allow_saved', buttons.save)] : []),
    button('deny', buttons.deny),
    button('deny_with_reason', buttons.denyWithReason),
    button('deny_all', buttons.denyAll),
  ]
}

/** As many in a row as fit. */
function buttonLines(buttons: readonly Button[], width: number): Line[] {
  const lines: Span[][] = []
  let used = width
  for (const { key, does } of buttons) {
    const length = displayWidth(key) + 1 + displayWidth(does)
    if (length > width) {
      lines.push(
        ...textLines(does, width, { style: 'plain', first: { text: `${key} `, style: 'accent' } }).map(
          line => [...line],
        ),
      )
      used = width
      continue
    }
    const fits = used + 3 + length <= width
    if (!fits) lines.push([])
    const line = lines.at(-1)
    if (fits) line?.push({ text: '   ', style: 'plain' })
    line?.push({ text: key, style: 'accent' }, { text: ` ${does}`, style: 'plain' })
    used = fits ? used + 3 + length : length
  }
  return lines
}

const keyOf = (keymap: Keymap, action: Action): string => printedKey(keymap.keys[action][0] ?? '')
