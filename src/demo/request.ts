/** The body of a chat request. */

import type { WireMessage, WireTool } from '../protocol/wire.ts'
import { isRecord } from '../text/record.ts'
import { goDuration, goKind } from './go.ts'

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

/** Parses a JSON body into what Go calls `type`. Throws `HttpError` 400 in the words of Go's decoder. */
export function parseJson(text: string, type = 'ChatRequest'): Record<string, unknown> {
  if (text.trim() === '') throw new HttpError(400, 'missing request body')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new HttpError(400, decoderWords(text, error))
  }
  if (value === null) return {}
  if (!isRecord(value)) {
    throw new HttpError(400, `json: cannot unmarshal ${goKind(value)} into Go value of type api.${type}`)
  }
  return value
}

/** A chat body, taken as it comes; throws for a `keep_alive` that is no duration. */
export function parseChat(body: Record<string, unknown>): ChatBody {
  const { model, messages, stream, tools, options, format, think, truncate, shift, keep_alive } = body
  return {
    model: String(model ?? ''),
    messages: (Array.isArray(messages) ? messages : []).map(parseMessage),
    stream: stream !== false,
    tools: (Array.isArray(tools) ? tools : []) as WireTool[],
    options: isRecord(options) ? options : {},
    ...(format !== undefined && format !== null && { format }),
    ...((typeof think === 'boolean' || typeof think === 'string') && { think }),
    ...(typeof truncate === 'boolean' && { truncate }),
    ...(typeof shift === 'boolean' && { shift }),
    ...((typeof keep_alive === 'string' || typeof keep_alive === 'number') && {
      keepAlive: goDuration(keep_alive),
    }),
  }
}

function parseMessage(message: unknown): WireMessage {
  const { role, content, ...rest } = isRecord(message) ? message : {}
  return { ...rest, role: String(role ?? '').toLowerCase(), content: content ?? '' } as WireMessage
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
