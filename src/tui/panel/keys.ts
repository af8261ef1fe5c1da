/** Keys while a panel is open: they are all its. */
import type { Chat } from '../chat-keys.ts'
import { modeNamed } from '../commands.ts'
import { edit } from '../editor/editor.ts'
import { does, type Effect, type Step, stay } from '../effect.ts'
import { searchHistory } from '../history.ts'
import { type Action, actionOf } from '../keymap.ts'
import type { Key } from '../keys.ts'
import { layoutOf, promptLook } from '../layout.ts'
import { pickerCommand, selectedItem, stepPicker } from '../list/picker.ts'
import { pickerRows } from '../list/picker-lines.ts'
import type { State } from '../state.ts'
import type { Panel, Purpose } from './panel.ts'
import { lastHelpTop, panelRoom, type Room } from './view.ts'

interface Pressed {
  key: Key
  chat: Chat
}

export function panelKey(state: State, panel: Panel, { key, chat }: Pressed): Step<State> {
  const inChat = actionOf(chat.keymap, key, { place: 'chat' })
  // Whatever is open, Ctrl+C closes it first.
  const isClosed = inChat === 'interrupt' || inChat === 'stop'
  const action = isClosed ? 'list_close' : actionOf(chat.keymap, key, { place: 'list' })
  switch (panel.type) {
    case 'list':
      return listKey(state, panel, { key, chat, action, inChat })
    case 'help':
      return helpKey(state, panel, { key, chat, action, inChat })
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

function listKey(state: State, panel: Of<'list'>, { key, chat, action, inChat }: Meant): Step<State> {
  const { picker, purpose } = panel
  if (action === 'list_close') return closed(state, { type: 'unlist', purpose })
  if (action === 'list_choose') {
    const item = selectedItem(picker)
    return item ? closed(state, choice(purpose, item.id)) : stay(state)
  }
  const { height } = roomOf(state, chat)
  const command =
    (action && pickerCommand(action, { rows: pickerRows(height) })) ?? erasing(inChat) ?? typing(key)
  return command ? show(state, { ...panel, picker: stepPicker(picker, command) }) : stay(state)
}

const roomOf = (state: State, { words }: Chat): Room =>
  panelRoom({ columns: state.columns, rows: layoutOf(state, words).popup })

function choice(purpose: Purpose, id: string): Effect {
  const mode = purpose === 'mode' ? modeNamed(id) : undefined
  if (mode) return { type: 'set_mode', mode }
  if (purpose === 'model') return { type: 'use_model', name: id }
  return purpose === 'session' ? { type: 'resume', id } : { type: 'use_theme', name: id }
}

function erasing(inChat: Action | undefined): { type: 'erase'; what: 'character' | 'all' } | undefined {
  if (inChat === 'delete_left') return { type: 'erase', what: 'character' }
  return inChat === 'kill_line_start' || inChat === 'kill_blank_left'
    ? { type: 'erase', what: 'all' }
    : undefined
}

const typing = ({ text }: Key): { type: 'type'; text: string } | undefined =>
  text === '' ? undefined : { type: 'type', text }

function helpKey(state: State, panel: Of<'help'>, { key, chat, action, inChat }: Meant): Step<State> {
  if (action === 'list_close' || inChat === 'help' || key.text === 'q') return closed(state)
  const room = roomOf(state, chat)
  const step = action && pickerCommand(action, { rows: room.height })
  if (step?.type !== 'move') return stay(state)
  const last = lastHelpTop(room, chat)
  return show(state, { ...panel, top: Math.max(0, Math.min(last, panel.top + step.rows)) })
}

function findKey(state: State, panel: Of<'find'>, { key, action, inChat }: Meant): Step<State> {
  // What was found stays in sight, without its marks.
  if (action === 'list_close') return closed(state, { type: 'find', query: '' })
  const isNext = action === 'list_choose' || action === 'list_up' || inChat === 'search'
  if (isNext) return does(state, { type: 'find', query: panel.query, again: true })
  const query = typedQuery(panel.query, { key, inChat })
  return query === panel.query
    ? stay(state)
    : does(shown(state, { type: 'find', query }), { type: 'find', query })
}

/** What is found stands in the editor; closing takes it away again. */
function historyKey(state: State, panel: Of<'history'>, { key, chat, action, inChat }: Meant): Step<State> {
  if (action === 'list_close') return closed({ ...state, editor: panel.draft })
  if (action === 'list_choose') return closed(state)
  const isEarlier = inChat === 'search_history' || action === 'list_up'
  const query = isEarlier ? panel.query : typedQuery(panel.query, { key, inChat })
  if (!isEarlier && query === panel.query) return stay(state)
  const { history } = panel.draft
  const at = searchHistory(history, query, isEarlier && panel.at !== undefined ? panel.at : history.length)
  const text = at === undefined ? undefined : history[at]
  const look = promptLook(state, chat.words)
  const editor =
    text === undefined
      ? isEarlier
        ? state.editor
        : panel.draft
      : edit(panel.draft, { type: 'replace', text }, look)
  const found = at ?? (isEarlier ? panel.at : undefined)
  const next = {
    type: 'history',
    query,
    draft: panel.draft,
    ...(found !== undefined && { at: found }),
  } as const
  return show({ ...state, editor }, next)
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
