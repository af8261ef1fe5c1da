/** One line of /api/chat, read with distrust: other servers speak this protocol too, and not all speak it well. */
import type { EndReason, Metrics, Piece } from '../../protocol/wire.ts'
import { isRecord } from '../../text/record.ts'

export interface Chunk {
  pieces: Piece[]
  end?: { reason: EndReason; metrics: Metrics }
}

/** A field of the wrong kind; `malformedCall` when a tool call is at fault, which the model can mend. */
export class ChunkError extends Error {
  readonly malformedCall: boolean
  constructor(message: string, malformedCall = false) {
    super(message)
    this.malformedCall = malformedCall
  }
}

/**
 * Reads a chunk. The final one may carry text and calls like any other: llama-server's native path sends its tool
 * calls nowhere else. Throws `ChunkError` when a field has an unexpected kind.
 */
export function readChunk(chunk: Record<string, unknown>): Chunk {
  const done = chunk.done === true
  const message = chunk.message ?? (done ? {} : undefined)
  if (!isRecord(message)) throw new ChunkError(`message is ${kind(message)}, not an object`)
  const thinking = text(message, 'thinking')
  const content = text(message, 'content')
  const pieces: Piece[] = []
  if (thinking !== '') pieces.push({ type: 'thinking', text: thinking })
  if (content !== '') pieces.push({ type: 'text', text: content })
  pieces.push(...calls(message.tool_calls ?? []))
  if (!done) return { pieces }
  return {
    pieces,
    end: { reason: chunk.done_reason === 'length' ? 'length' : 'stop', metrics: metrics(chunk) },
  }
}

function text(message: Record<string, unknown>, field: 'content' | 'thinking'): string {
  const value = message[field] ?? ''
  if (typeof value !== 'string') throw new ChunkError(`message.${field} is ${kind(value)}, not a text`)
  return value
}

function calls(value: unknown): Piece[] {
  if (!Array.isArray(value)) throw new ChunkError(`message.tool_calls is ${kind(value)}, not a list`)
  return value.map((call: unknown) => {
    const { name, arguments: given } = isRecord(call) && isRecord(call.function) ? call.function : {}
    if (typeof name !== 'string' || name === '') throw new ChunkError('a tool call has no name', true)
    const id = (call as { id?: unknown }).id
    const piece = { type: 'call' as const, name, arguments: argumentsOf(name, given) }
    return typeof id === 'string' && id !== '' ? { ...piece, id } : piece
  })
}

/** Ollama sends an object; servers that imitate OpenAI send its JSON text. */
function argumentsOf(name: string, given: unknown): Record<string, unknown> {
  let value = given ?? {}
  if (typeof value === 'string') {
    try {
      value = value.trim() === '' ? {} : JSON.parse(value)
    } catch {
      throw new ChunkError(`the arguments of the tool call "${name}" are no JSON`, true)
    }
  }
  if (!isRecord(value)) {
    throw new ChunkError(`the arguments of the tool call "${name}" are ${kind(value)}, not an object`, true)
  }
  return value
}

function metrics(chunk: Record<string, unknown>): Metrics {
  const number = (field: string) => (typeof chunk[field] === 'number' ? chunk[field] : 0)
  const ms = (field: string) => number(field) / 1e6
  return {
    prompt_tokens: number('prompt_eval_count'),
    completion_tokens: number('eval_count'),
    load_ms: ms('load_duration'),
    prefill_ms: ms('prompt_eval_duration'),
    decode_ms: ms('eval_duration'),
    total_ms: ms('total_duration'),
  }
}

function kind(value: unknown): string {
  if (value === null || value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
