/** The body of /chat/completions. */
import type { WireMessage } from '../../protocol/wire.ts'
import type { ChatRequest, Think } from '../backend.ts'

/** Fields that not every server knows: one that a server refuses by its name is left out from then on. */
export const SPARE = [
  'prompt_cache_key',
  'stream_options',
  'reasoning_effort',
  'reasoning_content',
  'json_schema',
  'response_format',
] as const
export type Spare = (typeof SPARE)[number]

/** Messages as they were written out, without and with their thinking: a request shares nearly all with the one before. */
const [bare, thoughtful] = [new WeakMap<WireMessage, string>(), new WeakMap<WireMessage, string>()]

/**
 * Its order of fields is fixed, so that the same request is the same bytes; messages come last, so that what a router
 * looks at comes first. The context is the server's own affair, and so is how long the model stays loaded.
 */
export function chatBody(request: ChatRequest, without: ReadonlySet<Spare>): string {
  const { model, messages, tools, think, most, stop, conversation, options } = request
  const has = (field: Spare) => !without.has(field)
  const head = JSON.stringify({
    model,
    stream: true,
    ...(has('stream_options') && { stream_options: { include_usage: true } }),
    ...(has('prompt_cache_key') && conversation !== undefined && { prompt_cache_key: conversation }),
    ...(has('reasoning_effort') && { reasoning_effort: effort(think) }),
    ...options,
    ...(stop && { stop }),
    ...(most !== undefined && { max_tokens: most }),
    ...(tools && { tools }),
    ...responseFormat(request, has),
  })
  const write = (message: WireMessage) => written(message, has('reasoning_content') ? thoughtful : bare)
  return `${head.slice(0, -1)},"messages":[${messages.map(write).join()}]}`
}

const effort = (think: Think): string =>
  think === false ? 'none' : think === true ? 'medium' : think === 'max' ? 'high' : think

/** Where a schema has no name in the protocol, older servers take it beside `json_object`. */
function responseFormat({ format }: ChatRequest, has: (field: Spare) => boolean): object {
  if (!format || !has('response_format')) return {}
  return {
    response_format: has('json_schema')
      ? { type: 'json_schema', json_schema: { name: 'reply', schema: format } }
      : { type: 'json_object', schema: format },
  }
}

function written(message: WireMessage, cache: WeakMap<WireMessage, string>): string {
  const before = cache.get(message)
  if (before !== undefined) return before
  const text = JSON.stringify(encoded(message, cache === thoughtful))
  cache.set(message, text)
  return text
}

function encoded(message: WireMessage, withThinking: boolean): object {
  const { role, content, thinking, images, tool_calls, tool_call_id } = message
  if (role === 'tool') return { role, tool_call_id: tool_call_id ?? 'call_0', content }
  return {
    role,
    content: images ? parts(content, images) : content,
    ...(withThinking && thinking && { reasoning_content: thinking }),
    ...(tool_calls && {
      tool_calls: tool_calls.map(({ id, function: { name, arguments: given } }, index) => ({
        id: id ?? `call_${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(given) },
      })),
    }),
  }
}

const parts = (text: string, images: readonly string[]): object[] => [
  { type: 'text', text },
  ...images.map(data => ({ type: 'image_url', image_url: { url: `data:${kindOf(data)};base64,${data}` } })),
]

/** By the first bytes, which base64 keeps apart. */
const kindOf = (data: string): string =>
  data.startsWith('iVBOR')
    ? 'image/png'
    : data.startsWith('R0lG')
      ? 'image/gif'
      : data.startsWith('UklGR')
        ? 'image/webp'
        : 'image/jpeg'
