/**
 * The prompt text, in the manner of the qwen templates: tools stand in the system block, every system message goes to
 * the front, neighbours of the same role are merged, content hides calls, old thinking is dropped. What the template
 * adds around the messages is what a client cannot count.
 */
import type { WireMessage, WireTool } from '../protocol/wire.ts'
import { goJson, goMapJson } from './go.ts'

const START = '<|im_start|>'
const END = '<|im_end|>'

/** The prompt as segments that are counted one by one; joined they are the text. */
export function renderPrompt(messages: readonly WireMessage[], tools: readonly WireTool[]): string[] {
  const system = messages
    .filter(message => message.role === 'system')
    .map(message => message.content)
    .join('\n\n')
  const talk = merge(messages.filter(message => message.role !== 'system'))
  const lastUser = talk.findLastIndex(message => message.role === 'user')
  const prompt: string[] = []
  if (system || tools.length > 0) prompt.push(START, 'system\n', system, renderTools(tools), END, '\n')
  for (const [index, message] of talk.entries()) {
    if (message.role === 'assistant') {
      const thinking = message.thinking && index > lastUser ? renderThinking(message.thinking) : ''
      const said = message.content || (message.tool_calls ?? []).map(renderSentCall).join('\n')
      prompt.push(START, 'assistant\n', thinking + said, END, '\n')
    } else if (message.role === 'tool') {
      prompt.push(START, 'user\n', `<tool_response>\n${message.content}\n</tool_response>`, END, '\n')
    } else {
      prompt.push(START, 'user\n', message.content, END, '\n')
    }
  }
  if (talk.at(-1)?.role !== 'assistant') prompt.push(START, 'assistant\n')
  return prompt.filter(segment => segment !== '')
}

/** A call as a model writes it; `renderSentCall` is what becomes of it when the client sends it back. */
export function renderWrittenCall(call: { name: string; arguments: Record<string, unknown> }): string {
  const text = JSON.stringify(call.arguments, null, 1).replace(/\n */g, ' ')
  return `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${text}}\n</tool_call>`
}

/** The thinking of a reply, as the model writes it. */
export function renderThinking(text: string): string {
  return `<think>\n${text}\n</think>\n\n`
}

function renderSentCall(call: { function: { name: string; arguments: Record<string, unknown> } }): string {
  const { name, arguments: args } = call.function
  return `<tool_call>\n{"name": "${name}", "arguments": ${goMapJson(args)}}\n</tool_call>`
}

/** Ollama keeps type, items, description, enum and required of a schema and sorts the properties by name. */
function renderTools(tools: readonly WireTool[]): string {
  if (tools.length === 0) return ''
  const lines = tools.map(tool => {
    // Go's decoder makes empty what is not there.
    const { name = '', description = '', parameters }: Partial<WireTool['function']> = tool.function ?? {}
    const properties = JSON.parse(goMapJson(parameters?.properties ?? {}))
    const shape = { type: parameters?.type, required: parameters?.required, properties }
    return goJson({ type: 'function', function: { name, description, parameters: shape } })
  })
  return (
    '\n\n# Tools\n\nThese functions may be called, one or several at a time. Their signatures stand within ' +
    `<tools></tools>:\n<tools>\n${lines.join('\n')}\n</tools>\n\nA call is one JSON object with the function's name ` +
    'and its arguments within <tool_call></tool_call>:\n<tool_call>\n{"name": <name>, "arguments": <object>}\n' +
    '</tool_call>'
  )
}

/** Neighbours of the same role become one message; the calls of the second one are lost. Tool results stay apart. */
function merge(messages: readonly WireMessage[]): WireMessage[] {
  const merged: WireMessage[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last && last.role === message.role && message.role !== 'tool') {
      merged[merged.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` }
    } else {
      merged.push(message)
    }
  }
  return merged
}
