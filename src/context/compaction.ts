/**
 * Replacing old history by a summary: what is kept, what gopi knows for certain without the model, and what the new
 * history is. Pure, and the same function makes the history live and on resume, so that both send the same bytes.
 */

import texts from '../../prompts/summary.md'
import type { CompactionEntry } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import { fill, sections } from '../text/fill.ts'
import { fieldsOf } from '../text/record.ts'
import { head } from '../text/truncate.ts'
import { changeFiles, filesIn } from './mentions.ts'

/** Files and commands that are named; the newest. */
const mostFiles = 20
const mostCommands = 5
/** Bytes that a cut tool result or file keeps. */
const cutResult = 400

const prompts = () => sections(texts, ['ask', 'keep', 'compacted', 'without', 'facts'])

/** What the model is asked for a summary with; `hint` is what the person wants kept. */
export function summaryPrompt(hint?: string): string {
  const { ask, keep } = prompts()
  return hint ? `${ask}\n\n${fill(keep, { hint })}` : ask
}

/** The first message of the new history. Without a summary the certain facts must do. */
export function compactedText(summary: string | undefined, history: readonly Message[]): string {
  const { compacted, without } = prompts()
  const facts = certainFacts(history)
  return (summary === undefined ? fill(without, { facts }) : fill(compacted, { summary, facts })).trim()
}

/** The history after a compaction: the summary, then what was kept, with its cuts. */
export function applyCompaction(history: readonly Message[], entry: CompactionEntry): Message[] {
  const kept = new Set(entry.kept)
  const messages = history
    .filter(({ id }) => kept.has(id))
    .map(message => shortened(message, entry.cut?.[message.id]))
  // Without a summary nothing was dropped: long results were cut, no more.
  if (entry.summary === '') return messages
  return [{ id: entry.id, role: 'user', content: entry.summary, shown: '' }, ...messages]
}

/** What the server counted belongs to the history that is gone. */
function shortened(message: Message, content: string | undefined): Message {
  if (message.role !== 'assistant') return content === undefined ? message : { ...message, content }
  const { usage: _, ...rest } = message
  return rest
}

/** The messages that stay: the newest, grown backwards to the call that the first of them answers. */
export function keptMessages(history: readonly Message[], keepRecent: number): readonly Message[] {
  let start = Math.max(0, history.length - keepRecent)
  while (start > 0 && history[start]?.role === 'tool') start--
  return history.slice(start)
}

/** Cuts kept tool results, and files that were named with `@`, the oldest first, until `fits` says enough. → id → what is left of the content. */
export function cutResults(
  kept: readonly Message[],
  fits: (cut: Readonly<Record<string, string>>) => boolean,
): Record<string, string> {
  const cut: Record<string, string> = {}
  for (const message of kept) {
    if (fits(cut)) break
    const left =
      message.role === 'tool'
        ? shortText(message.content)
        : message.role === 'user'
          ? changeFiles(message, shortText)
          : message.content
    if (left !== message.content) cut[message.id] = left
  }
  return cut
}

const shortText = (text: string): string =>
  text.length <= cutResult ? text : `${head(text, cutResult).trimEnd()}\n[cut to make room]`

/** Files changed and read, last commands with their exit codes: from the results, not from the model's memory. */
function certainFacts(history: readonly Message[]): string {
  const changed = new Set<string>()
  const read = new Set<string>()
  const commands: string[] = []
  for (const message of history) {
    if (message.role === 'user') for (const { path } of filesIn(message)) latest(read, path)
    if (message.role !== 'tool') continue
    const facts = fieldsOf(message.details)
    if (typeof facts.path === 'string' && !message.is_error) {
      latest('diff' in facts ? changed : read, facts.path)
    }
    if (typeof facts.command === 'string') commands.push(`${oneLine(facts.command)} → ${exitOf(facts)}`)
  }
  const things = toDo(history)
  const lines = [
    ...(things === undefined ? [] : [`To do: ${things}`]),
    ...list('Files changed', [...changed].slice(-mostFiles)),
    ...list('Files read', [...read].filter(file => !changed.has(file)).slice(-mostFiles)),
    ...commands.slice(-mostCommands).map(command => `Command: ${command}`),
  ]
  return lines.length === 0 ? '' : fill(prompts().facts, { lines: lines.join('\n') })
}

/** The list of things to do as it was written last; an earlier summary may hold it. */
function toDo(history: readonly Message[]): string | undefined {
  for (const message of history.toReversed()) {
    const { todo } = fieldsOf(message.role === 'tool' ? message.details : undefined)
    if (Array.isArray(todo)) return todo.map(thing).join('; ')
    const before = message.role === 'user' && message.shown === '' && /^To do: (.*)$/m.exec(message.content)
    if (before) return before[1]
  }
  return undefined
}

const MARKS: Readonly<Record<string, string>> = { done: 'x', doing: '~' }

function thing(item: unknown): string {
  const { text, state } = fieldsOf(item)
  return `[${MARKS[String(state)] ?? ' '}] ${String(text)}`
}

function latest(files: Set<string>, file: string): void {
  files.delete(file)
  files.add(file)
}

const exitOf = ({ exit_code }: Record<string, unknown>): string =>
  typeof exit_code === 'number' ? `exit code ${exit_code}` : 'did not end by itself'

const list = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${title}: ${items.join(', ')}`]

const oneLine = (command: string): string => {
  const line = command.trim().replace(/\s*\n\s*/g, '; ')
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
