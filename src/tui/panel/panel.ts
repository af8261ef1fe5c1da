/** What has the keys until it is closed: a list to choose from, the help, a search. */
import type { Editor } from '../editor/editor.ts'
import type { Picker } from '../list/picker.ts'

export type Panel =
  | { readonly type: 'list'; readonly purpose: Purpose; readonly picker: Picker }
  | { readonly type: 'help'; readonly top: number }
  /** Of the transcript; `found` once it was looked for. */
  | { readonly type: 'find'; readonly query: string; readonly found?: boolean }
  /** Of what was sent before; `at` is the index of what was found. */
  | { readonly type: 'history'; readonly query: string; readonly at?: number; readonly draft: Editor }

/** What is chosen. */
export type Purpose = 'model' | 'session' | 'theme' | 'mode'
