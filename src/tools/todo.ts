import * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import { defineTool } from './define.ts'

export interface TodoItem {
  text: string
  state: 'open' | 'doing' | 'done'
}

const STATES: Readonly<Record<string, TodoItem['state']>> = { ' ': 'open', '~': 'doing', x: 'done' }
const mostItems = 50

/** The model's own list; it stands in the conversation, and `details` has it for screens. */
export const todo = defineTool({
  name: 'todo',
  parameters: z.object({
    list: z.string().check(z.describe('the whole list, a line each: [ ] open, [~] doing, [x] done')),
  }),
  description: 'Keep a list of what is to be done, for work of several steps.',

  access: () => [{ none: true }],

  async execute({ list }) {
    const lines = list.split('\n').filter(line => line.trim() !== '')
    const items = lines.map(itemOf)
    const wrong = lines.find((_, at) => items[at] === undefined)
    if (wrong !== undefined)
      throw new ToolError(`todo: expected lines such as "[ ] run the tests"; came "${wrong}".`)
    if (items.length > mostItems)
      throw new ToolError(`todo: at most ${mostItems} lines; came ${items.length}.`)
    const known = items.filter(item => item !== undefined)
    const done = known.filter(({ state }) => state === 'done').length
    return { output: `${done} of ${known.length} done.`, details: { todo: known } }
  },
})

function itemOf(line: string): TodoItem | undefined {
  const [, mark = '', text = ''] = /^\s*(?:[-*]\s+)?\[([ ~xX])\]\s+(.+?)\s*$/.exec(line) ?? []
  const state = STATES[mark.toLowerCase()]
  return state && { text, state }
}
