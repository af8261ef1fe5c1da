/** Opens the session that a start asks for: a new one, one to resume, or a copy of one. */
import { UsageError } from '../protocol/errors.ts'
import { told } from '../words/sayings/told.ts'
import type { Notice } from './connection.ts'
import { lock } from './lock.ts'
import type { Replayed } from './replay.ts'
import {
  copySession,
  findSession,
  lookThrough,
  metNobody,
  placeOf,
  readJournal,
  type SessionPlace,
  sessionsDirectory,
} from './store.ts'

/** Which session to resume: the most recent one, or the one whose id starts like this; `fork` resumes a copy. */
export type Resume = { last: true } | { id: string } | { fork: string }

export interface Opened {
  place: SessionPlace
  resumed?: Replayed
  /** Of the journal, as it was read. */
  bytes?: number
  /** What the person should hear about it. */
  notices: Notice[]
  /** Lets other processes have the session. */
  release(): void
}

export interface OpenOptions {
  home: string
  /** A real path. */
  cwd: string
  resume?: Resume
  /** False: nothing is kept on disk, so nothing is locked. */
  keep: boolean
  newId(): string
  /** Of a new session. Default: any. */
  id?: string | undefined
}

/** Rejects with `UsageError` when the session that was named is not there, or cannot be gone on with. */
export async function openSession({ home, cwd, resume, keep, newId, id }: OpenOptions): Promise<Opened> {
  const directory = sessionsDirectory(home, cwd)
  const fresh = placeOf(directory, id ?? newId())
  const notices: Notice[] = []
  const source = resume && findSource(directory, resume, notices)
  if (!source) {
    if (resume) notices.push(told('resume.none', {}))
    return { place: fresh, notices, release: keep ? lockOrNothing(fresh) : () => {} }
  }
  const locked = lock(source)
  const release = 'release' in locked ? locked.release : () => {}
  const isFork = resume !== undefined && 'fork' in resume
  try {
    const content = readJournal(source)
    const text = content.toString()
    const { replay } = await import('./replay.ts')
    const resumed = replay(text, newId)
    const names = { id: source.id, copy: fresh.id }
    const isNewer = resumed.version > 1
    if (!isFork && !isNewer && 'release' in locked)
      return { place: source, resumed, bytes: content.length, notices, release }
    if ('heldBy' in locked && !isFork) notices.push(told('resume.copy', { ...names, process: locked.heldBy }))
    else if (isNewer) notices.push(told('resume.newer', { ...names }))
    const bytes = copySession(text, source, fresh)
    release()
    return {
      place: fresh,
      bytes,
      resumed: { ...resumed, id: resumed.id && fresh.id },
      notices,
      release: lockOrNothing(fresh),
    }
  } catch (error) {
    release()
    throw error instanceof UsageError ? error : new UsageError((error as Error).message)
  }
}

/** What is no journal is passed over, and said. */
function findSource(directory: string, resume: Resume, notices: Notice[]): SessionPlace | undefined {
  if (!('last' in resume)) return findSession(directory, 'id' in resume ? resume.id : resume.fork)
  const { sessions, skipped } = lookThrough(directory)
  notices.push(...skipped.map(one => told('no_journal', { ...one })))
  const [newest] = sessions
  // Nobody has been talked with there: the person asks again, and means the conversation before, if there is one.
  const found = sessions.find(({ file }) => !metNobody(file)) ?? newest
  if (newest && newest !== found) notices.push(told('resume.unanswered', { id: newest.id }))
  return found
}

function lockOrNothing(place: SessionPlace): () => void {
  const locked = lock(place)
  return 'release' in locked ? locked.release : () => {}
}
