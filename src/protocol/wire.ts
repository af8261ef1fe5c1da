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

/** A message as Ollama's /api/chat takes it. */
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

/** The server's own figures of one reply. Counts are tokens, times milliseconds. */
export interface Metrics {
  prompt_tokens: number
  completion_tokens: number
  load_ms: number
  prefill_ms: number
  decode_ms: number
  total_ms: number
}
