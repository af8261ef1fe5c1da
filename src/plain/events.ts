/** What the line mode shows of a session: replies as they stream, a line per tool call, notices. */
import type { SessionEvent } from '../protocol/events.ts'
import type { ToolMessage } from '../protocol/messages.ts'
import { checklist } from '../text/checklist.ts'
import { reveal } from '../text/sanitize.ts'
import { linesWritten, subjectOf, toolLine } from '../text/tool-line.ts'
import { saidOf } from '../words/sayings/said.ts'
import type { Words } from '../words/words.ts'
import type { Paper } from './paper.ts'

/** Milliseconds after which a running tool is named before it has ended. */
const longRunning = 1_000
/** Of a command's output. */
const outputLines = 20

/** A listener for a session. `quiet` calls have been shown already (the person approved their diff). */
export function showEvents(
  paper: Paper,
  { approved, words }: { approved: ReadonlySet<string>; words: Words },
) {
  const calls = new Map<string, { arguments: Record<string, unknown>; timer: NodeJS.Timeout }>()
  let thinking = false
  /** The message of which there is something on the paper. */
  let streamed: string | undefined

  return (event: SessionEvent): void => {
    switch (event.type) {
      case 'phase':
        if (event.what === 'summary') paper.line(`… ${words.footer.phases.summary}`, 'dim')
        if (event.phase === 'thinking' && !thinking) paper.line(`… ${words.plain.thinking}`, 'dim')
        thinking = event.phase === 'thinking'
        break
      case 'message_start':
        // What the paper has cannot be taken back.
        if (event.id === streamed) paper.endStream()
        if (event.id === streamed) paper.line(words.plain.wasThought, 'dim')
        break
      case 'message_delta':
        streamed = event.message_id
        paper.stream(event.text)
        break
      case 'tool_call_start': {
        const { name, arguments: args, tool_call_id } = event
        const subject = reveal(subjectOf(args, words.tool))
        const timer = setTimeout(() => paper.line(`… ${name} ${subject}`, 'dim'), longRunning)
        timer.unref()
        calls.set(tool_call_id, { arguments: args, timer })
        break
      }
      case 'permission_request':
        clearTimeout(calls.get(event.tool_call_id)?.timer)
        break
      case 'tool_call_end':
        clearTimeout(calls.get(event.tool_call_id)?.timer)
        break
      case 'message':
        if (event.role === 'assistant') {
          paper.endStream()
        } else if (event.role === 'tool') {
          const args = calls.get(event.tool_call_id)?.arguments ?? {}
          paper.line(
            toolLine({ ...event, name: event.tool_name, arguments: args }, words),
            event.is_error ? 'red' : 'dim',
          )
          for (const line of checklist(event.details) ?? []) paper.line(`  ${line}`)
          showOutput(paper, event, words)
          if (!approved.has(event.tool_call_id)) showDiff(paper, event.details)
        } else if (event.shown === '') {
          paper.line(words.notices.toTheModel(event.content), 'dim')
        }
        break
      case 'permission':
        if (event.decision === 'deny' && event.by !== 'user')
          paper.line(words.notices.denied(words.say(saidOf(event))), 'red')
        break
      case 'compaction':
        paper.line(words.cells.compacted(event.token_before, event.token_after, event.waited_ms ?? 0), 'dim')
        break
      case 'notice':
        paper.line(`gopi: ${words.say(event)}`, 'dim')
        break
      case 'error':
        paper.endStream()
        paper.line(`gopi: ${words.say(event)}`, 'red')
        break
    }
  }
}

/** Of a command, the end of what it wrote. */
function showOutput(paper: Paper, { content, details }: ToolMessage, words: Words): void {
  const lines = linesWritten({ content, details })
  if (!lines) return
  const hidden = Math.max(0, lines.length - outputLines)
  if (hidden > 0) paper.line(`  … ${words.moreLines(hidden)}`, 'dim')
  for (const line of lines.slice(hidden)) paper.line(`  ${line}`, 'dim')
}

/** The diff of an edit, line by line in its colours. */
export function showDiff(paper: Paper, details: unknown): void {
  if (typeof details !== 'object' || details === null || !('diff' in details)) return
  if (typeof details.diff !== 'string' || details.diff === '') return
  for (const line of details.diff.trimEnd().split('\n')) {
    paper.line(`  ${reveal(line)}`, line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'dim')
  }
}
