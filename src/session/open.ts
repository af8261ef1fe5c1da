/** Opens the session that a start asks for: a new one, one to go on with, or a copy of one. */
import { readFileSync } from 'node:fs'
import type { Notice } from './connection.ts'
import { lock } from './lock.ts'
import { type Replayed, replay } from './replay.ts'
import {
  copySession,
  findSession,
  listSessions,
  placeOf,
  type SessionPlace,
  sessionsDirectory,
} from './store.ts'

/** Which session to go on with: the last one, or the one whose id starts so; `fork` goes on in a copy. */
export type Resume = { last: true } | { id: string } | { fork: string }

export interface Opened {
  place: SessionPlace
  resumed?: Replayed
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
}

/** Throws `UsageError` when the session that was named is not there. */
export function openSession({ home, cwd, resume, keep, newId }: OpenOptions): Opened {
  const directory = sessionsDirectory(home, cwd)
  const fresh = placeOf(directory, newId())
  const notices: Notice[] = []
  const source = resume && findSource(directory, resume)
  if (!source) {
    if (resume)
      notices.push({
        code: 'resume',
        message: 'There is no session of this directory yet: this is a new one.',
      })
    return { place: fresh, notices, release: keep ? lockOrNothing(fresh) : () => {} }
  }
  const locked = lock(source)
  const copy = 'fork' in (resume ?? {}) || 'heldBy' in locked
  if ('heldBy' in locked && !('fork' in (resume ?? {}))) {
    notices.push({
      code: 'resume',
      message: `Session ${source.id} is open in another gopi (process ${locked.heldBy}): going on in a copy, ${fresh.id}.`,
    })
  }
  if (!copy)
    return {
      place: source,
      resumed: read(source, newId),
      notices,
      release: 'release' in locked ? locked.release : () => {},
    }
  if ('release' in locked) locked.release()
  copySession(source, fresh)
  return { place: fresh, resumed: read(fresh, newId), notices, release: lockOrNothing(fresh) }
}

function findSource(directory: string, resume: Resume): SessionPlace | undefined {
  if ('last' in resume) return listSessions(directory)[0]
  return findSession(directory, 'id' in resume ? resume.id : resume.fork)
}

const read = (place: SessionPlace, newId: () => string): Replayed =>
  replay(readFileSync(place.file, 'utf8'), newId)

function lockOrNothing(place: SessionPlace): () => void {
  const locked = lock(place)
  return 'release' in locked ? locked.release : () => {}
}
