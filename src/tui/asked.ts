/** The open dialog and the rest of the screen: whose a key is, what has been read, what time alone does. */
import { type Chat, edited, howToAnswer } from './chat-keys.ts'
import { type Dialog, isRead, letsEditsRun, seenAt } from './dialog/dialog.ts'
import {
  countsAt,
  isDialog,
  letGo,
  type Pressed,
  type PressOptions,
  pasted,
  pressed,
  released,
} from './dialog/keys.ts'
import { scrollRange } from './dialog/lines.ts'
import { type Step, stay } from './effect.ts'
import type { Key } from './keys.ts'
import { layoutOf, promptLook } from './layout.ts'
import { pauseAt } from './pace.ts'
import type { State } from './state.ts'

/** The dialog that has the keyboard. Until the person can have seen it, what they type stays theirs. */
export function ownerOf(
  { dialog, typedAt, pace }: Pick<State, 'dialog' | 'typedAt' | 'pace'>,
  now: number,
): Dialog | undefined {
  return dialog && seenAt(dialog, { typedAt, pause: pauseAt(pace) }) <= now ? dialog : undefined
}

export function dialogKey(
  state: State,
  dialog: Dialog,
  { key, chat }: { key: Key; chat: Chat },
): Step<State> {
  return followed(state, dialog, { result: pressed(dialog, key, optionsOf(dialog, state, chat)), chat })
}

export function dialogPaste(
  state: State,
  dialog: Dialog,
  { text, chat }: { text: string; chat: Chat },
): Step<State> {
  return followed(state, dialog, { result: pasted(dialog, text, optionsOf(dialog, state, chat)), chat })
}

export const dialogScroll = (state: State, dialog: Dialog, { rows, chat }: { rows: number; chat: Chat }) =>
  stay({ ...state, dialog: within({ ...dialog, top: dialog.top + rows }, state, chat) })

/** When something comes of the dialog without a key, of performance.now(); undefined: nothing will. */
export function wakesAt({ dialog, typedAt, pace }: State, now: number): number | undefined {
  if (!dialog) return undefined
  const pause = pauseAt(pace)
  const seen = seenAt(dialog, { typedAt, pause })
  return seen > now ? seen : countsAt(dialog, pause)
}

/** Does what was to come by now. */
export function woken(state: State, chat: Chat): Step<State> {
  const { dialog, pace } = state
  const at = dialog && countsAt(dialog, pauseAt(pace))
  if (!dialog || at === undefined || at > chat.now) return stay(state)
  return followed(state, dialog, { result: released(dialog, optionsOf(dialog, state, chat)), chat })
}

function followed(
  state: State,
  dialog: Dialog,
  { result, chat }: { result: Pressed; chat: Chat },
): Step<State> {
  if (isDialog(result)) return stay({ ...state, dialog: within(result, state, chat) })
  const { dialog: _, ...rest } = state
  switch (result.type) {
    case 'written':
      return edited({ ...state, dialog: letGo(dialog) }, result.command, chat)
    case 'unanswered':
      return stay({ ...state, hint: howToAnswer(chat) })
    case 'behind':
      return {
        state: { ...state, dialog: result.dialog },
        effects: [{ type: 'scroll', to: { pages: result.pages } }],
      }
    case 'unread':
      return stay({ ...state, dialog: result.dialog, hint: chat.words.approval.notRead })
    default:
      return {
        state: letsEditsRun(dialog, result) ? { ...rest, status: { ...rest.status, editsRun: true } } : rest,
        effects: [
          { type: 'answer', answer: result },
          ...(dialog.behind ? [{ type: 'scroll' as const, to: 'end' as const }] : []),
        ],
      }
  }
}

function optionsOf(dialog: Dialog, state: State, chat: Chat): PressOptions {
  const { keymap, now, words } = chat
  return {
    keymap,
    look: promptLook(state, words),
    now,
    pause: pauseAt(state.pace),
    page: () => rangeOf(dialog, state, chat).page,
    isRead: () => isRead(dialog, rangeOf(dialog, state, chat)),
  }
}

/** Scrolled no further than there is something to see; what has been in sight by then counts as read. */
function within(dialog: Dialog, state: State, chat: Chat): Dialog {
  if (dialog.type === 'approval' && (dialog.stage === 'reason' || dialog.stage === 'edit')) return dialog
  const range = rangeOf(dialog, state, chat)
  const next = { ...dialog, top: Math.max(0, Math.min(dialog.top, range.lastTop)) }
  return next.type === 'approval' && next.stage === 'choose' ? { ...next, read: isRead(next, range) } : next
}

function rangeOf(dialog: Dialog, state: State, { words, keymap }: Chat): ReturnType<typeof scrollRange> {
  return scrollRange(dialog, { columns: state.columns, rows: layoutOf(state, words).popup, words, keymap })
}
