/** What travels between us and the model server, independent of how the server is reached. */

/** JSON Schema of a tool's parameters: flat, one object of plain properties (order is part of the prefix). */
export interface ParameterSchema {
  type: 'object'
  properties: Record<
    string,
    { type: string; description?: string; enum?: string[]; items?: { type: string } }
  >
  required: string[]
}

/** A tool as the model is told about it. The journal's `prompt` entry keeps these, byte for byte. */
export interface WireTool {
  type: 'function'
  function: { name: string; description: string; parameters: ParameterSchema }
}

/** A message as a server is sent it. */
export interface WireMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
  thinking?: string
  images?: string[]
  tool_calls?: { id?: string; function: { name: string; arguments: Record<string, unknown> } }[]
  tool_name?: string
  tool_call_id?: string
}

/** One piece of a reply as it arrives from the server, before any dialect has read it. */
export type Piece =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'call'; id?: string; name: string; arguments: Record<string, unknown> }

/** How the server ended a reply. */
export type EndReason = 'stop' | 'length'

/** The server's own figures of one reply. Counts are tokens, times milliseconds: ours where it tells none. */
export interface Metrics {
  prompt_tokens: number
  /** Of the prompt: what the server still had. undefined: it does not tell. */
  cached_tokens?: number
  completion_tokens: number
  load_ms: number
  prefill_ms: number
  decode_ms: number
  total_ms: number
}

/** Of a million tokens, in whatever money. */
export interface Price {
  input: number
  output: number
  /** Of tokens that the server still had. Default: as `input`. */
  cached?: number | undefined
}

/** Whether a model thinks before it answers, as a person says it; servers take some of the levels. */
export const THINK = ['off', 'on', 'low', 'medium', 'high', 'max'] as const
export type Thinking = (typeof THINK)[number]
