/** Keys while a panel is open: they are all its. */
import type { Chat } from '../chat-keys.ts'
import { edit } from '../editor/editor.ts'
import { does, type Effect, type Step, stay } from '../effect.ts'
import { type Action, actionOf } from '../keymap.ts'
import type { Key } from '../keys.ts'
import { layoutOf, promptLook } from '../layout.ts'
import { type Picker, pickerCommand, selectedItem, stepPicker } from '../list/picker.ts'
import { pickerRows } from '../list/picker-lines.ts'
import { ordersFor } from '../orders.ts'
import type { State } from '../state.ts'
import { chosenInPalette } from './palette.ts'
import type { Panel } from './panel.ts'
import { lastTop, panelRoom, type Room } from './view.ts'

interface Pressed {
  key: Key
  chat: Chat
}

/** undefined: the key is the prompt's, although the panel is open. */
export function panelKey(state: State, panel: Panel, { key, chat }: Pressed): Step<State> | undefined {
  const inChat = actionOf(chat.keymap, key, { place: 'chat' })
  // Whatever is open, Ctrl+C closes it first.
  const isClosed = inChat === 'interrupt' || inChat === 'stop'
  const action = isClosed ? 'list_close' : actionOf(chat.keymap, key, { place: 'list' })
  switch (panel.type) {
    case 'list':
      return listKey(state, panel, { key, chat, action, inChat })
    case 'palette':
      return paletteKey(state, panel, { key, chat, action, inChat })
    case 'help':
    case 'diff':
      return readKey(state, panel, { key, chat, action, inChat })
    case 'find':
      return findKey(state, panel, { key, chat, action, inChat })
    case 'history':
      return historyKey(state, panel, { key, chat, action, inChat })
  }
}

interface Meant extends Pressed {
  /** In a list. */
  action: Action | undefined
  /** In the conversation. */
  inChat: Action | undefined
}

type Of<T extends Panel['type']> = Extract<Panel, { type: T }>

/** Who types where there is only something to read goes on with the prompt. */
export function isTypedPast({ type }: Panel, { key, chat }: Pressed): boolean {
  if (type !== 'help' && type !== 'diff') return false
  const means = (place: 'chat' | 'list') => actionOf(chat.keymap, key, { place }) !== undefined
  return key.text !== '' && key.text !== 'q' && !means('chat') && !means('list')
}

function listKey(
  state: State,
  { isSudden, ...panel }: Of<'list'>,
  { key, chat, action, inChat }: Meant,
): Step<State> | undefined {
  const { picker, purpose } = panel
  // A word that was being typed chooses nothing.
  const isTyping = action === undefined || (action === 'list_choose' && state.editor.text !== '')
  if (isSudden && isTyping) return undefined
  if (action === 'list_close')
    return closed(state, purpose === 'choice' ? { type: 'chosen' } : { type: 'unlist', purpose })
  if (action === 'list_choose') {
    const item = selectedItem(picker)
    if (item && purpose === 'choice') return closed(state, { type: 'chosen', id: item.id })
    return item && purpose !== 'choice'
      ? closed(state, ...ordersFor(purpose, item.id, { words: chat.words, running: false }).effects)
      : stay(state)
  }
  const next = pickerKey(state, picker, { key, chat, action, inChat })
  return next ? show(state, { ...panel, picker: next }) : stay(state)
}

function paletteKey(state: State, panel: Of<'palette'>, meant: Meant): Step<State> {
  if (meant.action === 'list_close') return closed(state)
  if (meant.action === 'list_choose') {
    const item = selectedItem(panel.picker)
    const { panel: _, ...rest } = state
    return item ? chosenInPalette(rest, item.id, meant.chat) : stay(state)
  }
  const picker = pickerKey(state, panel.picker, meant)
  return picker ? show(state, { ...panel, picker }) : stay(state)
}

/** Moving in a list and typing what is looked for; undefined: the key means nothing there. */
function pickerKey(state: State, picker: Picker, { key, chat, action, inChat }: Meant): Picker | undefined {
  const { height } = roomOf(state, chat)
  const command =
    (action && pickerCommand(action, { rows: pickerRows(picker, height) })) ?? erasing(inChat) ?? typing(key)
  return command && stepPicker(picker, command)
}

const roomOf = (state: State, { words }: Chat): Room =>
  panelRoom({ columns: state.columns, rows: layoutOf(state, words).popup }, state.panel?.type)

function erasing(inChat: Action | undefined): { type: 'erase'; what: 'character' | 'all' } | undefined {
  if (inChat === 'delete_left') return { type: 'erase', what: 'character' }
  return inChat === 'kill_line_start' || inChat === 'kill_blank_left'
    ? { type: 'erase', what: 'all' }
    : undefined
}

const typing = ({ text }: Key): { type: 'type'; text: string } | undefined =>
  text === '' ? undefined : { type: 'type', text }

/** What is only read. */
function readKey(
  state: State,
  panel: Of<'help' | 'diff'>,
  { key, chat, action, inChat }: Meant,
): Step<State> {
  if (action === 'list_close' || inChat === 'help' || key.text === 'q') return closed(state)
  const room = roomOf(state, chat)
  const last = lastTop(panel, room, { ...chat, columns: state.columns })
  if (inChat === 'line_start' || inChat === 'top') return show(state, { ...panel, top: 0 })
  if (inChat === 'line_end' || inChat === 'bottom') return show(state, { ...panel, top: last })
  const step = action && pickerCommand(action, { rows: room.height })
  if (step?.type !== 'move') return stay(state)
  return show(state, { ...panel, top: Math.max(0, Math.min(last, panel.top + step.rows)) })
}

function findKey(state: State, panel: Of<'find'>, { key, action, inChat }: Meant): Step<State> {
  // What was found stays in sight, without its marks.
  if (action === 'list_close') return closed(state, { type: 'find', query: '' })
  const next = foundNext(action, inChat)
  if (next) return panel.query === '' ? stay(state) : does(state, { type: 'find', query: panel.query, next })
  const query = typedQuery(panel.query, { key, inChat })
  return query === panel.query
    ? stay(state)
    : does(shown(state, { type: 'find', query }), { type: 'find', query })
}

function foundNext(action: Action | undefined, inChat: Action | undefined): 'older' | 'newer' | undefined {
  if (action === 'list_choose' || action === 'list_up' || inChat === 'search') return 'older'
  return action === 'list_down' || inChat === 'newline' ? 'newer' : undefined
}

/** What is chosen goes into the editor. */
function historyKey(state: State, panel: Of<'history'>, meant: Meant): Step<State> {
  const { chat, action, inChat } = meant
  if (action === 'list_close') return closed(state)
  if (action === 'list_choose') {
    const text = state.editor.history[Number(selectedItem(panel.picker)?.id)]
    if (text === undefined) return stay(state)
    const look = promptLook(state, chat.words)
    return closed({ ...state, editor: edit(state.editor, { type: 'recall', text }, look) })
  }
  const isEarlier = inChat === 'search_history'
  const picker = pickerKey(state, panel.picker, { ...meant, action: isEarlier ? 'list_down' : action })
  return picker ? show(state, { ...panel, picker }) : stay(state)
}

function typedQuery(query: string, { key, inChat }: Pick<Meant, 'key' | 'inChat'>): string {
  const erased = erasing(inChat)
  if (erased) return erased.what === 'all' ? '' : Array.from(query).slice(0, -1).join('')
  return query + key.text
}

const shown = (state: State, panel: Panel): State => ({ ...state, panel })
const show = (state: State, panel: Panel): Step<State> => stay(shown(state, panel))

function closed({ panel: _, ...state }: State, ...effects: Effect[]): Step<State> {
  return { state, effects }
}
