/**
 * What the model is sent and answers, in the shape in which the journal keeps it.
 * The system message is not here: it is fixed for the session and lives in the journal's `prompt` entry.
 */
import type { Said } from './sayings.ts'

export type DialectName = 'native' | 'react' | 'json'

/** What a model asks for. `id` is unique in the session; `arguments` is always an object. */
export interface ToolCall {
  id: string
  name: string
  arguments: Record<string, unknown>
}

export interface UserMessage {
  id: string
  role: 'user'
  /** As sent to the model. */
  content: string
  /** As the person typed it, where that differs from `content`. */
  shown?: string
  /** The files that were named with `@`: their text stands in `content`, before the words. Never sent. */
  seen?: SeenFile[]
  /** Base64 without a prefix. */
  images?: string[]
}

/**
 * Why a reply ended: `stop` by itself, `length` cut by the server's limit, `calls` it asks for tools,
 * `steer` cut by the user's words, `aborted` cut by the user, `error` the stream broke.
 */
export type StopReason = 'stop' | 'length' | 'calls' | 'steer' | 'aborted' | 'error'

/** Token counts are the server's unless `estimated`; times are milliseconds. */
export interface Usage {
  /** The whole prompt of this request, cached part included. */
  prompt_tokens: number
  completion_tokens: number
  /** Tokens in the context after this reply. */
  context_tokens: number
  /** Of the prompt: tokens that the server read anew, and tokens that it still had. */
  read_tokens: number
  reused_tokens: number
  /** True when `read_tokens` and `reused_tokens` are our estimate (Ollama does not tell). */
  estimated: boolean
  load_ms: number
  prefill_ms: number
  decode_ms: number
  /** Why the server read again what it should have had: the English sentence, and what it is made of. */
  miss?: string
  miss_code?: string
  miss_facts?: Said['facts']
}

export interface AssistantMessage {
  id: string
  role: 'assistant'
  /** The text as generated; for dialects that write calls as text it holds the calls too. */
  content: string
  thinking?: string
  tool_calls?: ToolCall[]
  /** True: the calls stand in `content`, and the message is sent back as that text alone. */
  text_calls?: true
  stop_reason: StopReason
  usage?: Usage
}

export interface ToolMessage {
  id: string
  role: 'tool'
  content: string
  tool_call_id: string
  tool_name: string
  is_error: boolean
  /** Typed data for screen and journal (exit code, diff, counts); never sent to the model. */
  details?: unknown
}

/** A file as the model saw it last: `seen` of a message, `details.seen` of a tool's result. A resumed session knows its files by these. */
export interface SeenFile {
  /** The real path. */
  path: string
  size: number
  mtime_ms: number
  /** Of its content; empty where the file is too big for that. */
  hash: string
  /** True: the session wrote it. */
  written?: true
}

export type Message = UserMessage | AssistantMessage | ToolMessage
