/** What the accesses of calls mean for the order in which they run. */
import path from 'node:path'
import { realTarget } from '../paths/real.ts'
import type { Access } from '../protocol/access.ts'

/** Whether a call may begin before anybody knows what else the reply holds. */
export const onlyReads = (accesses: readonly Access[]): boolean =>
  accesses.length > 0 && accesses.every(access => 'read' in access || 'none' in access)

/** Whether the world may be another one after a call. */
export function mayHaveChanged({
  accesses,
  is_error,
}: {
  accesses: readonly Access[] | undefined
  is_error: boolean
}): boolean {
  if (accesses === undefined) return false
  // A write that failed changed nothing; what else a call does may have, however it ended.
  return accesses.length === 0 || accesses.some(access => ('write' in access ? !is_error : !isRead(access)))
}

const isRead = (access: Access): boolean => 'read' in access || 'none' in access || 'use' in access

/** What decides whether calls may run side by side. */
export interface Touches {
  /** A command, in the one shell. */
  runs: boolean
  /** An agent works for it; which of them wait for each other is the agents' affair. */
  works: boolean
  /** Nobody knows what it changes. */
  mayChange: boolean
  /** Real paths. */
  reads: readonly string[]
  writes: readonly string[]
}

export function touchesOf(accesses: readonly Access[], cwd: string): Touches {
  const real = (given: string) => realTarget(path.resolve(cwd, given))
  return {
    runs: accesses.some(access => 'run' in access),
    works: accesses.some(access => 'task' in access),
    mayChange: accesses.some(access => 'run' in access || 'unknown' in access || 'task' in access),
    reads: accesses.flatMap(access => ('read' in access ? [real(access.read)] : [])),
    writes: accesses.flatMap(access => ('write' in access ? [real(access.write)] : [])),
  }
}

/**
 * Whether a call has to wait for an earlier one: there is one shell, and a file that one of them writes. What a command does
 * depends on all that was written before it, and it is judged when it starts. A file tool opens only the file that it was
 * judged upon, whatever happens beside it.
 */
export const collide = (earlier: Touches, later: Touches): boolean =>
  ((later.runs || later.works) &&
    ((earlier.mayChange && !(earlier.works && later.works)) || earlier.writes.length > 0)) ||
  meets(earlier.writes, [...later.reads, ...later.writes]) ||
  meets(earlier.reads, later.writes)

const meets = (some: readonly string[], others: readonly string[]): boolean =>
  some.some(file => others.includes(file))
