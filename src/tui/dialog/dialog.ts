/**
 * What stands in the person's way until it is answered: a call that asks for leave, or a question of yes or no. A value:
 * `pressed` makes of it and a key the next one, or the answer.
 */
import type { Approval, Verdict } from '../../session/session.ts'
import type { Preview } from '../../tools/tool.ts'
import { EDITOR_COMMANDS } from '../editor/commands.ts'
import { createEditor, type Editor, edit, textOf } from '../editor/editor.ts'
import type { Look } from '../editor/rows.ts'
import { type Action, actionOf, type Keymap } from '../keymap.ts'
import type { Key } from '../keys.ts'

export type Dialog = ApprovalDialog | QuestionDialog

export interface ApprovalDialog extends Pick<Approval, 'call' | 'why' | 'hard' | 'rules' | 'touches'> {
  readonly type: 'approval'
  /** What the call would do. */
  readonly preview: Preview
  /** `reason` and `save` come before an answer that needs one more Enter. */
  readonly stage: 'choose' | 'reason' | 'save'
  /** What the model is told, at stage `reason`. */
  readonly reason: Editor
  /** The first line of the body that is shown. */
  readonly top: number
  /** Of performance.now(). */
  readonly openedAt: number
}

export interface QuestionDialog {
  readonly type: 'question'
  readonly title: string
  readonly text: string
  readonly top: number
  readonly openedAt: number
}

export type Answer = { type: 'verdict'; verdict: Verdict } | { type: 'yes' } | { type: 'no' }

export const openApproval = (
  approval: Approval,
  { preview, openedAt }: { preview: Preview; openedAt: number },
): ApprovalDialog => {
  const { call, why, hard, rules, touches } = approval
  return {
    type: 'approval',
    call,
    why,
    hard,
    rules,
    touches,
    preview,
    stage: 'choose',
    reason: createEditor(),
    top: 0,
    openedAt,
  }
}

/** Milliseconds after a dialog has opened in which keys still belong to the editor: nobody has seen it yet. */
const unseen = 150
/** Somebody who typed this many milliseconds ago is still typing. */
const typing = 300

/** Keys are meant for the dialog, and no longer for the editor that was typed in when it opened. */
export function isSeen({ openedAt }: Dialog, { now, typedAt }: { now: number; typedAt: number }): boolean {
  return now - openedAt >= unseen && now - typedAt >= typing
}

export interface PressOptions {
  keymap: Keymap
  /** Of the reason's editor. */
  look: Look
  /** Lines that are read at a time. */
  page: number
}

/** The next dialog, or the answer that closes it. A key that means nothing changes nothing. */
export function pressed(dialog: Dialog, key: Key, options: PressOptions): Dialog | Answer {
  if (dialog.type === 'approval' && dialog.stage === 'reason') return reasoned(dialog, key, options)
  const action = actionOf(options.keymap, key, { place: 'approval' })
  const scroll = action && scrolled(dialog, action, options.page)
  if (scroll) return scroll
  if (dialog.type === 'question') return answered(dialog, action)
  if (dialog.stage === 'choose') return chosen(dialog, action)
  const isChoice = actionOf(options.keymap, key, { place: 'list' }) === 'list_choose'
  return isChoice ? allow('always') : saved(dialog, action)
}

/** Text that was pasted into a dialog: only a reason takes it. */
export function pasted(dialog: Dialog, text: string, look: Look): Dialog {
  if (dialog.type !== 'approval' || dialog.stage !== 'reason') return dialog
  return { ...dialog, reason: edit(dialog.reason, { type: 'paste', text }, look) }
}

export const isAnswer = (result: Dialog | Answer): result is Answer =>
  result.type !== 'approval' && result.type !== 'question'

/** Whether `a` or `s` is on offer. */
export function offers({ hard, rules }: ApprovalDialog): { session: boolean; always: boolean } {
  return { session: !hard && rules.session.length > 0, always: !hard && rules.always.length > 0 }
}

const allow = (remember?: 'session' | 'always'): Answer => ({
  type: 'verdict',
  verdict: { allow: true, ...(remember && { remember }) },
})
const deny = (more: { because?: string; rest?: boolean } = {}): Answer => ({
  type: 'verdict',
  verdict: { allow: false, ...more },
})

function chosen(dialog: ApprovalDialog, action: Action | undefined): Dialog | Answer {
  switch (action) {
    case 'allow_once':
      return allow()
    case 'allow_session':
      return offers(dialog).session ? allow('session') : dialog
    case 'allow_saved':
      return offers(dialog).always ? { ...dialog, stage: 'save', top: 0 } : dialog
    case 'deny_with_reason':
      return { ...dialog, stage: 'reason' }
    case 'deny':
      return deny()
    case 'deny_all':
      return deny({ rest: true })
    default:
      return dialog
  }
}

function saved(dialog: ApprovalDialog, action: Action | undefined): Dialog {
  const isBack = action === 'deny_all' || action === 'deny'
  return isBack ? { ...dialog, stage: 'choose', top: 0 } : dialog
}

function reasoned(dialog: ApprovalDialog, key: Key, { keymap, look }: PressOptions): Dialog | Answer {
  const action = actionOf(keymap, key, { place: 'chat' })
  if (action === 'stop') return { ...dialog, stage: 'choose' }
  if (action === 'send') {
    const because = textOf(dialog.reason).trim()
    return because === '' ? deny() : deny({ because })
  }
  const command =
    (action && EDITOR_COMMANDS[action]) ?? (key.text && { type: 'insert' as const, text: key.text })
  return command ? { ...dialog, reason: edit(dialog.reason, command, look) } : dialog
}

function answered(dialog: QuestionDialog, action: Action | undefined): Dialog | Answer {
  if (action === 'allow_once') return { type: 'yes' }
  if (action === 'deny' || action === 'deny_all') return { type: 'no' }
  return dialog
}

/** The view keeps `top` within the text. undefined: the key does not scroll. */
function scrolled<D extends Dialog>(dialog: D, action: Action, page: number): D | undefined {
  const steps: Partial<Record<Action, number>> = {
    approval_up: -1,
    approval_down: 1,
    approval_page_up: -page,
    approval_page_down: page,
  }
  const step = steps[action]
  return step === undefined ? undefined : { ...dialog, top: Math.max(0, dialog.top + step) }
}
