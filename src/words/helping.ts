/** The words of the help: keys and commands, and what they do. */

export interface Helping {
  help: HelpWords
  groups: Readonly<Record<GroupName, string>>
  /** What each key does, as a sentence of the help. */
  actions: Readonly<Record<ActionName, string>>
  commands: Readonly<Record<CommandName, CommandWords>>
}

export interface HelpWords {
  title: string
  commands: string
  scroll(keys: { up: string; down: string; close: string }): string
  /** An action to which no key is given. */
  noKey: string
  typed: readonly { key: string; does: string }[]
  typedTitle: string
}

export type GroupName = 'prompt' | 'run' | 'view' | 'editor' | 'approval' | 'list'

export type ActionName =
  | 'send'
  | 'follow_up'
  | 'newline'
  | 'take_back'
  | 'complete'
  | 'search_history'
  | 'edit_outside'
  | 'stop'
  | 'interrupt'
  | 'leave'
  | 'suspend'
  | 'change_mode'
  | 'pick_model'
  | 'help'
  | 'page_up'
  | 'page_down'
  | 'top'
  | 'bottom'
  | 'search'
  | 'unfold'
  | 'redraw'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'word_left'
  | 'word_right'
  | 'line_start'
  | 'line_end'
  | 'text_start'
  | 'text_end'
  | 'delete_left'
  | 'delete_right'
  | 'kill_word_left'
  | 'kill_word_right'
  | 'kill_blank_left'
  | 'kill_line_start'
  | 'kill_line_end'
  | 'yank'
  | 'undo'
  | 'allow_once'
  | 'allow_session'
  | 'allow_saved'
  | 'deny_with_reason'
  | 'deny'
  | 'deny_all'
  | 'approval_up'
  | 'approval_down'
  | 'approval_page_up'
  | 'approval_page_down'
  | 'list_choose'
  | 'list_close'
  | 'list_up'
  | 'list_down'
  | 'list_page_up'
  | 'list_page_down'

export type CommandName =
  | 'help'
  | 'model'
  | 'resume'
  | 'clear'
  | 'compact'
  | 'mode'
  | 'later'
  | 'stop'
  | 'copy'
  | 'mouse'
  | 'theme'
  | 'quit'

export interface CommandWords {
  does: string
  /** What may or must stand behind it: `NAME`. */
  argument?: string
}
