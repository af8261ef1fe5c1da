/**
 * What gopi can be told by a key, and by which. The names are those of `tui.keys`; what an action does is said where
 * it is done. Keys are written `ctrl+alt+shift+name`, always in this order.
 */
import { nearest } from '../text/nearest.ts'
import type { Key } from './keys.ts'

/** In the order of the help. */
const DEFAULTS = {
  prompt: {
    send: ['enter'],
    follow_up: ['alt+enter'],
    newline: ['shift+enter', 'ctrl+j'],
    take_back: ['alt+up'],
    complete: ['tab'],
    search_history: ['ctrl+r'],
    edit_outside: ['ctrl+g'],
  },
  run: {
    stop: ['escape'],
    interrupt: ['ctrl+c'],
    leave: ['ctrl+d'],
    more_time: ['ctrl+t'],
    to_background: ['ctrl+b'],
    suspend: ['ctrl+z'],
    change_mode: ['shift+tab'],
    pick_model: ['alt+p'],
    enough: ['alt+t'],
    help: ['?', 'f1'],
  },
  view: {
    page_up: ['pageup'],
    page_down: ['pagedown'],
    top: ['ctrl+home'],
    bottom: ['ctrl+end'],
    next_prompt: ['alt+down'],
    palette: ['ctrl+p'],
    go_on: ['alt+c'],
    side_column: ['alt+s'],
    changes: ['ctrl+x'],
    search: ['ctrl+f'],
    unfold: ['ctrl+o'],
    redraw: ['ctrl+l'],
  },
  editor: {
    left: ['left'],
    right: ['right'],
    up: ['up'],
    down: ['down'],
    word_left: ['alt+b', 'alt+left', 'ctrl+left'],
    word_right: ['alt+f', 'alt+right', 'ctrl+right'],
    line_start: ['home', 'ctrl+a'],
    line_end: ['end', 'ctrl+e'],
    text_start: ['alt+<'],
    text_end: ['alt+>'],
    delete_left: ['backspace', 'shift+backspace', 'ctrl+h'],
    delete_right: ['delete'],
    kill_word_left: ['alt+backspace', 'ctrl+backspace'],
    kill_word_right: ['alt+d', 'ctrl+delete'],
    kill_blank_left: ['ctrl+w'],
    kill_line_start: ['ctrl+u'],
    kill_line_end: ['ctrl+k'],
    yank: ['ctrl+y'],
    // Terminals with the kitty protocol tell Ctrl+_ by the keys that are pressed for it.
    undo: ['ctrl+_', 'ctrl+/', 'ctrl+shift+-'],
  },
  approval: {
    allow_once: ['y'],
    allow_session: ['a'],
    allow_edits: ['w'],
    allow_saved: ['s'],
    rule_narrower: ['left'],
    rule_wider: ['right'],
    edit_call: ['c'],
    deny_with_reason: ['e'],
    deny: ['n'],
    deny_all: ['escape'],
    approval_up: ['up'],
    approval_down: ['down'],
    approval_page_up: ['pageup'],
    approval_page_down: ['pagedown'],
  },
  list: {
    list_choose: ['enter'],
    list_close: ['escape'],
    list_up: ['up', 'ctrl+p'],
    list_down: ['down', 'ctrl+n'],
    list_page_up: ['pageup'],
    list_page_down: ['pagedown'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>

export type Group = keyof typeof DEFAULTS
export type Action = { [G in Group]: keyof (typeof DEFAULTS)[G] }[Group] & string

/** Where a key is pressed: a key may mean another thing in each. */
export type Place = 'chat' | 'approval' | 'list'

export interface Keymap {
  /** The keys of every action, none or more. */
  readonly keys: Readonly<Record<Action, readonly string[]>>
  readonly meanings: Readonly<Record<Place, ReadonlyMap<string, Action>>>
}

interface Entry {
  group: Group
  place: Place
  action: Action
  keys: readonly string[]
}

const entries: readonly Entry[] = Object.entries(DEFAULTS).flatMap(([group, actions]) =>
  Object.entries(actions).map(([action, keys]) => ({
    group: group as Group,
    place: group === 'approval' || group === 'list' ? group : 'chat',
    action: action as Action,
    keys,
  })),
)

/**
 * The keymap with a person's own keys: `{ action: keys }`, several separated by spaces, `none` for none. A key that is
 * given to an action is taken from the one that has it by default. `problems` are whole sentences; the keymap
 * works without what they are about.
 */
export function createKeymap(own: Readonly<Record<string, string>> = {}): {
  keymap: Keymap
  problems: string[]
} {
  const problems: string[] = []
  const chosen = new Map<Action, readonly string[]>()
  for (const [name, text] of Object.entries(own)) {
    const entry = entries.find(({ action }) => action === name)
    if (entry) {
      const keys = readKeys(entry, text, { problems })
      if (keys) chosen.set(entry.action, keys)
    } else problems.push(unknownAction(name))
  }
  const meanings = { chat: new Map(), approval: new Map(), list: new Map() } satisfies Record<
    Place,
    Map<string, Action>
  >
  const keys: Partial<Record<Action, string[]>> = {}
  const give = ({ place, action }: Entry, key: string): Action | undefined => {
    const holder: Action | undefined = meanings[place].get(key)
    if (holder) return holder
    meanings[place].set(key, action)
    keys[action] = [...(keys[action] ?? []), key]
    return undefined
  }
  for (const entry of entries) {
    for (const key of chosen.get(entry.action) ?? []) {
      const holder = give(entry, key)
      if (holder && holder !== entry.action) {
        problems.push(`tui.keys: ${key} is given to ${holder} and to ${entry.action}; choose one of them`)
      }
    }
  }
  for (const entry of entries) {
    if (chosen.has(entry.action)) continue
    const holders = entry.keys.map(key => give(entry, key))
    if (holders.every(holder => holder !== undefined)) {
      problems.push(
        `tui.keys: ${entry.keys.join(' and ')} went to ${holders.join(' and ')}, so ${entry.action} has no key; ` +
          `give it one, or say ${entry.action}: none`,
      )
    }
  }
  const all = Object.fromEntries(entries.map(({ action }) => [action, keys[action] ?? []]))
  return { keymap: { keys: all as Record<Action, string[]>, meanings }, problems }
}

function unknownAction(name: string): string {
  const near = nearest(
    name,
    entries.map(({ action }) => action),
  )
  const hint = near === undefined ? 'the help (?) names them all' : `did you mean ${near}?`
  return `tui.keys: expected the name of an action; came ${JSON.stringify(name)}; ${hint}`
}

function readKeys(
  { place, action }: Entry,
  text: string,
  { problems }: { problems: string[] },
): string[] | undefined {
  const words = text.trim().split(/\s+/)
  if (words.join() === 'none') return []
  const keys: string[] = []
  for (const word of words) {
    const key = parseKey(word)
    if (key === undefined) {
      problems.push(
        `tui.keys.${action}: expected a key such as ctrl+s, alt+enter or f2; came ${JSON.stringify(word)}`,
      )
      return undefined
    }
    // Help alone may be asked for by what types something: on an empty editor.
    if (place === 'chat' && action !== 'help' && types(key)) {
      problems.push(`tui.keys.${action}: ${word} is needed for typing; put ctrl+ or alt+ before it`)
      return undefined
    }
    keys.push(key)
  }
  return keys
}

const NAMES = new Set([
  ...[
    'enter',
    'escape',
    'tab',
    'space',
    'backspace',
    'delete',
    'insert',
    'home',
    'end',
    'pageup',
    'pagedown',
  ],
  ...['up', 'down', 'left', 'right', 'clear'],
  ...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
])

const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ esc: 'escape', return: 'enter', del: 'delete', ins: 'insert', pgup: 'pageup', pgdn: 'pagedown' },
  ...{ pgdown: 'pagedown', control: 'ctrl', option: 'alt', meta: 'alt' },
}

/** A key as a person writes it, in our writing; undefined: no key. */
function parseKey(written: string): string | undefined {
  const lower = written.toLowerCase()
  const [, before = '', last = ''] = /^((?:[a-z]+\+)*)(.+)$/u.exec(lower) ?? []
  const held = before.split('+').slice(0, -1).map(named)
  const name = named(last)
  const isKey = NAMES.has(name) || ([...name].length === 1 && !/[\s\p{C}]/u.test(name))
  if (!isKey || held.some(word => !MODIFIERS.includes(word)) || new Set(held).size < held.length)
    return undefined
  return [...MODIFIERS.filter(word => held.includes(word)), name].join('+')
}

const MODIFIERS = ['ctrl', 'alt', 'shift']

const named = (word: string): string => OTHER_NAMES[word] ?? word

const types = (key: string): boolean => {
  const name = key.replace(/^shift\+/, '')
  return name === 'space' || [...name].length === 1
}

/** The action of a key in a place; undefined: the key means nothing there except what it types. */
export function actionOf(keymap: Keymap, key: Key, { place }: { place: Place }): Action | undefined {
  if (key.name === '') return undefined
  const held = MODIFIERS.filter(word => key[word as 'ctrl' | 'alt' | 'shift'])
  return keymap.meanings[place].get([...held, key.name].join('+'))
}

/** Every action by group, with its keys as they are printed, for the help. */
export function keyList(keymap: Keymap): { group: Group; action: Action; keys: string[] }[] {
  return entries.map(({ group, action }) => ({ group, action, keys: keymap.keys[action].map(printedKey) }))
}

/** The first key of an action, as it is printed; empty where it has none. */
export const keyOf = (keymap: Keymap, action: Action): string => printedKey(keymap.keys[action][0] ?? '')

const PRINTED: Readonly<Record<string, string>> = { escape: 'Esc', pageup: 'PgUp', pagedown: 'PgDn' }

/** `ctrl+pageup` as `Ctrl+PgUp`. */
function printedKey(key: string): string {
  const [, before = '', name = ''] = /^((?:ctrl\+|alt\+|shift\+)*)(.+)$/u.exec(key) ?? []
  const words = before.split('+').slice(0, -1)
  const isAlone = words.length === 0 && [...name].length === 1
  return [...words, name].map(word => (isAlone ? word : (PRINTED[word] ?? capital(word)))).join('+')
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
