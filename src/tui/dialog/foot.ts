/** How a dialog can be answered: keys with what they do, or what is being typed. */
import { reveal } from '../../text/sanitize.ts'
import { cut, displayWidth } from '../../text/width.ts'
import type { Words } from '../../words/words.ts'
import { textLines } from '../cells/text.ts'
import type { Editor } from '../editor/editor.ts'
import { viewOf } from '../editor/rows.ts'
import { type Action, actionOf, type Keymap, keyOf } from '../keymap.ts'
import type { Line, Span } from '../line.ts'
import { type ApprovalDialog, type Dialog, offers, rulesOf } from './dialog.ts'

export interface Foot {
  lines: Line[]
  /** Where something is typed: row in `lines`, column in its line. */
  caret?: { row: number; column: number }
}

export interface FootLook {
  width: number
  /** Rows that it may take. */
  height: number
  /** There is no room for more than the keys need: the rules are elsewhere. */
  isTight: boolean
  /** It has the keyboard. */
  isAwake: boolean
  words: Words
  keymap: Keymap
}

const mostReasonRows = 4
const mostCommandRows = 8

export function footOf(dialog: Dialog, look: FootLook): Foot {
  if (dialog.type === 'approval' && dialog.stage === 'reason') return reasonFoot(dialog, look)
  if (dialog.type === 'approval' && dialog.stage === 'save') return saveFoot(dialog, look)
  if (dialog.type === 'approval' && dialog.stage === 'edit') return editFoot(dialog, look)
  const buttonsWith = (rules: Rules) =>
    dialog.type === 'question' ? questionButtons(look) : approvalButtons(dialog, look, rules)
  const style = look.isAwake ? 'accent' : 'muted'
  const held = dialog.held && actionOf(look.keymap, dialog.held.key, { place: 'approval' })
  const linesWith = (rules: Rules) =>
    buttonLines(buttonsWith(rules), look.width, ({ action }) => (action === held ? 'selected' : style))
  if (!look.isTight) return { lines: [...stepLines(dialog, look), ...linesWith('whole')] }
  // What would run from now on is in sight for as long as there is a row for it.
  for (const rules of ['row', 'rest', 'none'] as const) {
    const lines = linesWith(rules)
    if (lines.length <= look.height) return { lines }
  }
  const keys = buttonsWith('none').map(({ key }) => key)
  const lines = textLines(keys.join(' '), look.width, { style })
  const named = buttonsWith('row').find(({ action }) => action === 'allow_session')
  if (!named || lines.length >= look.height) return { lines }
  return { lines: [...buttonLines([named], look.width, () => style), ...lines] }
}

/** How the rules stand in the button that sets them: cut where its row ends, or where one with the button before does. */
type Rules = 'whole' | 'row' | 'rest' | 'none'

/** The rules that an answer would make. */
export function ruleLines(dialog: Dialog, { width, words }: Pick<FootLook, 'width' | 'words'>): Line[] {
  if (dialog.type === 'question' || dialog.stage === 'reason' || dialog.stage === 'edit') return []
  const kind = dialog.stage === 'save' ? 'save' : 'session'
  const rules = rulesOf(dialog, kind === 'save' ? 'always' : 'session')
  if (rules.length === 0 || !offers(dialog)[kind === 'save' ? 'always' : 'session']) return []
  return [
    ...textLines(words.approval.rules[kind](rules.length), width, { style: 'plain' }),
    ...rules.flatMap(rule => textLines(`  ${reveal(rule)}`, width, { style: 'strong' })),
  ]
}

/** What a rule chosen with the slider means, by what it would have let through. */
function stepLines(dialog: Dialog, { width, words }: FootLook): Line[] {
  if (dialog.type === 'question' || dialog.step === undefined) return []
  const { rules, earlier } = dialog.wider[dialog.step] ?? { rules: [], earlier: [] }
  const { approval, listed } = words
  const which = listed(
    earlier.slice(0, mostEarlier).map(text => `\`${cut(reveal(text), 60, { mark: '…' })}\``),
  )
  return [
    ...textLines(approval.step(listed(rules.map(reveal))), width, { style: 'strong' }),
    ...textLines(approval.earlier(earlier.length, which), width, { style: 'muted' }),
  ]
}

const mostEarlier = 5

function reasonFoot({ reason }: ApprovalDialog, look: FootLook): Foot {
  const { reason: label, reasonHint: hint } = look.words.approval
  return editorFoot(reason, { label, hint, most: mostReasonRows }, look)
}

function editFoot({ edited }: ApprovalDialog, look: FootLook): Foot {
  const { edited: label, editedHint: hint } = look.words.approval
  return editorFoot(edited, { label, hint, most: mostCommandRows }, look)
}

function editorFoot(
  editor: Editor,
  texts: { label: string; hint: Words['approval']['reasonHint']; most: number },
  { width, height, isTight, words, keymap }: FootLook,
): Foot {
  const { most } = texts
  const label = textLines(`${texts.label} `, width, { style: 'accent' }).slice(0, isTight ? 1 : undefined)
  const view = viewOf(
    editor,
    { columns: width, label: ({ lines }) => words.prompt.pasted(lines) },
    { height: Math.max(1, Math.min(most, isTight ? height - label.length : most)) },
  )
  const hint = texts.hint({ send: keyOf(keymap, 'send'), back: keyOf(keymap, 'stop') })
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
  action: Action
  key: string
  does: string
}

function questionButtons({ words, keymap }: FootLook): Button[] {
  return [
    { action: 'allow_once', key: keyOf(keymap, 'allow_once'), does: words.questions.yes },
    {
      action: 'deny',
      key: noKeys(keymap),
      does: words.questions.no,
    },
  ]
}

/** Where there is no more than yes and no. */
const noKeys = (keymap: Keymap): string => [keyOf(keymap, 'deny'), keyOf(keymap, 'deny_all')].join(' ').trim()

function approvalButtons(dialog: ApprovalDialog, look: FootLook, show: Rules): Button[] {
  const { words, keymap } = look
  const { buttons } = words.approval
  const can = offers(dialog)
  const button = (action: Action, does: string): Button => ({ action, key: keyOf(keymap, action), does })
  const once = button('allow_once', buttons.once)
  const slider = [keyOf(keymap, 'rule_narrower'), keyOf(keymap, 'rule_wider')].join(' ').trim()
  return [
    once,
    ...(can.session ? [button('allow_session', sessionText(dialog, look, { show, after: once }))] : []),
    ...(can.steps ? [{ action: 'rule_wider' as const, key: slider, does: buttons.wider }] : []),
    ...(can.edits === undefined ? [] : [button('allow_edits', buttons.edits)]),
    ...(can.always ? [button('allow_saved', buttons.save)] : []),
    ...(can.edit ? [button('edit_call', buttons.edit)] : []),
    ...(can.reason
      ? [
          button('deny', buttons.deny),
          button('deny_with_reason', buttons.denyWithReason),
          button('deny_all', buttons.denyAll),
        ]
      : [{ action: 'deny' as const, key: noKeys(keymap), does: buttons.deny }]),
  ]
}

/** What would be allowed for this session; `after`: the button before. */
function sessionText(
  dialog: ApprovalDialog,
  { words, keymap, width }: FootLook,
  { show, after }: { show: Rules; after: Button },
): string {
  const { session } = words.approval.buttons
  // The slider has its own line above.
  if (show === 'none' || (show === 'whole' && dialog.step !== undefined)) return session
  const named = words.told(session, words.listed(rulesOf(dialog, 'session').map(reveal)))
  if (show === 'whole') return named
  const taken = show === 'rest' ? lengthOf(after) + GAP : 0
  const room = width - taken - displayWidth(keyOf(keymap, 'allow_session')) - 1
  return room < displayWidth(session) + LEAST_RULE ? session : cut(named, room, { mark: '…' })
}

/** Columns of a rule, with what parts it from the words before, that still tell something. */
const LEAST_RULE = 10
/** Columns between two buttons. */
const GAP = 3

const lengthOf = ({ key, does }: Button): number => displayWidth(key) + 1 + displayWidth(does)

/** As many in a row as fit. */
function buttonLines(
  buttons: readonly Button[],
  width: number,
  styleOf: (button: Button) => Span['style'],
): Line[] {
  const lines: Span[][] = []
  let used = width
  for (const button of buttons) {
    const { key, does } = button
    const style = styleOf(button)
    const length = displayWidth(key) + 1 + displayWidth(does)
    if (length > width) {
      const first: Span = { text: `${key} `, style }
      lines.push(...textLines(does, width, { style: 'plain', first }).map(line => [...line]))
      used = width
      continue
    }
    const fits = used + 3 + length <= width
    if (!fits) lines.push([])
    const line = lines.at(-1)
    if (fits) line?.push({ text: ' '.repeat(GAP), style: 'plain' })
    line?.push({ text: key, style }, { text: ` ${does}`, style: 'plain' })
    used = fits ? used + GAP + length : length
  }
  return lines
}
