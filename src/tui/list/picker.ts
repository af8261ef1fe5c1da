/**
 * A list to choose from, as a value: what is typed filters it, arrows move, Enter takes. It knows no keys and no
 * screen; `picker-lines.ts` shows it.
 */
import { sanitize } from '../../text/sanitize.ts'
import { graphemeStart } from '../../text/width.ts'
import { Haystack } from '../fuzzy.ts'
import type { Action } from '../keymap.ts'

export interface PickerItem {
  readonly id: string
  readonly label: string
  /** Shown after the label, not searched. */
  readonly detail?: string
  /** What else is searched; of the selected item some of it is shown. */
  readonly texts?: readonly string[]
}

export interface Picker {
  readonly title: string
  readonly items: readonly PickerItem[]
  /** The id of what is in use. */
  readonly current?: string
  /** Shown instead of items where there are none. */
  readonly empty?: string
  readonly query: string
  /** The items that fit the query, the best first. */
  readonly shown: readonly PickerItem[]
  /** Which of them is selected. */
  readonly at: number
}

export type PickerCommand =
  | { type: 'type'; text: string }
  | { type: 'erase'; what: 'character' | 'all' }
  /** One row goes round at the ends; more stop there. */
  | { type: 'move'; rows: number }

/** A picker with what is in use selected. */
export function createPicker({
  title,
  items,
  current,
  empty,
}: Pick<Picker, 'title' | 'items' | 'current' | 'empty'>): Picker {
  const clean = items.map(cleanItem)
  return selecting(current, {
    title,
    items: clean,
    ...(current !== undefined && { current }),
    ...(empty !== undefined && { empty }),
    query: '',
    shown: clean,
    at: 0,
  })
}

/** The same picker with other items (those that have come meanwhile); the query stays, and so does what was selected. */
export function withItems(
  picker: Picker,
  items: readonly PickerItem[],
  { empty }: Pick<Picker, 'empty'> = {},
): Picker {
  const selected = picker.shown[picker.at]?.id ?? picker.current
  const { empty: _, ...rest } = picker
  return selecting(
    selected,
    filtered({ ...rest, items: items.map(cleanItem), ...(empty !== undefined && { empty }) }, picker.query),
  )
}

export function stepPicker(picker: Picker, command: PickerCommand): Picker {
  switch (command.type) {
    case 'type':
      return filtered(picker, picker.query + oneLine(command.text))
    case 'erase': {
      if (picker.query === '') return picker
      const end = command.what === 'all' ? 0 : graphemeStart(picker.query, picker.query.length)
      return filtered(picker, picker.query.slice(0, end))
    }
    case 'move':
      return moved(picker, command.rows)
  }
}

/** What Enter takes: undefined when nothing is shown. */
export const selectedItem = ({ shown, at }: Picker): PickerItem | undefined => shown[at]

/** What an action of the keymap's list does to a picker of which `rows` rows are shown; undefined: nothing. */
export function pickerCommand(action: Action, { rows }: { rows: number }): PickerCommand | undefined {
  const page = Math.max(1, rows - 1)
  const distances: Partial<Record<Action, number>> = {
    list_up: -1,
    list_down: 1,
    list_page_up: -page,
    list_page_down: page,
  }
  const distance = distances[action]
  return distance === undefined ? undefined : { type: 'move', rows: distance }
}

function filtered(picker: Picker, query: string): Picker {
  const { items } = picker
  const sought = query.trim()
  if (sought === '') return { ...picker, query, shown: items, at: 0 }
  const hits = haystackOf(items)
    .best(sought, { most: items.length })
    .flatMap(({ index }) => items[index] ?? [])
  const isHit = new Set(hits)
  const within = items.filter(item => !isHit.has(item) && textsWith(item, sought).length > 0)
  return { ...picker, query, shown: [...hits, ...within], at: 0 }
}

/** Of a long list it is made once, not with every key. */
const haystacks = new WeakMap<readonly PickerItem[], Haystack>()

function haystackOf(items: readonly PickerItem[]): Haystack {
  const made = haystacks.get(items) ?? new Haystack(items.map(({ label }) => label))
  haystacks.set(items, made)
  return made
}

/** The texts of an item in which every word stands, in small letters or capitals. */
export function textsWith({ texts = [] }: PickerItem, query: string): readonly string[] {
  const words = query.trim().toLowerCase().split(/\s+/)
  return texts.filter(text => words.every(word => text.toLowerCase().includes(word)))
}

function selecting(id: string | undefined, picker: Picker): Picker {
  return {
    ...picker,
    at: Math.max(
      0,
      picker.shown.findIndex(item => item.id === id),
    ),
  }
}

function moved(picker: Picker, rows: number): Picker {
  const { shown, at } = picker
  if (shown.length === 0) return picker
  const target = at + rows
  const isStep = Math.abs(rows) === 1
  const last = shown.length - 1
  const stop = isStep ? (target + shown.length) % shown.length : Math.max(0, Math.min(last, target))
  return { ...picker, at: stop }
}

/** Names come from a server, first words from a journal. */
function cleanItem(item: PickerItem): PickerItem {
  return {
    ...item,
    label: oneLine(item.label),
    ...(item.detail !== undefined && { detail: oneLine(item.detail) }),
    ...(item.texts && { texts: item.texts.map(oneLine) }),
  }
}

const oneLine = (text: string): string => sanitize(text).replaceAll(/[\n\t]+/g, ' ')
