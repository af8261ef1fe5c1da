/** Three ways to ask a model for words: Ollama's, and OpenAI's chat completions and responses. */

export interface Call {
  name: string
  arguments: Record<string, unknown>
}

export interface Protocol {
  /** Content type of an answer. */
  type: string
  /** What the model has to read of a request: texts, and the tools as JSON. */
  prompt(body: Body): string
  /** The `id`th call of the tool that runs commands, to say hi. Throws when there is none. */
  tool(body: Body, id: number): Call
  call(call: Call, id: number): string
  words(text: string): string
}

/** What is looked at in a request. */
export interface Body {
  instructions?: string
  messages?: Message[]
  input?: Message[]
  tools?: (Tool & { function?: Tool })[]
}

interface Message {
  content?: string | { text?: string }[] | null
}

interface Tool {
  name?: string
  parameters?: { properties?: Record<string, { type?: string }> }
}

const shared = {
  prompt({ instructions, messages, input, tools }: Body): string {
    const texts = (messages ?? input ?? []).flatMap(({ content }) =>
      typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? ''),
    )
    return [instructions ?? '', ...texts, JSON.stringify(tools ?? [])].filter(Boolean).join('\n')
  },
  tool({ tools = [] }: Body, id: number): Call {
    // The same words again and again would look as if the model had lost its way.
    const command = `echo hi ${id}`
    for (const entry of tools) {
      const { name = '', parameters } = entry.function ?? entry
      if (!/^(bash|shell|exec_command|shell_command)$/.test(name)) continue
      const key = parameters?.properties?.cmd ? 'cmd' : 'command'
      const isList = parameters?.properties?.[key]?.type === 'array'
      return { name, arguments: { [key]: isList ? ['bash', '-c', command] : command } }
    }
    throw new Error('a tool that runs commands was expected in the request')
  },
}

const ollama: Protocol = {
  ...shared,
  type: 'application/x-ndjson',
  call: call => lines({ role: 'assistant', content: '', tool_calls: [{ function: call }] }),
  words: content => lines({ role: 'assistant', content }),
}

function lines(message: object): string {
  const end = { done: true, done_reason: 'stop', prompt_eval_count: 900, eval_count: 9 }
  const list = [
    { model: 'bench', message, done: false },
    { model: 'bench', message: { role: 'assistant', content: '' }, ...end },
  ]
  return list.map(line => `${JSON.stringify(line)}\n`).join('')
}

const completions: Protocol = {
  ...shared,
  type: 'text/event-stream',
  call: ({ name, arguments: args }, id) =>
    chunks('tool_calls', {
      role: 'assistant',
      tool_calls: [
        { index: 0, id: `call_${id}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
      ],
    }),
  words: content => chunks('stop', { role: 'assistant', content }),
}

function chunks(finish_reason: string, delta: object): string {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench' }
  const list = [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
  ]
  return [...list.map(one => JSON.stringify(one)), '[DONE]'].map(data => `data: ${data}\n\n`).join('')
}

export const responses: Protocol = {
  ...shared,
  type: 'text/event-stream',
  call: ({ name, arguments: args }, id) =>
    events({
      type: 'function_call',
      id: `item_${id}`,
      call_id: `call_${id}`,
      name,
      arguments: JSON.stringify(args),
    }),
  words: text =>
    events({ type: 'message', role: 'assistant', id: 'm', content: [{ type: 'output_text', text }] }),
}

function events(item: object): string {
  const counts = {
    input_tokens: 900,
    input_tokens_details: null,
    output_tokens: 9,
    output_tokens_details: null,
  }
  const list = [
    { type: 'response.created', response: { id: 'r' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'r', usage: { ...counts, total_tokens: 909 } } },
  ]
  return list.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/** By path. */
export const protocols: Record<string, Protocol> = {
  '/api/chat': ollama,
  '/v1/chat/completions': completions,
  '/v1/responses': responses,
}
