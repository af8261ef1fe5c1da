/**
 * What is in the person's way until it is answered: a call that asks permission, or a question of yes or no. A value:
 * `keys.ts` makes of it and a key the next one, or the answer.
 */
import type { Approval, Verdict } from '../../session/session.ts'
import type { Preview } from '../../tools/tool.ts'
import { createEditor, type Editor } from '../editor/editor.ts'
import type { Key } from '../keys.ts'

export type Dialog = ApprovalDialog | QuestionDialog

export interface ApprovalDialog extends Omit<Approval, 'preview'> {
  readonly type: 'approval'
  /** What the call would do. */
  readonly preview: Preview
  /** All but `choose` come before an answer that needs one more Enter. */
  readonly stage: 'choose' | 'reason' | 'edit' | 'save'
  /** What the model is told, at stage `reason`. */
  readonly reason: Editor
  /** The command as it is to run, at stage `edit`. */
  readonly edited: Editor
  /** How much the rules mean: which of `wider`. Absent: nobody has chosen. */
  readonly step?: number
  /** The first line of the body that is shown. */
  readonly top: number
  /** Its end has been on the screen. */
  readonly read: boolean
  /** Of performance.now(). */
  readonly openedAt: number
  readonly held?: Held
  /** Pages that the conversation behind it was moved up. */
  readonly behind?: number
}

export interface QuestionDialog {
  readonly type: 'question'
  readonly title: string
  readonly text: string
  readonly top: number
  readonly openedAt: number
  readonly held?: Held
  /** Pages that the conversation behind it was moved up. */
  readonly behind?: number
}

/** A letter that was pressed: the start of a word as long as another may follow. `at`: of performance.now(). */
export interface Held {
  readonly key: Key
  readonly at: number
}

export type Answer = { type: 'verdict'; verdict: Verdict } | { type: 'yes' } | { type: 'no' }

export const openApproval = (
  approval: Approval,
  { preview, openedAt }: { preview: Preview; openedAt: number },
): ApprovalDialog => {
  return {
    ...approval,
    type: 'approval',
    preview,
    stage: 'choose',
    reason: createEditor(),
    edited: createEditor(),
    top: 0,
    read: false,
    openedAt,
  }
}

/** Milliseconds after a dialog has opened in which keys still belong to the editor: nobody has seen it yet. */
const unseen = 150

/** When keys are meant for the dialog, and no longer for the editor that was typed in when it opened. */
export const seenAt = (
  { openedAt }: Dialog,
  { typedAt, pause }: { typedAt: number; pause: number },
): number => Math.max(openedAt + unseen, typedAt + pause)

/** A command is allowed only once its end has been on the screen. */
export const isRead = (dialog: Dialog, { readTop }: { readTop: number }): boolean =>
  dialog.type === 'question' || dialog.read || dialog.top >= readTop

/** What is on offer besides yes and no. `reason`: a word to the model, and a no to all it asks. `edits`: the step of the rules that let every edit run. */
export function offers({ hard, rules, wider, preview, call, own }: ApprovalDialog) {
  const edits = hard ? -1 : wider.findIndex(({ edits }) => edits)
  return {
    session: !hard && rules.session.length > 0,
    always: !hard && rules.always.length > 0,
    steps: !hard && wider.length > 1,
    edit: !own && preview.type === 'command' && typeof call.arguments.command === 'string',
    reason: !own,
    ...(edits >= 0 && { edits }),
  }
}

/** The rules that an answer would set. */
export const rulesOf = (
  { rules, wider, step }: ApprovalDialog,
  until: 'session' | 'always',
): readonly string[] => (step === undefined ? rules[until] : (wider[step]?.rules ?? []))

/** The answer lets every edit of the session run from now on. */
export function letsEditsRun(dialog: Dialog, answer: Answer): boolean {
  if (dialog.type === 'question' || answer.type !== 'verdict' || !answer.verdict.allow) return false
  const { remember, step = 0 } = answer.verdict
  return remember !== undefined && offers(dialog).edits === step
}
