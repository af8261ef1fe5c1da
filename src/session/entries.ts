/**
 * What of a journal's lines is an entry. The journal is our own file, and yet a disk, an editor or another version may
 * have been at it: an entry has the fields of its type, and what goes to a server with a message is whole.
 */
import type { Entry, PartialEntry } from '../protocol/events.ts'
import type { SeenFile } from '../protocol/messages.ts'
import { fieldsOf, isRecord, parseRecord } from '../text/record.ts'

type Fields = Readonly<Record<string, unknown>>
type Check = (value: unknown) => boolean

const isText: Check = value => typeof value === 'string'
const isName: Check = value => typeof value === 'string' && value !== ''
const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value)
const isTrue: Check = value => value === true
const oneOf =
  (...values: readonly unknown[]): Check =>
  value =>
    values.includes(value)
const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)
const tableOf =
  (check: Check): Check =>
  value =>
    isRecord(value) && Object.values(value).every(check)
const maybe =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)
const isMaybeName = maybe(isName)
const isMaybeText = maybe(isText)
const shaped = (checks: Readonly<Record<string, Check>>): Check => {
  const all = Object.entries(checks)
  return value => isRecord(value) && all.every(([name, check]) => check(value[name]))
}

export const isSeen = shaped({ path: isText, hash: isText, size: isNumber, mtime_ms: isNumber }) as (
  value: unknown,
) => value is SeenFile

const isStopReason = oneOf('stop', 'length', 'calls', 'steer', 'aborted', 'error')
const isCall = shaped({ id: isName, name: isName, arguments: isRecord })
const isProperty = shaped({ type: isText, description: maybe(isText), enum: maybe(listOf(isText)) })
const isTool = shaped({
  function: shaped({
    name: isName,
    description: isText,
    parameters: shaped({ properties: tableOf(isProperty), required: listOf(isText) }),
  }),
})
const isMode = oneOf('ask', 'auto-edit', 'plan', 'yolo')
const isAgent = shaped({
  name: isName,
  prompt: isText,
  tools: maybe(listOf(isName)),
  permission: maybe(shaped({ mode: maybe(isMode), ask: maybe(listOf(isText)), deny: maybe(listOf(isText)) })),
})
const isHash: Check = value => value === null || (isText(value) && /^[0-9a-f]{64}$/.test(String(value)))
const move = { path: isName, before: maybe(isHash), after: isHash, mode: maybe(isNumber) }
const isUsage = shaped({
  ...Object.fromEntries(
    ['prompt', 'completion', 'context', 'read', 'reused'].map(name => [`${name}_tokens`, isNumber]),
  ),
  ...{ load_ms: isNumber, prefill_ms: isNumber, decode_ms: isNumber, miss: maybe(isText) },
  ...{ miss_code: maybe(isName), miss_facts: maybe(isRecord) },
})

/** What an entry must have; a type that is not here is another version's and means nothing. */
const checks: Readonly<Record<string, Check>> = {
  header: shaped({ id: isName, cwd: isText, version: maybe(isNumber) }),
  model_change: shaped({
    model: isName,
    tool_calling: oneOf('native', 'react', 'json'),
    num_ctx: value => isNumber(value) && Number(value) > 0,
    for_run: maybe(isTrue),
  }),
  mode_change: shaped({ mode: isMode }),
  agent_change: shaped({ agent: maybe(isAgent), begins: maybe(isTrue), for_run: maybe(isTrue) }),
  thread_start: shaped({ base: maybe(isText), agent: maybe(isText), way: maybe(isText) }),
  prompt: shaped({ system: isText, tools: listOf(isTool) }),
  steer: shaped({ id: isName, content: isText }),
  follow_up: shaped({ id: isName, content: isText }),
  queue_removed: shaped({ id: isName }),
  compaction: shaped({
    id: isName,
    summary: isText,
    kept: listOf(isText),
    cut: maybe(tableOf(isText)),
  }),
  file_change: shaped({ ...move, by: oneOf('tool', 'command', 'person') }),
  command_changes: shaped({ paths: listOf(isName), more: isNumber }),
  rewind: shaped({ to: maybe(isName), files: listOf(shaped(move)), redo: maybe(isTrue) }),
  name: shaped({ name: isText }),
  shell: shaped({ command: isText, output: maybe(isText) }),
  message: shaped({ id: isName, role: oneOf('user', 'assistant', 'tool'), content: isText }),
  message_partial: shaped({ message_id: isName, text: isText }),
}

/** What a message may have besides; what is none of that is left out of it. */
const extras: Readonly<Record<string, readonly (readonly [name: string, check: Check])[]>> = {
  user: [
    ['shown', isText],
    ['seen', listOf(isSeen)],
    ['images', listOf(isText)],
  ],
  assistant: [
    ['thinking', isText],
    ['text_calls', isTrue],
    ['usage', isUsage],
    ['tool_calls', Array.isArray],
  ],
}

/** undefined: the line is none. */
export function parseEntry(line: string): Entry | PartialEntry | undefined {
  const entry = parseRecord(line)
  if (!entry || !isText(entry.type) || !isMaybeName(entry.thread) || !isMaybeText(entry.timestamp))
    return undefined
  const type = String(entry.type)
  if (Object.hasOwn(checks, type) && !checks[type]?.(entry)) return undefined
  return (type === 'message' ? messageOf(entry) : entry) as unknown as Entry | PartialEntry | undefined
}

/** Mends the message, which nobody else has: long journals have many. undefined: it is none. */
function messageOf(message: Record<string, unknown>): Fields | undefined {
  for (const [name, check] of extras[String(message.role)] ?? [])
    if (message[name] !== undefined && !check(message[name])) delete message[name]
  if (message.role === 'tool') {
    if (!isName(message.tool_call_id) || !isName(message.tool_name)) return undefined
    message.is_error = message.is_error === true
  } else if (message.role === 'assistant') {
    if (Array.isArray(message.tool_calls)) message.tool_calls = callsOf(message.tool_calls)
    if (!isStopReason(message.stop_reason)) message.stop_reason = 'stop'
  }
  return message
}

/** Each id once. */
function callsOf(calls: readonly unknown[]): unknown[] {
  const known = new Set<unknown>()
  return calls.filter(call => {
    const { id } = fieldsOf(call)
    return isCall(call) && !known.has(id) && known.add(id)
  })
}
