/**
 * What ends a run that does not end by itself: turns, replies that cannot be read, the same call again and again.
 */
import type { ToolKind } from '../protocol/events.ts'

/** Replies in a row that cannot be read end the run. */
export const maxUnreadable = 3
/** The same call with the same result: a note to the model, then the end. */
const noteAt = 3
const endAt = 5

export interface FinishedCall {
  name: string
  kind: ToolKind | undefined
  arguments: Record<string, unknown>
  content: string
  is_error: boolean
}

export type Repeat = { verdict: 'fine' } | { verdict: 'note' | 'end'; times: number }

/**
 * Counts calls that came with the same arguments and the same result. A call that may have changed something in
 * between starts the count anew (`npm test`, edit, `npm test` is no loop); calls that only read do not.
 */
export class RepeatGuard {
  #counts = new Map<string, number>()

  finished(call: FinishedCall): Repeat {
    const key = JSON.stringify([call.name, call.arguments, call.content])
    const times = (this.#counts.get(key) ?? 0) + 1
    if (mayHaveChanged(call)) this.#counts.clear()
    this.#counts.set(key, times)
    if (times >= endAt) return { verdict: 'end', times }
    return times >= noteAt ? { verdict: 'note', times } : { verdict: 'fine' }
  }
}

function mayHaveChanged({ kind, is_error }: FinishedCall): boolean {
  return kind === 'command' || (kind === 'edit' && !is_error)
}
