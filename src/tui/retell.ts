/** A conversation that was had before, as cells. */
import type { AssistantMessage, Message } from '../protocol/messages.ts'
import { finishedTool } from '../text/tool-line.ts'
import type { Cell } from './cells/cell.ts'
import { blocksOf } from './markdown/blocks.ts'

/** `readable`: what a person reads of a reply. How long something took is not kept with the messages. */
export function retold(messages: readonly Message[], readable: (reply: AssistantMessage) => string): Cell[] {
  const calls = new Map<string, Record<string, unknown>>()
  const cells = messages.flatMap((message): Cell[] => {
    if (message.role === 'user') return userCells(message.shown ?? message.content)
    if (message.role === 'tool')
      return [{ type: 'tool', tool: finishedTool(message, calls.get(message.tool_call_id)) }]
    for (const call of message.tool_calls ?? []) calls.set(call.id, call.arguments)
    const { thinking } = message
    return [
      ...(thinking ? [{ type: 'thinking', text: thinking } as const] : []),
      ...blocksOf(readable(message)).map(({ block, joined }): Cell => ({ type: 'reply', block, joined })),
    ]
  })
  const isAfterTool = (index: number) => cells[index - 1]?.type === 'tool'
  return cells.map((cell, index) =>
    cell.type === 'tool' && isAfterTool(index) ? { ...cell, joined: true } : cell,
  )
}

const userCells = (text: string): Cell[] => (text === '' ? [] : [{ type: 'user', text }])
