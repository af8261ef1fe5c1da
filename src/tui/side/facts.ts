/** What the side column shows of a session: loaded by whoever has the room. */
import { contextParts } from '../../kit/jobs/context.ts'
import { shownIn } from '../../kit/jobs/lines.ts'
import type { Message } from '../../protocol/messages.ts'
import type { Session } from '../../session/session.ts'
import { messagesIn, storyOf } from '../../session/story.ts'
import { checklist } from '../../text/checklist.ts'
import { fieldsOf } from '../../text/record.ts'
import type { Words } from '../../words/words.ts'
import type { SideFile } from './side.ts'

/** What a conversation has touched, kept along with its messages: the journal is read once. */
export class Trail {
  /** The model's list of things to do, a line each. */
  todo: readonly string[] = []
  #cwd: string
  /** The paths that calls name, until their results are there. */
  #named = new Map<string, string>()
  #files = new Map<string, SideFile>()

  constructor(messages: readonly Message[], cwd: string) {
    this.#cwd = cwd
    for (const message of messages) this.take(message)
  }

  /** The files that calls read or changed, the latest first. */
  get files(): SideFile[] {
    return [...this.#files.values()].reverse()
  }

  /** Messages in their order, each once. */
  take(message: Message): void {
    if (message.role === 'assistant')
      for (const { id, arguments: given } of message.tool_calls ?? []) {
        const { path } = fieldsOf(given)
        if (typeof path === 'string') this.#named.set(id, path)
      }
    if (message.role !== 'tool') return
    const { tool_call_id: id, tool_name: tool, details } = message
    this.todo = checklist(details) ?? this.todo
    const path = this.#named.get(id)
    this.#named.delete(id)
    const { diff, added, removed } = fieldsOf(details)
    if (message.is_error || path === undefined || (tool !== 'read' && typeof diff !== 'string')) return
    const shown = shownIn(path, this.#cwd).replace(/^\.\//, '')
    const before = this.#files.get(shown) ?? { path: shown, added: 0, removed: 0, diffs: [] }
    // The one seen last comes last.
    this.#files.delete(shown)
    this.#files.set(shown, {
      path: shown,
      added: before.added + numberOf(added),
      removed: before.removed + numberOf(removed),
      diffs: typeof diff === 'string' && diff !== '' ? [...before.diffs, diff] : before.diffs,
    })
  }
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Of the whole session, also of what was summarised since. */
export const trailOf = (session: Session, cwd: string): Trail => new Trail(messagesIn(storyOf(session)), cwd)

/**
 * What fills the context, by part. What was counted once is not counted again: a conversation gets long, and
 * the column is drawn with each of its messages.
 */
export class Counted {
  #session: Session
  #counts = new Map<string, number>()

  constructor(session: Session) {
    this.#session = session
  }

  /** The server may weigh texts otherwise by now, and some are sent no more. */
  forget(): void {
    this.#counts.clear()
  }

  parts(words: Words, instructions: readonly string[]): [name: string, tokens: number][] {
    const tokens = (text: string) => {
      const known = this.#counts.get(text) ?? this.#session.textTokens(text)
      this.#counts.set(text, known)
      return known
    }
    return contextParts(this.#session, { words, instructions, tokens })
  }
}
