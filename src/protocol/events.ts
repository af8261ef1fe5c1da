/**
 * The words of gopi: everything that happens in a session is one of these.
 *
 * A run (`agent_start` … `agent_end`) consists of turns (`turn_start` … `turn_end`), a turn of one request to the
 * model and the tool calls that its reply asks for. Kept events are entries of the journal: they are written there
 * before anybody is shown them. Live events are only shown; a slow face may merge or drop them.
 */
import type { ErrorCode } from './errors.ts'
import type { DialectName, Message } from './messages.ts'
import type { Reason, Said } from './sayings.ts'
import type { WireTool } from './wire.ts'

export type PermissionMode = 'ask' | 'auto-edit' | 'plan' | 'yolo'
export type RunReason = 'done' | 'aborted' | 'error' | 'limit' | 'permission'
export type PermissionBy = 'hard' | 'rule' | 'protected' | 'mode' | 'hook' | 'user' | 'nobody'
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
  /** Ids of the messages that stay as they are, except for `cut`. */
  kept: string[]
  /** Kept messages whose content was shortened: id → what is left. */
  cut?: Record<string, string>
  /** Milliseconds for which a run waited for the summary. */
  waited_ms?: number
}

/** What a file of the person's held before and after: SHA-256 of it, null where there was no file. */
export interface FileMove {
  /** The real path. */
  path: string
  /** Absent: nobody knows any more, so it cannot be brought back. */
  before?: string | null
  after: string | null
  /** Its permission bits before. */
  mode?: number
}

/** The conversation, files, or both went back to before a prompt; `redo`: what was undone last is there again. */
export interface RewindEntry {
  type: 'rewind'
  /** The message with which what was cut off began; absent: the conversation stayed. */
  to?: string
  files: FileMove[]
  redo?: true
}

/** What every event may carry: the side conversation that it belongs to. Without one it belongs to the main one. */
export interface Threaded {
  thread?: string
}

/** A side conversation in which an agent works for a call of the main one. */
export interface TaskStart {
  agent: string
  tool_call_id: string
  /** `branch`: on the main one's prefix. `fresh`: on one of its own. */
  way: 'branch' | 'fresh'
  /** Why a prefix of its own: no room for it in the main one's, another model, or a server that keeps several. */
  why?: 'room' | 'model' | 'several'
}

/** An agent as a journal has it: enough to hold it to its limits when it is there no more. */
export interface KeptAgent {
  name: string
  prompt: string
  /** The only tools that it may call, in lower case. */
  tools?: readonly string[]
  permission?: { mode?: PermissionMode; ask?: readonly string[]; deny?: readonly string[] }
}

/** Who the session is from here on; without an agent: nobody in particular. `begins`: the prefix, too, is its own. */
export interface AgentChange {
  type: 'agent_change'
  agent?: KeptAgent
  begins?: true
  /** For the run that begins: who the session is stays who it was. */
  for_run?: true
}

/** A journal entry without its timestamp, which the journal adds. */
export type KeptEvent = Threaded & Kept

type Kept =
  | Header
  /** `for_run`: for the run that begins; the session's own stays the one before. */
  | { type: 'model_change'; model: string; tool_calling: DialectName; num_ctx: number; for_run?: true }
  | { type: 'mode_change'; mode: PermissionMode }
  | AgentChange
  /** A side conversation begins; `base`: it goes on from the main one as it stands then, up to that message. */
  | ({ type: 'thread_start'; base?: string } & Partial<TaskStart>)
  | { type: 'prompt'; system: string; tools: WireTool[] }
  | ({ type: 'message' } & Message)
  | { type: 'agent_start' }
  | { type: 'agent_end'; reason: RunReason; turns: number }
  | { type: 'turn_start' }
  | { type: 'turn_end' }
  | { type: 'tool_call_start'; tool_call_id: string; name: string; arguments: Record<string, unknown> }
  | { type: 'tool_call_end'; tool_call_id: string; is_error: boolean; duration_ms: number }
  /** `arguments`: those with which it runs, where the person changed them. */
  | ({
      type: 'permission'
      tool_call_id: string
      decision: 'allow' | 'deny'
      by: PermissionBy
      arguments?: Record<string, unknown>
    } & Reason)
  | { type: 'steer'; id: string; content: string }
  | { type: 'follow_up'; id: string; content: string }
  | { type: 'queue_removed'; id: string }
  | CompactionEntry
  /** By a tool, by a command that ran, or by the person through gopi. */
  | ({ type: 'file_change'; by: 'tool' | 'command' | 'person' } & FileMove)
  /** Files that commands of the run changed and of which nothing older is known; `more` are not named. */
  | { type: 'command_changes'; paths: string[]; more: number }
  | RewindEntry
  | { type: 'name'; name: string }
  | ShellEntry
  | { type: 'notice'; code: string; facts?: Said['facts']; message: string }
  | { type: 'error'; code: ErrorCode; facts?: Said['facts']; message: string }

/**
 * A command of the person's own, or with `sent` the end of one that the person had sent to the background. `for_model`:
 * the next words bring it.
 */
export interface ShellEntry {
  type: 'shell'
  command: string
  exit_code: number | null
  output?: string
  for_model: boolean
  sent?: true
}

/** Written to the journal while a reply streams, so that a crash loses no text; superseded by its `message`. */
export interface PartialEntry extends Threaded {
  type: 'message_partial'
  message_id: string
  text: string
}

export type LiveEvent = Threaded & Live

type Live =
  /** Once more for the same message: what was shown of it was a thought, and it begins anew. */
  | { type: 'message_start'; id: string; role: 'assistant' }
  | { type: 'message_delta'; message_id: string; text: string }
  | { type: 'thinking_delta'; message_id: string; text: string }
  /** So many commands run in the background now. */
  | { type: 'background'; running: number }
  /** The server has read ahead what nobody waits for: the model is loaded. */
  | { type: 'read_ahead' }
  | { type: 'tool_output'; tool_call_id: string; text: string }
  /** A command begins, or is given more time: how long it may run from its beginning. */
  | { type: 'tool_limit'; tool_call_id: string; limit_ms: number }
  /** `what`: what is done in it, where that is not the answer: a summary, or a call that cannot be shown before its end. */
  | { type: 'phase'; phase: Phase; tokens?: number; eta_ms?: number; what?: 'summary' | 'call' }
  | ({ type: 'permission_request'; tool_call_id: string } & Reason)

/** A kept event as it stands in the journal and as listeners get it. `timestamp` is ISO 8601. */
export type Entry = KeptEvent & { timestamp: string }

/** What a listener gets. */
export type SessionEvent = Entry | LiveEvent
