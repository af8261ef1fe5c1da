/** One list of all there is: commands, keys, models, sessions, files; and what comes of what is chosen in it. */
import type { Command } from '../../kit/commands/command.ts'
import { helpRow } from '../../kit/commands/obey.ts'
import type { Words } from '../../words/words.ts'
import { type Chat, chatKey, edited, ordered } from '../chat-keys.ts'
import { type Step, stay } from '../effect.ts'
import { type Action, type Group, type Keymap, keyList } from '../keymap.ts'
import type { PickerItem } from '../list/picker.ts'
import { ordersFor, ordersOf } from '../orders.ts'
import type { State } from '../state.ts'

export interface PaletteParts {
  commands: readonly Command[]
  keymap: Keymap
  words: Words
  models: readonly PickerItem[]
  sessions: readonly PickerItem[]
  files: readonly string[]
}

/** Keys that do something at once; those for writing are for writing. */
const GROUPS: readonly Group[] = ['run', 'view']
const OTHERS: readonly Action[] = ['search_history', 'edit_outside']
/** They would do nothing from here, or are pressed in a hurry. */
const LEFT_OUT: readonly Action[] = ['palette', 'stop', 'interrupt', 'page_up', 'page_down']

export function paletteItems({ commands, keymap, words, ...parts }: PaletteParts): PickerItem[] {
  const { kinds } = words.palette
  const of = (kind: string, items: readonly PickerItem[]) =>
    items.map(({ id, detail, ...item }) => ({
      ...item,
      id: `${kind}:${id}`,
      detail: [kinds[kind as keyof typeof kinds], detail].filter(fact => fact).join(' · '),
    }))
  return [
    ...commands.map(command => ({
      id: `command:${command.name}`,
      label: helpRow(command, words).key,
      detail: helpRow(command, words).does,
    })),
    ...keyList(keymap)
      .filter(({ group, action }) => GROUPS.includes(group) || OTHERS.includes(action))
      .filter(({ action }) => !LEFT_OUT.includes(action))
      .map(({ action, keys }) => ({
        id: `key:${action}`,
        label: words.actions[action],
        detail: keys.join(', '),
      })),
    ...of('model', parts.models),
    ...of('session', parts.sessions),
    ...parts.files.map(file => ({ id: `file:${file}`, label: file, detail: kinds.file })),
  ]
}

/** The palette is closed already. */
export function chosenInPalette(state: State, id: string, chat: Chat): Step<State> {
  const colon = id.indexOf(':')
  const [kind, name] = [id.slice(0, colon), id.slice(colon + 1)]
  const given = { words: chat.words, running: state.status.running }
  switch (kind) {
    case 'command': {
      const command = chat.commands.find(known => known.name === name)
      if (command?.argument?.isRequired) return edited(state, { type: 'insert', text: `/${name} ` }, chat)
      const orders = ordersOf(`/${name}`, chat.commands, given)
      return orders ? ordered(state, state, orders) : stay(state)
    }
    case 'key':
      return chatKey(state, NO_KEY, { ...chat, action: name as Action })
    case 'model':
    case 'session':
      return ordered(state, state, ordersFor(kind, name, given))
    case 'file':
      return edited(
        state,
        { type: 'insert', text: `@${/\s/.test(name) ? JSON.stringify(name) : name} ` },
        chat,
      )
    default:
      return stay(state)
  }
}

const NO_KEY = { type: 'key', name: '', text: '', ctrl: false, alt: false, shift: false } as const
