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
  /** Shown behind the label, not searched. */
  readonly detail?: string
  /** It is shown and cannot be chosen. */
  readonly disabled?: boolean
}

export interface Picker {
  readonly title: string
  readonly items: readonly PickerItem[]
  /** The id of what is in use. */
  readonly current?: string
  /** Stands in the place of the items where there is none. */
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

export interface PickerOptions extends Pick<Picker, 'title' | 'items' | 'current' | 'empty'> {}

/** A picker with what is in use selected. */
export function createPicker({ title, items, current, empty }: PickerOptions): Picker {
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

/** What Enter takes: undefined when nothing is shown, or nothing that can be chosen. */
export function selectedItem({ shown, at }: Picker): PickerItem | undefined {
  const item = shown[at]
  return item?.disabled ? undefined : item
}

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
  const labels = items.map(({ label }) => label)
  const shown =
    query.trim() === ''
      ? items
      : new Haystack(labels)
          .best(query.trim(), { most: items.length })
          .flatMap(({ index }) => items[index] ?? [])
  return { ...picker, query, shown, at: nearestEnabled(shown, 0, 1) }
}

function selecting(id: string | undefined, picker: Picker): Picker {
  const at = picker.shown.findIndex(item => item.id === id && !item.disabled)
  return { ...picker, at: at >= 0 ? at : nearestEnabled(picker.shown, 0, 1) }
}

function moved(picker: Picker, rows: number): Picker {
  const { shown, at } = picker
  if (shown.every(({ disabled }) => disabled)) return picker
  const last = shown.length - 1
  const isStep = Math.abs(rows) === 1
  const target = at + rows
  const wanted = isStep ? (target + shown.length) % shown.length : Math.max(0, Math.min(last, target))
  const direction = rows < 0 ? -1 : 1
  return { ...picker, at: nearestEnabled(shown, wanted, direction) }
}

/** The first item from `from` on that can be chosen, going round; `from` when there is none. */
function nearestEnabled(items: readonly PickerItem[], from: number, direction: 1 | -1): number {
  for (let step = 0; step < items.length; step++) {
    const at = (from + direction * step + items.length * 2) % items.length
    if (!items[at]?.disabled) return at
  }
  return from
}

/** Names come from a server, first words from a journal. */
function cleanItem(item: PickerItem): PickerItem {
  return {
    ...item,
    label: oneLine(item.label),
    ...(item.detail !== undefined && { detail: oneLine(item.detail) }),
  }
}

const oneLine = (text: string): string => sanitize(text).replaceAll(/[\n\t]+/g, ' ')
