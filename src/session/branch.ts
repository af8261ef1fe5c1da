/** A copy of a session as it is now, to which one may come back. */
import path from 'node:path'
import type { Session } from './session.ts'
import { copySession, placeOf, readJournal } from './store.ts'

/** → the id of the copy; undefined where nothing is kept on disk. */
export function keepCopy({ id, sessionFile: file, main }: Session): string | undefined {
  if (file === undefined) return undefined
  try {
    const own = placeOf(path.dirname(file), id)
    const copy = placeOf(path.dirname(file), main.newId())
    copySession(readJournal(own).toString(), own, copy)
    return copy.id
  } catch {
    return undefined
  }
}
