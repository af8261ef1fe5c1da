/** How a dialog can be answered: keys with what they do, or what is being typed. */
import { reveal } from '../../text/sanitize.ts'
import { displayWidth } from '../../text/width.ts'
import type { Words } from '../../words/words.ts'
import { textLines } from '../cells/text.ts'
import { viewOf } from '../editor/rows.ts'
import { type Action, type Keymap, keyOf } from '../keymap.ts'
import type { Line, Span } from '../line.ts'
import { type ApprovalDialog, type Dialog, offers } from './dialog.ts'

export interface Foot {
  lines: Line[]
  /** Where something is typed: row in `lines`, column in its line. */
  caret?: { row: number; column: number }
}

export interface FootLook {
  width: number
  /** Rows that it may take. */
  height: number
  /** There is no room for more than the keys need: the rules stand elsewhere. */
  isTight: boolean
  words: Words
  keymap: Keymap
}

const mostReasonRows = 4

export function footOf(dialog: Dialog, look: FootLook): Foot {
  if (dialog.type === 'approval' && dialog.stage === 'reason') return reasonFoot(dialog, look)
  if (dialog.type === 'approval' && dialog.stage === 'save') return saveFoot(dialog, look)
  const buttons = dialog.type === 'question' ? questionButtons(look) : approvalButtons(dialog, look)
  const lines = buttonLines(buttons, look.width)
  if (!look.isTight || lines.length <= look.height) return { lines }
  return { lines: textLines(buttons.map(({ key }) => key).join(' '), look.width, { style: 'accent' }) }
}

/** The rules that an answer would make. */
export function ruleLines(dialog: Dialog, { width, words }: Pick<FootLook, 'width' | 'words'>): Line[] {
  if (dialog.type === 'question' || dialog.stage === 'reason') return []
  const { session, always } = dialog.rules
  const kind = dialog.stage === 'save' ? 'save' : 'session'
  const rules = kind === 'save' ? always : session
  if (rules.length === 0 || !offers(dialog)[kind === 'save' ? 'always' : 'session']) return []
  return [
    ...textLines(words.approval.rules[kind](rules.length), width, { style: 'plain' }),
    ...rules.flatMap(rule => textLines(`  ${reveal(rule)}`, width, { style: 'strong' })),
  ]
}

function reasonFoot({ reason }: ApprovalDialog, { width, height, isTight, words, keymap }: FootLook): Foot {
  const { approval, prompt } = words
  const label = textLines(`${approval.reason} `, width, { style: 'accent' }).slice(0, isTight ? 1 : undefined)
  const view = viewOf(
    reason,
    { columns: width, label: ({ lines }) => prompt.pasted(lines) },
    { height: Math.max(1, Math.min(mostReasonRows, isTight ? height - label.length : mostReasonRows)) },
  )
  const hint = approval.reasonHint({ send: keyOf(keymap, 'send'), back: keyOf(keymap, 'stop') })
  return {
    lines: [...label, ...view.rows, ...(isTight ? [] : textLines(hint, width, { style: 'muted' }))],
    caret: { row: label.length + view.caret.row, column: view.caret.column },
  }
}

function saveFoot(dialog: ApprovalDialog, look: FootLook): Foot {
  const { width, isTight, words, keymap } = look
  const hint = words.approval.save({
    confirm: keyOf(keymap, 'list_choose'),
    back: keyOf(keymap, 'deny_all'),
  })
  return {
    lines: [...(isTight ? [] : ruleLines(dialog, look)), ...textLines(hint, width, { style: 'muted' })],
  }
}

interface Button {
  key: string
  does: string
}

function questionButtons({ words, keymap }: FootLook): Button[] {
  return [
    { key: keyOf(keymap, 'allow_once'), does: words.questions.yes },
    { key: keyOf(keymap, 'deny'), does: words.questions.no },
  ]
}

function approvalButtons(dialog: ApprovalDialog, { words, keymap, isTight }: FootLook): Button[] {
  const { buttons } = words.approval
  const can = offers(dialog)
  const button = (action: Action, does: string): Button => ({ key: keyOf(keymap, action), does })
  const rules = isTight ? '' : `: ${dialog.rules.session.map(reveal).join(', ')}`
  return [
    button('allow_once', buttons.once),
    ...(can.session ? [button('allow_session', `${buttons.session}${rules}`)] : []),
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
      const first: Span = { text: `${key} `, style: 'accent' }
      lines.push(...textLines(does, width, { style: 'plain', first }).map(line => [...line]))
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
