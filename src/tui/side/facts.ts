/** What the side column shows of a session: loaded by whoever has the room. */
import { contextParts } from '../../kit/jobs/context.ts'
import { shownIn } from '../../kit/jobs/lines.ts'
import type { Message } from '../../protocol/messages.ts'
import type { Session } from '../../session/session.ts'
import { messagesIn, storyOf } from '../../session/story.ts'
import { checklist } from '../../text/checklist.ts'
import { fieldsOf } from '../../text/record.ts'
import type { Words } from '../../words/words.ts'
import type { Side, SideFile } from './side.ts'

export interface SideOptions {
  words: Words
  cwd: string
  /** Texts of AGENTS.md that the model is told. */
  instructions: readonly string[]
}

export function sideFacts(session: Session, { words, cwd, instructions }: SideOptions): Side {
  const messages = messagesIn(storyOf(session))
  return {
    files: filesIn(messages, cwd),
    todo: todoIn(messages),
    parts: contextParts(session, { words, instructions }),
  }
}

/** The files that calls read or changed, the latest first. */
export function filesIn(messages: readonly Message[], cwd: string): SideFile[] {
  const named = new Map<string, string>()
  const files = new Map<string, SideFile>()
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const { id, arguments: given } of message.tool_calls ?? []) {
        const { path } = fieldsOf(given)
        if (typeof path === 'string') named.set(id, path)
      }
    if (message.role !== 'tool' || message.is_error) continue
    const path = named.get(message.tool_call_id)
    const { diff, added, removed } = fieldsOf(message.details)
    if (path === undefined || (message.tool_name !== 'read' && typeof diff !== 'string')) continue
    const shown = shownIn(path, cwd).replace(/^\.\//, '')
    const before = files.get(shown) ?? { path: shown, added: 0, removed: 0, diffs: [] }
    // The one seen last comes last.
    files.delete(shown)
    files.set(shown, {
      path: shown,
      added: before.added + numberOf(added),
      removed: before.removed + numberOf(removed),
      diffs: typeof diff === 'string' && diff !== '' ? [...before.diffs, diff] : before.diffs,
    })
  }
  return [...files.values()].reverse()
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

function todoIn(messages: readonly Message[]): string[] {
  for (const message of messages.toReversed()) {
    const lines = message.role === 'tool' ? checklist(message.details) : undefined
    if (lines) return lines
  }
  return []
}
