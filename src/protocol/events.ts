/**
 * The words of gopi: everything that happens in a session is one of these.
 *
 * A run (`agent_start` … `agent_end`) consists of turns (`turn_start` … `turn_end`), a turn of one request to the
 * model and the tool calls that its reply asks for. Kept events are entries of the journal: they are written there
 * before anybody is shown them. Live events are only shown; a slow face may merge or drop them.
 */
import type { ErrorCode } from './errors.ts'
import type { DialectName, Message } from './messages.ts'
import type { WireTool } from './wire.ts'

export type PermissionMode = 'ask' | 'auto-edit' | 'plan' | 'yolo'
/** What a tool can do to the world. */
export type ToolKind = 'read' | 'edit' | 'command'
export type RunReason = 'done' | 'aborted' | 'error' | 'limit' | 'permission'
export type PermissionBy = 'hard' | 'rule' | 'protected' | 'mode' | 'user' | 'nobody'
export type Phase = 'waiting' | 'loading' | 'reading' | 'thinking' | 'writing' | 'tool' | 'idle'

/** First line of every journal. */
export interface Header {
  type: 'header'
  version: 1
  id: string
  cwd: string
}

/** Old history was replaced by a summary. */
export interface CompactionEntry {
  type: 'compaction'
  /** Of the message that the summary became. */
  id: string
  /** The whole text of that message; empty when nothing was dropped and only results were cut. */
  summary: string
  token_before: number
  token_after: number
  /** Ids of the messages that stay as they are, but for `cut`. */
  kept: string[]
  /** Kept messages whose content was shortened: id → what is left. */
  cut?: Record<string, string>
}

/** A journal entry without its timestamp, which the journal adds. */
export type KeptEvent =
  | Header
  | { type: 'model_change'; model: string; tool_calling: DialectName; num_ctx: number }
  | { type: 'mode_change'; mode: PermissionMode }
  | { type: 'prompt'; system: string; tools: WireTool[] }
  | ({ type: 'message' } & Message)
  | { type: 'agent_start' }
  | { type: 'agent_end'; reason: RunReason; turns: number }
  | { type: 'turn_start' }
  | { type: 'turn_end' }
  | { type: 'tool_call_start'; tool_call_id: string; name: string; arguments: Record<string, unknown> }
  | { type: 'tool_call_end'; tool_call_id: string; is_error: boolean; duration_ms: number }
  | { type: 'permission'; tool_call_id: string; decision: 'allow' | 'deny'; by: PermissionBy; why: string }
  | { type: 'steer'; id: string; content: string }
  | { type: 'follow_up'; id: string; content: string }
  | { type: 'queue_removed'; id: string }
  | CompactionEntry
  | { type: 'notice'; code: string; message: string }
  | { type: 'error'; code: ErrorCode; message: string }

/** Written to the journal while a reply streams, so that a crash loses no text; superseded by its `message`. */
export interface PartialEntry {
  type: 'message_partial'
  message_id: string
  text: string
}

export type LiveEvent =
  | { type: 'message_start'; id: string; role: 'assistant' }
  | { type: 'message_delta'; message_id: string; text: string }
  | { type: 'thinking_delta'; message_id: string; text: string }
  | { type: 'tool_output'; tool_call_id: string; text: string }
  | { type: 'phase'; phase: Phase; tokens?: number; eta_ms?: number }
  | { type: 'permission_request'; tool_call_id: string; why: string }

/** A kept event as it stands in the journal and as listeners get it. `timestamp` is ISO 8601. */
export type Entry = KeptEvent & { timestamp: string }

/** What a listener gets. */
export type SessionEvent = Entry | LiveEvent
