/**
 * Reads a journal back: lines → entries → what the session knew. Pure: what a crash left unfinished is mended in what
 * is returned, and the mending is returned too, so that it can be written down.
 */
import { applyCompaction } from '../context/compaction.ts'
import type { Entry, KeptEvent, PartialEntry, PermissionMode } from '../protocol/events.ts'
import type { AssistantMessage, DialectName, Message, SeenFile, ToolMessage } from '../protocol/messages.ts'
import type { WireTool } from '../protocol/wire.ts'

export interface Replayed {
  id: string
  cwd: string
  history: Message[]
  mode: PermissionMode | undefined
  /** What the server was last sent beside the history: a resume sends the same bytes. */
  sent: { model: string; dialect: DialectName; num_ctx: number } | undefined
  prompt: { system: string; tools: WireTool[] } | undefined
  /** Words that were typed and never sent. */
  unsent: { id: string; content: string }[]
  /** Entries that mend what a crash left unfinished, to be appended. */
  repairs: KeptEvent[]
  /** When it was written last (ms since 1970). */
  at: number
  /** Files that the model has seen, also before a compaction, as it saw them last; the oldest first. */
  seen: SeenFile[]
  /** Lines that are no JSON object, by number. */
  badLines: number[]
}

/** Reads the text of a journal. Lines that are no JSON are left out; unknown types and fields are ignored. */
export function replay(text: string, newId: () => string): Replayed {
  const { entries, badLines } = readLines(text)
  const state: Replayed = {
    id: '',
    cwd: '',
    history: [],
    mode: undefined,
    sent: undefined,
    prompt: undefined,
    unsent: [],
    repairs: [],
    at: lastTime(entries),
    seen: [],
    badLines,
  }
  const waiting = new Map<string, string>()
  let running = false
  let inTurn = false
  let turns = 0
  let partial: { id: string; text: string } | undefined

  for (const entry of entries) {
    switch (entry.type) {
      case 'header':
        state.id = entry.id
        state.cwd = entry.cwd
        break
      case 'model_change':
        state.sent = { model: entry.model, dialect: entry.tool_calling, num_ctx: entry.num_ctx }
        break
      case 'mode_change':
        state.mode = entry.mode
        break
      case 'prompt':
        state.prompt = { system: entry.system, tools: entry.tools }
        break
      case 'agent_start':
        running = true
        turns = 0
        break
      case 'agent_end':
        running = false
        break
      case 'turn_start':
        turns++
        inTurn = true
        break
      case 'turn_end':
        inTurn = false
        partial = undefined
        break
      case 'message_partial':
        partial = {
          id: entry.message_id,
          text: (partial?.id === entry.message_id ? partial.text : '') + entry.text,
        }
        break
      case 'message': {
        const { type: _, timestamp: __, ...message } = entry
        insert(state.history, message)
        state.seen.push(...seenIn(message))
        waiting.delete(message.id)
        // Its own message, or a later one: then nothing was said that is kept.
        partial = undefined
        break
      }
      case 'compaction':
        state.history = applyCompaction(state.history, entry)
        break
      case 'steer':
      case 'follow_up':
        waiting.set(entry.id, entry.content)
        break
      case 'queue_removed':
        waiting.delete(entry.id)
        break
    }
  }

  if (running && partial && partial.text.trim() !== '')
    mend(state, { type: 'message', ...fromPartial(partial) })
  for (const result of missingResults(state.history, newId)) mend(state, { type: 'message', ...result })
  if (running && inTurn) mend(state, { type: 'turn_end' })
  if (running) mend(state, { type: 'agent_end', reason: 'aborted', turns })
  state.unsent = [...waiting].map(([id, content]) => ({ id, content }))
  return state
}

function lastTime(entries: readonly (Entry | PartialEntry)[]): number {
  const last = entries.findLast(entry => 'timestamp' in entry)
  return last && 'timestamp' in last ? Date.parse(last.timestamp) || 0 : 0
}

function seenIn(message: Message): SeenFile[] {
  if (message.role === 'user') return Array.isArray(message.seen) ? message.seen.filter(isSeen) : []
  if (message.role !== 'tool') return []
  const { seen } = (message.details ?? {}) as { seen?: unknown }
  return isSeen(seen) ? [seen] : []
}

function isSeen(value: unknown): value is SeenFile {
  const { path, hash, size, mtime_ms } = (value ?? {}) as Partial<SeenFile>
  return (
    typeof path === 'string' &&
    typeof hash === 'string' &&
    typeof size === 'number' &&
    typeof mtime_ms === 'number'
  )
}

function mend(state: Replayed, repair: KeptEvent): void {
  state.repairs.push(repair)
  if (repair.type !== 'message') return
  const { type: _, ...message } = repair
  insert(state.history, message)
}

/** A result belongs right after its call's message and the results that follow it; everything else goes to the end. */
function insert(history: Message[], message: Message): void {
  const call = message.role === 'tool' ? indexOfCall(history, message.tool_call_id) : -1
  if (call < 0) {
    history.push(message)
    return
  }
  let at = call + 1
  while (history[at]?.role === 'tool') at++
  history.splice(at, 0, message)
}

const indexOfCall = (history: readonly Message[], id: string): number =>
  history.findLastIndex(
    message => message.role === 'assistant' && message.tool_calls?.some(call => call.id === id),
  )

const fromPartial = ({ id, text }: { id: string; text: string }): AssistantMessage => ({
  id,
  role: 'assistant',
  content: text,
  stop_reason: 'aborted',
})

/** A result for every call of the history that has none: a call without one bricks a session. */
export function missingResults(history: readonly Message[], newId: () => string): ToolMessage[] {
  const answered = new Set(
    history.flatMap(message => (message.role === 'tool' ? [message.tool_call_id] : [])),
  )
  return history
    .flatMap(message => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
    .filter(({ id }) => !answered.has(id))
    .map(({ id, name }) => ({
      id: newId(),
      role: 'tool',
      content: '[aborted: gopi ended before the result]',
      tool_call_id: id,
      tool_name: name,
      is_error: true,
    }))
}

function readLines(text: string): { entries: (Entry | PartialEntry)[]; badLines: number[] } {
  const entries: (Entry | PartialEntry)[] = []
  const badLines: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const entry = parseEntry(line)
    if (entry) entries.push(entry)
    else badLines.push(index + 1)
  }
  return { entries, badLines }
}

/**
 * The journal is our own file: an object with a type is trusted to have the fields of that type, but for messages,
 * which go to the server and must not be half there.
 */
function parseEntry(line: string): Entry | PartialEntry | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
    return value.type !== 'message' || isMessage(value) ? (value as Entry) : undefined
  } catch {
    return undefined
  }
}

function isMessage(value: object): boolean {
  const { id, role, content, tool_calls, tool_call_id } = value as Record<string, unknown>
  if (typeof id !== 'string' || typeof content !== 'string') return false
  if (role === 'tool') return typeof tool_call_id === 'string'
  return role === 'user' || (role === 'assistant' && (tool_calls === undefined || Array.isArray(tool_calls)))
}
