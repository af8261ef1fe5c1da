/**
 * Once text of strangers stands in a conversation, what changes something or goes out may be theirs and not the
 * person's: it asks again in every mode but yolo, once in every run.
 */
import type { PermissionMode, SessionEvent } from '../protocol/events.ts'
import { fieldsOf } from '../text/record.ts'
import { bare, said } from '../words/sayings/said.ts'
import { inEnglish } from '../words/sayings/told.ts'
import type { Decision, Question } from './permission.ts'

export interface Wary {
  /** The decision about a call that does more than read. */
  over(
    decision: Decision,
    call: { id?: string | undefined; mode: PermissionMode; touches(): readonly string[] },
  ): Decision
  /** Has to hear every event of the session. */
  listen(event: SessionEvent): void
}

/** `before`: whose text a resumed conversation has read. */
export function wariness(before?: string): Wary {
  let host = before
  /** The person has said yes in this run, knowing it. */
  let isSettled = false
  const asked = new Set<string>()

  return {
    over(decision, { id, mode, touches }) {
      if (host === undefined || isSettled || mode === 'yolo' || decision.decision === 'deny') return decision
      if (id !== undefined) asked.add(id)
      const also = said('permission.foreign', { host })
      if (decision.decision === 'ask')
        return { ...decision, why: inEnglish(said('permission.both', { why: bare(decision.why), also })) }
      const question: Question = {
        hard: true,
        rules: { session: [], always: [] },
        wider: [],
        touches: touches(),
      }
      return { ...decision, decision: 'ask', by: 'protected', why: inEnglish(also), question }
    },

    listen(event) {
      if (event.type === 'agent_start' && event.thread === undefined) {
        isSettled = false
        asked.clear()
      } else if (event.type === 'permission')
        isSettled ||= event.decision === 'allow' && event.by === 'user' && asked.has(event.tool_call_id)
      else if (event.type === 'message' && event.role === 'tool') {
        const { foreign } = fieldsOf(event.details)
        if (typeof foreign === 'string') host = foreign
      }
    },
  }
}
