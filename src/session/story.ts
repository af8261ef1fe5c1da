/** A session from its beginning, as its journal tells it: also what was summarised since, and without what was undone. */
import type { Entry, PartialEntry } from '../protocol/events.ts'
import type { AssistantMessage, Message } from '../protocol/messages.ts'
import type { Price } from '../protocol/wire.ts'
import { costOf } from './cost.ts'
import { parseEntry } from './entries.ts'
import type { Session } from './session.ts'
import { readJournal } from './store.ts'
import { Undone } from './undone.ts'

/** Of a journal's text; lines that are no entries are left out. */
export function entriesOf(text: string): (Entry | PartialEntry)[] {
  return text.split('\n').flatMap(line => (line === '' ? [] : (parseEntry(line) ?? [])))
}

/** Where nothing is kept on disk, the messages that are still sent. */
export function storyOf({ id, sessionFile: file, messages }: Session): (Entry | PartialEntry)[] {
  const timestamp = new Date().toISOString()
  const inMemory = () => messages.map((message): Entry => ({ type: 'message', ...message, timestamp }))
  if (file === undefined) return inMemory()
  try {
    return entriesOf(readJournal({ id, file, directory: '' }).toString())
  } catch {
    return inMemory()
  }
}

/** The main conversation: every message once. */
export function messagesIn(entries: readonly (Entry | PartialEntry)[]): Message[] {
  const messages: Message[] = []
  const known = new Set<string>()
  const undone = new Undone()
  for (const entry of entries) {
    if (entry.thread !== undefined) continue
    if (entry.type === 'rewind') undone.apply(messages, entry)
    if (entry.type !== 'message' || known.has(entry.id)) continue
    const { type: _, timestamp: __, ...message } = entry
    if (message.role === 'user') undone.forget()
    known.add(message.id)
    messages.push(message)
  }
  return messages
}

export interface Tally {
  prompts: number
  turns: number
  prompt_tokens: number
  read_tokens: number
  completion_tokens: number
  /** In the context after the last reply. */
  context_tokens: number
  /** Milliseconds. */
  load_ms: number
  prefill_ms: number
  decode_ms: number
  tools_ms: number
  /** The part of it that side conversations have. */
  side: { turns: number; read_tokens: number; completion_tokens: number }
  model?: string
  /** Of the requests to models that have a price. */
  cost?: number
  /** What the person calls it, else the first words. */
  title: string
  cwd: string
}

/** What a session has come to, side conversations included. */
export function tallyOf(
  entries: readonly (Entry | PartialEntry)[],
  priceOf?: (model: string) => Price | undefined,
): Tally {
  const tally: Tally = {
    ...{ prompts: 0, turns: 0, prompt_tokens: 0, read_tokens: 0, completion_tokens: 0, context_tokens: 0 },
    ...{ load_ms: 0, prefill_ms: 0, decode_ms: 0, tools_ms: 0, title: '', cwd: '' },
    side: { turns: 0, read_tokens: 0, completion_tokens: 0 },
  }
  let name: string | undefined
  const models = new Map<string | undefined, string>()
  /** When calls began (ms): what the person took to answer is not the tools' time. */
  const began = new Map<string, number>()
  for (const entry of entries) {
    const isMain = entry.thread === undefined
    if (entry.type === 'header') tally.cwd ||= entry.cwd
    else if (entry.type === 'turn_start') {
      tally.turns++
      if (!isMain) tally.side.turns++
    } else if (entry.type === 'tool_call_end') tally.tools_ms += entry.duration_ms
    else if (entry.type === 'tool_call_start') began.set(entry.tool_call_id, Date.parse(entry.timestamp))
    else if (entry.type === 'permission' && entry.by === 'user') {
      const waited = Date.parse(entry.timestamp) - (began.get(entry.tool_call_id) ?? Number.NaN)
      if (waited > 0) tally.tools_ms -= waited
    } else if (entry.type === 'model_change') {
      models.set(entry.thread, entry.model)
      if (isMain) tally.model = entry.model
    } else if (entry.type === 'name') name = entry.name
    else if (entry.type === 'message' && entry.role === 'assistant') {
      add(tally, entry, isMain)
      const model = models.get(entry.thread) ?? tally.model
      const cost = costOf([entry], model === undefined ? undefined : priceOf?.(model))
      if (cost !== undefined) tally.cost = (tally.cost ?? 0) + cost
    } else if (entry.type === 'message' && entry.role === 'user' && isMain && entry.shown !== '') {
      tally.prompts++
      tally.title ||= (entry.shown ?? entry.content).trim().split('\n')[0]?.slice(0, 80) ?? ''
    }
  }
  tally.tools_ms = Math.max(0, tally.tools_ms)
  return { ...tally, ...(name && { title: name }) }
}

function add(tally: Tally, { usage }: AssistantMessage, isMain: boolean): void {
  if (!usage) return
  if (isMain) tally.context_tokens = usage.context_tokens
  else {
    tally.side.read_tokens += usage.read_tokens
    tally.side.completion_tokens += usage.completion_tokens
  }
  const sums = [
    'prompt_tokens',
    'read_tokens',
    'completion_tokens',
    'load_ms',
    'prefill_ms',
    'decode_ms',
  ] as const
  for (const name of sums) tally[name] += usage[name]
}
