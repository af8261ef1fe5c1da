/** A short exchange before the conversation, in which a tool is called as it should be: small models do what they see. */
import type { Message } from '../protocol/messages.ts'
import type { WireTool } from '../protocol/wire.ts'

const CALL = { id: 'call_example', name: 'read', arguments: { path: 'notes.txt' } }

const EXAMPLES: readonly Message[] = [
  { role: 'user', id: 'example-1', content: 'What does notes.txt say?' },
  { role: 'assistant', id: 'example-2', content: '', tool_calls: [CALL], stop_reason: 'calls' },
  {
    role: 'tool',
    id: 'example-3',
    tool_call_id: CALL.id,
    tool_name: CALL.name,
    content: '1\tbuy milk',
    is_error: false,
  },
  { role: 'assistant', id: 'example-4', content: 'It says: buy milk.', stop_reason: 'stop' },
]

/** Where there is no such tool, there is no example. The same messages each time, so that what is made of them is kept. */
export const fewShot = (tools: readonly WireTool[]): readonly Message[] =>
  tools.some(tool => tool.function.name === CALL.name) ? EXAMPLES : []
