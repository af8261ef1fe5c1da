/** What is told beside the conversation: a title at once, and below it a text as it comes. */
import type { Telling } from '../kit/commands/command.ts'
import type { Cell } from './cells/cell.ts'
import { withAside } from './conversation.ts'
import type { State } from './state.ts'

interface Shower {
  change(change: (state: State) => State): void
  settle(cells: readonly Cell[]): void
}

export function tells(app: Shower, title: string): Telling {
  let text = ''
  let cell: Cell | undefined
  function show(next: Cell | undefined): void {
    const before = cell
    cell = next
    app.change(state => ({ ...state, conversation: withAside(state.conversation, before, next) }))
  }
  const told = (): Cell => ({
    type: 'notice',
    level: 'note',
    message: text === '' ? title : `${title}\n\n${text}`,
  })
  show(told())
  return {
    add(piece) {
      text = text === '' ? piece.trimStart() : text + piece
      show(told())
    },
    end(whole = text) {
      text = whole
      show(undefined)
      app.settle([told()])
    },
  }
}
