/** What three ways of asking a model for words have in common, said as Ollama's own endpoint has it. */
import { toMessages } from '../src/demo/openai-messages.ts'
import type { WireMessage, WireTool } from '../src/protocol/wire.ts'

interface Item {
  type?: string
  role?: string
  content?: string | { text?: string }[]
  call_id?: string
  name?: string
  arguments?: string
  output?: string | { text?: string }[]
}

interface Body {
  model: string
  instructions?: string
  input?: Item[] | string
  tools?: { type: string; name?: string; description?: string; parameters?: object }[]
}

/** The model, messages and tools of a request to `path`. */
export function inChatWords(path: string, body: object): object {
  if (path === '/v1/responses') return ofResponses(body as Body)
  if (path !== '/v1/chat/completions') return body
  const { model, messages, tools } = body as { model: string; messages: unknown[]; tools?: unknown[] }
  return { model, messages: toMessages(messages), ...(tools && { tools }) }
}

function ofResponses({ model, instructions, input = [], tools = [] }: Body): object {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const said = items.flatMap((item): WireMessage[] => messageOf(item))
  const functions = tools.filter(({ type }) => type === 'function')
  return {
    model,
    messages: [...(instructions ? [{ role: 'system', content: instructions }] : []), ...said],
    tools: functions.map(
      ({ name = '', description = '', parameters = {} }) =>
        ({ type: 'function', function: { name, description, parameters } }) as WireTool,
    ),
  }
}

const textIn = (content: Item['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('\n')

/** What a server does not know of is not told to the model. */
function messageOf(item: Item): WireMessage[] {
  if (item.type === 'function_call') {
    const { name = '', arguments: given = '{}' } = item
    return [
      { role: 'assistant', content: '', tool_calls: [{ function: { name, arguments: JSON.parse(given) } }] },
    ]
  }
  if (item.type === 'function_call_output') return [{ role: 'tool', content: textIn(item.output) }]
  if (!item.role) return []
  const role = item.role === 'developer' ? 'system' : (item.role as WireMessage['role'])
  return [{ role, content: textIn(item.content) }]
}
