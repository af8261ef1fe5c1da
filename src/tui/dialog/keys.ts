/**
 * What keys do in a dialog. A letter counts once it is certain that no word begins with it; whatever turns out to be
 * writing goes to where words belong, whole, and answers nothing.
 */
import type { Verdict } from '../../session/session.ts'
import { EDITOR_COMMANDS } from '../editor/commands.ts'
import { type Editor, type EditorCommand, edit, textOf } from '../editor/editor.ts'
import type { Look } from '../editor/rows.ts'
import { type Action, actionOf, type Keymap } from '../keymap.ts'
import type { Key } from '../keys.ts'
import { type Answer, type ApprovalDialog, type Dialog, offers } from './dialog.ts'

/** What a question has no place for is done to the prompt, which stays in sight below it. */
interface Written {
  type: 'written'
  command: EditorCommand
}

/** Enter answers no question of yes or no. */
interface Unanswered {
  type: 'unanswered'
}

/** It was to be allowed before its end has been in sight. */
interface Unread {
  type: 'unread'
  dialog: Dialog
}

/** The conversation behind it moves. */
interface Behind {
  type: 'behind'
  dialog: Dialog
  pages: 1 | -1
}

export type Pressed = Dialog | Answer | Written | Unanswered | Unread | Behind

export interface PressOptions {
  keymap: Keymap
  /** Of the editors in it. */
  look: Look
  /** Lines that are read at a time. */
  page(): number
  /** Of performance.now(). */
  now: number
  /** ms: what follows a letter sooner belongs to the same word. */
  pause: number
  /** What is asked about has been seen to its end. */
  isRead(): boolean
}

export const isDialog = (result: Pressed): result is Dialog =>
  result.type === 'approval' || result.type === 'question'

/** The next dialog, or what closes it. A key that means nothing changes nothing. */
export function pressed(before: Dialog, key: Key, options: PressOptions): Pressed {
  const { held, ...dialog } = before
  const { keymap, now } = options
  const begun = begunIn(before, options)
  const isChoice = actionOf(keymap, key, { place: 'list' }) === 'list_choose'
  const isReasoning = dialog.type === 'approval' && dialog.stage === 'reason'
  // Whoever ends a letter with Enter means the letter, and no more by that.
  if (begun !== '' && isChoice && !isReasoning) return before
  const isEditing = dialog.type === 'approval' && dialog.stage === 'edit'
  if (isEditing && begun !== '' && key.text !== '') return wrote(dialog, begun + key.text, options)
  if (isEditing) return changed(dialog, key, options)
  if (isReasoning)
    return reasoned(begun === '' || key.text === '' ? dialog : worded(dialog, begun, options), key, options)
  const action = actionOf(keymap, key, { place: 'approval' })
  const isSaving = dialog.type === 'approval' && dialog.stage === 'save'
  const word = isSaving ? (held?.key.text ?? '') : begun
  if (key.text !== '' && (word !== '' || isSaving)) return wrote(dialog, word + key.text, options)
  const scrolls = action && scrolled(dialog, action, options.page)
  if (scrolls) return scrolls
  if (isSaving) return isChoice ? allow('always', dialog.step) : saved(dialog, action)
  if (key.text === '') {
    const outside = dialog.type === 'question' && !means(dialog, action) && forPrompt(key, options)
    return outside || chosen(dialog, action, options)
  }
  // A reason does not begin with a space; the prompt, where words stand already, may go on with one.
  const isBlank = key.text.trim() === '' && dialog.type === 'approval'
  if (!means(dialog, action)) return isBlank ? dialog : wrote(dialog, key.text, options)
  const next = action && (action === 'deny_with_reason' || options.isRead()) && opened(dialog, action)
  return { ...(next || dialog), held: { key, at: now } }
}

/** When the letter that is held counts; undefined: none is. */
export const countsAt = (dialog: Dialog, pause: number): number | undefined =>
  dialog.held && isChoosing(dialog) ? dialog.held.at + pause : undefined

/** No other letter has followed: the one that is held counts. */
export function released({ held, ...dialog }: Dialog, options: PressOptions): Pressed {
  return chosen(dialog, held && actionOf(options.keymap, held.key, { place: 'approval' }), options)
}

/** Whatever letter was held does not count. */
export function letGo({ held: _, ...dialog }: Dialog): Dialog {
  return dialog
}

/** Text that was pasted into a dialog. */
export function pasted(before: Dialog, text: string, options: PressOptions): Dialog | Written {
  const begun = begunIn(before, options)
  const dialog = letGo(before)
  if (dialog.type === 'question') return written({ type: 'paste', text: begun + text })
  const { look } = options
  if (dialog.stage === 'edit' && begun === '')
    return { ...dialog, edited: edit(dialog.edited, { type: 'paste', text }, look) }
  if (!offers(dialog).reason) return dialog
  const { reason, ...asked } = begun === '' ? dialog : worded(dialog, begun, options)
  return { ...asked, stage: 'reason', reason: edit(reason, { type: 'paste', text }, look) }
}

/** The letter that what comes now would go on with. One that is to answer has not been followed as long as it has not. */
function begunIn(dialog: Dialog, { now, pause }: PressOptions): string {
  const { held } = dialog
  return held && (isChoosing(dialog) || now - held.at < pause) ? held.key.text : ''
}

const isChoosing = (dialog: Dialog): boolean => dialog.type === 'question' || dialog.stage === 'choose'

function wrote(dialog: Dialog, text: string, options: PressOptions): Dialog | Written {
  return dialog.type === 'question' ? written({ type: 'insert', text }) : worded(dialog, text, options)
}

const written = (command: EditorCommand): Written => ({ type: 'written', command })

/** A key that types nothing and is none of the question's: the prompt can be mended meanwhile. */
function forPrompt(key: Key, { keymap }: PressOptions): Written | Unanswered | undefined {
  const action = actionOf(keymap, key, { place: 'chat' })
  if (action === 'send') return { type: 'unanswered' }
  const command = action && EDITOR_COMMANDS[action]
  return command && written(command)
}

/** What nobody is to hear is not taken down. */
const worded = (dialog: ApprovalDialog, text: string, { look }: PressOptions): ApprovalDialog =>
  offers(dialog).reason
    ? { ...dialog, stage: 'reason', reason: edit(dialog.reason, { type: 'insert', text }, look) }
    : dialog

const allow = (remember?: 'session' | 'always', step?: number): Answer => ({
  type: 'verdict',
  verdict: { allow: true, ...(remember && { remember }), ...(step !== undefined && { step }) },
})
const deny = (more: Omit<Extract<Verdict, { allow: false }>, 'allow'> = {}): Answer => ({
  type: 'verdict',
  verdict: { allow: false, ...more },
})

const allows: ReadonlySet<Action> = new Set([
  'allow_once',
  'allow_session',
  'allow_edits',
  'allow_saved',
  'edit_call',
])

/** Whether the action is one of this dialog's, now. */
function means(dialog: Dialog, action: Action | undefined): boolean {
  if (dialog.type === 'question') return action === 'allow_once' || action === 'deny' || action === 'deny_all'
  const can = offers(dialog)
  if (action === 'allow_session') return can.session
  if (action === 'allow_edits') return can.edits !== undefined
  if (action === 'edit_call') return can.edit
  if (action === 'deny_with_reason') return can.reason
  if (action === 'rule_wider' || action === 'rule_narrower') return can.steps
  return action === 'allow_saved' ? can.always : action !== undefined
}

/** What opens at once, since it answers nothing yet. */
function opened(dialog: Dialog, action: Action): Dialog | undefined {
  if (dialog.type === 'question') return undefined
  if (action === 'deny_with_reason') return { ...dialog, stage: 'reason' }
  if (action === 'edit_call') return { ...dialog, stage: 'edit', edited: editorOf(dialog) }
  return action === 'allow_saved' ? { ...dialog, stage: 'save', top: 0 } : undefined
}

function chosen(dialog: Dialog, action: Action | undefined, { isRead }: PressOptions): Pressed {
  if (action === undefined || !means(dialog, action)) return dialog
  if (allows.has(action) && !isRead()) return { type: 'unread', dialog }
  if (dialog.type === 'question') return { type: action === 'allow_once' ? 'yes' : 'no' }
  switch (action) {
    case 'allow_once':
      return allow()
    case 'allow_session':
      return allow('session', dialog.step)
    case 'allow_edits':
      return allow('session', offers(dialog).edits)
    case 'rule_wider':
    case 'rule_narrower':
      return slid(dialog, action === 'rule_wider' ? 1 : -1)
    case 'deny':
      return deny()
    case 'deny_all':
      return deny({ rest: true })
    default:
      return opened(dialog, action) ?? dialog
  }
}

/** The first press goes on from what stands there. */
function slid(dialog: ApprovalDialog, by: 1 | -1): Dialog {
  const step = Math.max(0, Math.min(dialog.wider.length - 1, (dialog.step ?? 0) + by))
  return { ...dialog, step }
}

const commandOf = ({ call }: ApprovalDialog): string => String(call.arguments.command)

function editorOf(dialog: ApprovalDialog): Editor {
  const { edited } = dialog
  return edited.text === ''
    ? edit(edited, { type: 'replace', text: commandOf(dialog) }, { columns: 80, label: () => '' })
    : edited
}

/** Another command in its place. */
function changed(dialog: ApprovalDialog, key: Key, { keymap, look }: PressOptions): Dialog | Answer {
  const action = actionOf(keymap, key, { place: 'chat' })
  if (action === 'stop') return { ...dialog, stage: 'choose' }
  if (action === 'send') {
    const command = textOf(dialog.edited)
    if (command.trim() === '') return { ...dialog, stage: 'choose' }
    if (command === commandOf(dialog)) return allow()
    return { type: 'verdict', verdict: { allow: true, arguments: { ...dialog.call.arguments, command } } }
  }
  return { ...dialog, edited: typedIn(dialog.edited, key, { action, look }) }
}

function typedIn(
  editor: Editor,
  key: Key,
  { action, look }: { action: Action | undefined; look: Look },
): Editor {
  const command =
    (action && EDITOR_COMMANDS[action]) ?? (key.text && { type: 'insert' as const, text: key.text })
  return command ? edit(editor, command, look) : editor
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
  return { ...dialog, reason: typedIn(dialog.reason, key, { action, look }) }
}

/** The view keeps `top` within the text. undefined: the key does not scroll. */
function scrolled(dialog: Dialog, action: Action, page: () => number): Dialog | Behind | undefined {
  const { behind = 0, top } = dialog
  if (action === 'approval_page_up' && top === 0)
    return { type: 'behind', dialog: { ...dialog, behind: behind + 1 }, pages: -1 }
  if (action === 'approval_page_down' && behind > 0)
    return { type: 'behind', dialog: { ...dialog, behind: behind - 1 }, pages: 1 }
  const steps: Partial<Record<Action, () => number>> = {
    approval_up: () => -1,
    approval_down: () => 1,
    approval_page_up: () => -page(),
    approval_page_down: page,
  }
  const step = steps[action]?.()
  return step === undefined ? undefined : { ...dialog, top: Math.max(0, dialog.top + step) }
}
