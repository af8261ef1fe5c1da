/** Opening a panel. */

import type { Words } from '../../words/words.ts'
import type { Step } from '../effect.ts'
import { createPicker, type PickerItem, withItems } from '../list/picker.ts'
import type { State } from '../state.ts'
import type { Panel, Purpose } from './panel.ts'

export const helpPanel = (state: State): Step<State> => opened(state, { type: 'help', top: 0 })

export const openFind = (state: State): Step<State> => opened(state, { type: 'find', query: '' })

export const openHistory = (state: State): Step<State> =>
  opened(state, { type: 'history', query: '', draft: state.editor })

export interface ListOptions {
  items: readonly PickerItem[]
  /** The id of what is in use. */
  current?: string
  /** Stands in the place of the items where there is none. */
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
