/** What has the keys until it is closed: a list to choose from, the help, a search. */
import type { Purpose } from '../../kit/commands/command.ts'
import type { Picker } from '../list/picker.ts'
import type { Found } from '../transcript/matches.ts'

export type Panel =
  /**
   * `choice`: of what a command gives to choose from. `isSudden`: it opened while the person may have been typing, so
   * that what is typed is the prompt's until an arrow turns to the list.
   */
  | {
      readonly type: 'list'
      readonly purpose: Purpose | 'choice'
      readonly picker: Picker
      readonly isSudden?: boolean
    }
  | { readonly type: 'palette'; readonly picker: Picker }
  /** What a file was changed by, to be scrolled. */
  | { readonly type: 'diff'; readonly path: string; readonly diff: string; readonly top: number }
  | { readonly type: 'help'; readonly top: number }
  /** Of the transcript; `found` once it was looked for. */
  | { readonly type: 'find'; readonly query: string; readonly found?: Found | 'nothing' }
  /** Of what was sent before. */
  | { readonly type: 'history'; readonly picker: Picker }
