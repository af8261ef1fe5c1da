/** What a gopi that was killed while it wrote a person's file left: its session's directory has a note about it. */
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Told } from '../protocol/sayings.ts'
import { told } from '../words/sayings/told.ts'
import { lock } from './lock.ts'
import { placeOf, type SessionPlace } from './store.ts'

/**
 * As the tools call a note about a file that is being written: it holds the name of the temporary one beside it
 * (`writing`), or of the very file (`filling`), whose old text is then in `before-…`.
 */
const note = /^(writing|filling)-([0-9a-f]{12})$/

/** Of this session, which is locked and has not begun. → where the old text of files is that may be half written. */
export function removeStrays({ directory }: SessionPlace): Told[] {
  const saved: Told[] = []
  for (const name of notesIn(directory)) {
    const [, kind, mark] = note.exec(name) ?? []
    try {
      const file = readFileSync(path.join(directory, name), 'utf8')
      const copy = path.join(directory, `before-${mark}`)
      if (kind === 'writing') removeStray(file, `.${mark}`)
      else if (existsSync(copy)) saved.push(told('stray.copy', { file, copy }))
      rmSync(path.join(directory, name))
    } catch {
      // It cannot be removed now; perhaps the next time.
    }
  }
  return saved
}

function removeStray(file: string, ending: string): void {
  const name = path.basename(file)
  const isOurs = path.isAbsolute(file) && name.startsWith('.') && name.endsWith(ending)
  if (isOurs && lstatSync(file, { throwIfNoEntry: false })?.isFile()) rmSync(file)
}

/** Of all sessions of a directory of sessions that no process holds. → as `removeStrays`. */
export function removeAllStrays(directory: string): Told[] {
  const saved: Told[] = []
  for (const id of readIfThere(directory)) {
    if (id.endsWith('.jsonl')) continue
    const place = placeOf(directory, id)
    if (notesIn(place.directory).length === 0) continue
    const locked = lock(place)
    if ('heldBy' in locked) continue
    saved.push(...removeStrays(place))
    locked.release()
  }
  return saved
}

const notesIn = (directory: string): string[] => readIfThere(directory).filter(name => note.test(name))

function readIfThere(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
