/** Opening a panel. */
import type { Purpose } from '../../kit/commands/command.ts'
import type { Words } from '../../words/words.ts'
import type { Step } from '../effect.ts'
import { historyItems } from '../list/items.ts'
import { createPicker, type PickerItem, withItems } from '../list/picker.ts'
import type { State } from '../state.ts'
import type { Panel } from './panel.ts'

export const helpPanel = (state: State): Step<State> => opened(state, { type: 'help', top: 0 })

export const openFind = (state: State): Step<State> => opened(state, { type: 'find', query: '' })

/** What was sent before, the latest first, each once. */
export function openHistory(state: State, { search }: Words): Step<State> {
  const items = historyItems(state.editor.history)
  const picker = createPicker({ title: search.history, items, empty: search.noHistory })
  return opened(state, { type: 'history', picker })
}

export function openPalette(state: State, items: readonly PickerItem[], { palette, lists }: Words): State {
  return {
    ...state,
    panel: { type: 'palette', picker: createPicker({ title: palette.title, items, empty: lists.nothing }) },
  }
}

/** With what has come meanwhile, if it is still open. */
export function repaletted(state: State, items: readonly PickerItem[]): State {
  const { panel } = state
  return panel?.type === 'palette'
    ? { ...state, panel: { ...panel, picker: withItems(panel.picker, items) } }
    : state
}

export interface ListOptions {
  items: readonly PickerItem[]
  /** The id of what is in use. */
  current?: string
  /** Shown instead of items where there are none. */
  empty: string
  words: Words
}

/** A list to choose from. Items that come later are put in by `relist`. */
export function listPanel(purpose: Purpose, { items, current, empty, words }: ListOptions): Panel {
  const title = words.lists[`${purpose}s`]
  const picker = createPicker({ title, items, empty, ...(current !== undefined && { current }) })
  return { type: 'list', purpose, picker }
}

/** The same list with other items, if it is still open. */
export function relist(
  state: State,
  purpose: Purpose,
  { items, empty }: Pick<ListOptions, 'items' | 'empty'>,
): State {
  const { panel } = state
  if (panel?.type !== 'list' || panel.purpose !== purpose) return state
  return { ...state, panel: { ...panel, picker: withItems(panel.picker, items, { empty }) } }
}

const opened = (state: State, panel: Panel): Step<State> => ({ state: { ...state, panel }, effects: [] })
