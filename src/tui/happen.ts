/** What happens in the session, and what that leaves on the screen. */
import type { SessionEvent } from '../protocol/events.ts'
import type { Cell } from './cells/cell.ts'
import { follow } from './conversation.ts'
import type { State, Waiting } from './state.ts'
import { statusAfter } from './status.ts'

export interface Happened {
  state: State
  /** For the transcript: they do not change any more. */
  settled: readonly Cell[]
  /** What was settled of the reply in progress goes, before that. */
  unsaid: boolean
}

/** `now`: performance.now(), ms. */
export function happen(state: State, event: SessionEvent, now: number): Happened {
  const { conversation, settled, unsaid = false } = follow(state.conversation, event, now)
  const status = statusAfter(state.status, event, now)
  const queue = queueAfter(state.queue, event)
  const isSame = conversation === state.conversation && status === state.status && queue === state.queue
  return { state: isSame ? state : { ...state, conversation, status, queue }, settled, unsaid }
}

/** Words wait from when they were typed until they are a message, or taken back. */
function queueAfter(queue: readonly Waiting[], event: SessionEvent): readonly Waiting[] {
  switch (event.type) {
    case 'steer':
    case 'follow_up':
      return [...queue, { id: event.id, content: event.content, kind: event.type }]
    case 'queue_removed':
      return without(queue, event.id)
    case 'message':
      return event.role === 'user' ? without(queue, event.id) : queue
    default:
      return queue
  }
}

function without(queue: readonly Waiting[], id: string): readonly Waiting[] {
  return queue.some(waiting => waiting.id === id) ? queue.filter(waiting => waiting.id !== id) : queue
}
