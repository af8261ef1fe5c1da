/**
 * What ends a run that does not end by itself: turns, replies that cannot be read, the same call again and again.
 */
import type { Access } from '../protocol/access.ts'
import { mayHaveChanged } from './touches.ts'

/** Replies in a row that cannot be read end the run. */
export const maxUnreadable = 3
/** Notes of a run that what a reply spoke of was not done. */
export const maxNudges = 2
/** The same call with the same result: a note to the model, then the end. */
const noteAt = 3
const endAt = 5

export interface FinishedCall {
  name: string
  /** What it touches; undefined: it could not be run at all. */
  accesses: readonly Access[] | undefined
  /** A command that is known to only read. */
  readsOnly?: boolean
  arguments: Record<string, unknown>
  content: string
  is_error: boolean
}

/** `call`: the same call. `pair`: two calls in turn, the `other` before this one. `error`: the same error, whatever the call. */
export type Repeat =
  | { verdict: 'fine' }
  | { verdict: 'note' | 'end'; kind: 'call' | 'error'; times: number }
  | { verdict: 'note' | 'end'; kind: 'pair'; times: number; other: string }

/** Results that two calls in turn are looked for in. */
const maxRecent = 2 * endAt

/**
 * Counts calls that came with the same arguments and the same result, and errors that came again. A call that may have changed
 * something in between restarts the counts (`npm test`, edit, `npm test` is not a loop); calls that only read do not. Two calls in
 * turn that give the same results have changed nothing, whatever they are.
 */
export class RepeatGuard {
  #counts = new Map<string, number>()
  #errors = new Map<string, number>()
  #recent: { key: string; name: string }[] = []

  /** `denied`: the person, or a rule, said no; that is no error. */
  finished(call: FinishedCall, { denied = false }: { denied?: boolean } = {}): Repeat {
    const key = JSON.stringify([call.name, call.arguments, call.content])
    const error = call.is_error && !denied ? JSON.stringify([call.name, call.content]) : undefined
    const times = (this.#counts.get(key) ?? 0) + 1
    const errors = error === undefined ? 0 : (this.#errors.get(error) ?? 0) + 1
    if (!call.readsOnly && mayHaveChanged(call)) {
      this.#counts.clear()
      this.#errors.clear()
    }
    this.#counts.set(key, times)
    if (error !== undefined) this.#errors.set(error, errors)
    this.#recent = [...this.#recent, { key, name: call.name }].slice(-maxRecent)
    const rounds = this.#rounds()
    const most = Math.max(times, errors, rounds)
    if (most < noteAt) return { verdict: 'fine' }
    const verdict = most >= endAt ? 'end' : 'note'
    if (times === most) return { verdict, kind: 'call', times }
    if (rounds === most) return { verdict, kind: 'pair', times: rounds, other: this.#recent.at(-2)!.name }
    return { verdict, kind: 'error', times: errors }
  }

  /** How often two different calls came in turn, up to now. */
  #rounds(): number {
    const last = this.#recent.length - 1
    const [a, b] = [this.#recent[last]?.key, this.#recent[last - 1]?.key]
    if (a === b || b === undefined) return 0
    let length = 0
    while (length <= last && this.#recent[last - length]!.key === (length % 2 === 0 ? a : b)) length++
    return Math.floor(length / 2)
  }
}
