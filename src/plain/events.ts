/** What the line mode shows of a session: replies as they stream, a line per tool call, notices. */
import type { SessionEvent } from '../protocol/events.ts'
import { reveal } from '../text/sanitize.ts'
import { subjectOf, toolLine } from '../text/tool-line.ts'
import type { Words } from '../words/words.ts'
import type { Paper } from './paper.ts'

/** Milliseconds after which a running tool is named before it has ended. */
const longRunning = 1_000

/** A listener for a session. `quiet` calls have been shown already (the person approved their diff). */
export function showEvents(
  paper: Paper,
  { approved, words }: { approved: ReadonlySet<string>; words: Words },
) {
  const calls = new Map<string, { arguments: Record<string, unknown>; timer: NodeJS.Timeout }>()
  let thinking = false

  return (event: SessionEvent): void => {
    switch (event.type) {
      case 'phase':
        if (event.phase === 'thinking' && !thinking) paper.line(`… ${words.plain.thinking}`, 'dim')
        thinking = event.phase === 'thinking'
        break
      case 'message_delta':
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
            toolLine({ ...event, name: event.tool_name, arguments: args }, words.tool),
            event.is_error ? 'red' : 'dim',
          )
          if (!approved.has(event.tool_call_id)) showDiff(paper, event.details)
        } else if (event.shown === '') {
          paper.line(words.notices.toTheModel(event.content), 'dim')
        }
        break
      case 'permission':
        if (event.decision === 'deny' && event.by !== 'user')
          paper.line(words.notices.denied(event.why), 'red')
        break
      case 'compaction':
        paper.line(words.cells.compacted(event.token_before, event.token_after), 'dim')
        break
      case 'notice':
        paper.line(`gopi: ${event.message}`, 'dim')
        break
      case 'error':
        paper.endStream()
        paper.line(`gopi: ${event.message}`, 'red')
        break
    }
  }
}

/** The diff of an edit, line by line in its colours. */
export function showDiff(paper: Paper, details: unknown): void {
  if (typeof details !== 'object' || details === null || !('diff' in details)) return
  if (typeof details.diff !== 'string' || details.diff === '') return
  for (const line of details.diff.trimEnd().split('\n')) {
    paper.line(`  ${reveal(line)}`, line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'dim')
  }
}
