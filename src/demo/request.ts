/** The body of a chat request: what Ollama's decoder accepts, and its words where it does not. */
import type { WireMessage, WireTool } from '../protocol/wire.ts'
import { messageOf } from '../text/message-of.ts'
import { goDuration } from './go.ts'

/** A request that is answered with an error. `streamed`: from inside the stream, where Ollama names no charset. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly streamed: boolean
  constructor(status: number, message: string, options: { streamed?: boolean } = {}) {
    super(message)
    this.status = status
    this.streamed = options.streamed ?? false
  }
}

export interface ChatBody {
  model: string
  messages: WireMessage[]
  stream: boolean
  tools: WireTool[]
  format?: unknown
  /** As asked; undefined leaves it to the server. */
  think?: boolean | string
  /** Undefined counts as true. */
  truncate?: boolean
  shift?: boolean
  /** Milliseconds, Infinity for ever. */
  keepAlive?: number
  options: Record<string, unknown>
}

type Json = Record<string, unknown>

const KINDS: Record<string, { go: string; fits: (value: unknown) => boolean }> = {
  string: { go: 'string', fits: value => typeof value === 'string' },
  bool: { go: 'bool', fits: value => typeof value === 'boolean' },
  messages: { go: '[]api.Message', fits: Array.isArray },
  tools: { go: 'api.Tools', fits: Array.isArray },
  options: { go: 'map[string]interface {}', fits: isObject },
}

const FIELDS: Record<string, keyof typeof KINDS> = {
  model: 'string',
  messages: 'messages',
  stream: 'bool',
  tools: 'tools',
  truncate: 'bool',
  shift: 'bool',
  options: 'options',
}

const INTEGERS = new Set([
  'num_ctx',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'num_thread',
  'num_keep',
  'num_predict',
  'seed',
  'top_k',
  'repeat_last_n',
])

/** Parses a JSON body. Throws `HttpError` 400 in the words of Go's decoder. */
export function parseJson(text: string): Json {
  if (text.trim() === '') throw new HttpError(400, 'missing request body')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new HttpError(400, decoderWords(text, error))
  }
  if (!isObject(value)) {
    throw new HttpError(400, `json: cannot unmarshal ${goKind(value)} into Go value of type api.ChatRequest`)
  }
  return value
}

/** Checks a chat body. Throws `HttpError` 400. */
export function parseChat(body: Json): ChatBody {
  for (const [field, kind] of Object.entries(FIELDS)) {
    const value = body[field]
    if (value !== undefined && value !== null) check(value, kind, `ChatRequest.${field}`)
  }
  const messages = ((body.messages ?? []) as unknown[]).map(parseMessage)
  const think = parseThink(body.think)
  const keepAlive = parseKeepAlive(body.keep_alive)
  return {
    model: (body.model ?? '') as string,
    messages,
    stream: (body.stream ?? true) as boolean,
    tools: (body.tools ?? []) as WireTool[],
    options: (body.options ?? {}) as Json,
    ...(body.format === undefined || body.format === null ? {} : { format: body.format }),
    ...(think === undefined ? {} : { think }),
    ...(typeof body.truncate === 'boolean' ? { truncate: body.truncate } : {}),
    ...(typeof body.shift === 'boolean' ? { shift: body.shift } : {}),
    ...(keepAlive === undefined ? {} : { keepAlive }),
  }
}

/** Options of a wrong type are found only when the model is scheduled. Throws `HttpError` 500, as Ollama does. */
export function checkOptions(options: Json): void {
  for (const [key, value] of Object.entries(options)) {
    if (INTEGERS.has(key) && typeof value !== 'number')
      throw new HttpError(500, `option "${key}" must be of type integer`)
    if (key === 'stop' && !Array.isArray(value))
      throw new HttpError(500, 'option "stop" must be of type array')
  }
}

function parseMessage(message: unknown): WireMessage {
  if (!isObject(message)) {
    throw new HttpError(
      400,
      `json: cannot unmarshal ${goKind(message)} into Go struct field ChatRequest.messages of type api.Message`,
    )
  }
  for (const field of ['role', 'content', 'thinking', 'tool_name', 'tool_call_id']) {
    const value = message[field]
    if (value !== undefined && value !== null) check(value, 'string', `ChatRequest.messages.${field}`)
  }
  const calls = message.tool_calls
  if (Array.isArray(calls)) {
    for (const call of calls) {
      const args = isObject(call) && isObject(call.function) ? call.function.arguments : undefined
      if (!isObject(args))
        throw new HttpError(400, "Value looks like object, but can't find closing '}' symbol")
    }
  }
  const role = String(message.role ?? '').toLowerCase()
  return { ...message, role, content: message.content ?? '' } as WireMessage
}

function parseThink(think: unknown): boolean | string | undefined {
  if (think === undefined || think === null) return undefined
  if (typeof think === 'boolean') return think
  if (typeof think === 'string' && ['high', 'medium', 'low', 'max'].includes(think)) return think
  if (typeof think === 'string') {
    const words = '(must be "high", "medium", "low", "max", true, or false)'
    throw new HttpError(400, `invalid think value: ${JSON.stringify(think)} ${words}`)
  }
  throw new HttpError(
    400,
    'think must be a boolean or string ("high", "medium", "low", "max", true, or false)',
  )
}

function parseKeepAlive(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new HttpError(400, `Unsupported type: '${goKind(value)}'`)
  try {
    return goDuration(value)
  } catch (error) {
    throw new HttpError(400, messageOf(error))
  }
}

function check(value: unknown, kind: keyof typeof KINDS, field: string): void {
  const wanted = KINDS[kind]!
  if (wanted.fits(value)) return
  throw new HttpError(
    400,
    `json: cannot unmarshal ${goKind(value)} into Go struct field ${field} of type ${wanted.go}`,
  )
}

/** Go's words for a text that is no JSON, from V8's, which name the place in one of two ways. */
function decoderWords(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const at = /at position (\d+)/.exec(message)?.[1]
  const sign =
    /^Unexpected token '(.)'/u.exec(message)?.[1] ?? (at === undefined ? undefined : text[Number(at)])
  if (sign === undefined || /end of JSON|^Unterminated/.test(message)) return 'unexpected EOF'
  const place = message.includes('property name') ? 'object key string' : 'value'
  return `invalid character '${sign}' looking for beginning of ${place}`
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
