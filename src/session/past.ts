/** The sessions of a directory, or of all, as a person recognises them; and removing them. */
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Told } from '../protocol/sayings.ts'
import { fieldsOf, parseRecord } from '../text/record.ts'
import { sanitize } from '../text/sanitize.ts'
import { told } from '../words/sayings/told.ts'
import { lock } from './lock.ts'
import {
  headOf,
  listSessions,
  lookThrough,
  metNobody,
  placeOf,
  type SessionPlace,
  sessionsDirectory,
  tailOf,
} from './store.ts'

/** A session of the past. */
export interface PastSession {
  id: string
  /** What the person calls it, else how it began; empty when nothing was said. */
  first: string
  modified: Date
  model?: string
}

/** How much of a journal is read for how it began, and for its name (bytes). */
const headBytes = 65_536

/** The newest first. */
export function pastSessions(home: string, cwd: string): PastSession[] {
  return listSessions(sessionsDirectory(home, cwd)).map(({ id, file, modified }) => {
    const name = nameIn(file)
    return { id, modified, ...beginningOf(file), ...(name && { first: name }) }
  })
}

/** How many of the newest may hold nothing, or no answer. */
const mostEmpty = 5

/** The newest in which something was said, and somebody was there. */
export function lastSession(home: string, cwd: string, except: string): PastSession | undefined {
  const newest = listSessions(sessionsDirectory(home, cwd)).filter(({ id }) => id !== except)
  for (const { id, file, modified } of newest.slice(0, mostEmpty)) {
    const begun = beginningOf(file)
    const name = nameIn(file)
    if (begun.first !== '' && !metNobody(file))
      return { id, modified, ...begun, ...(name && { first: name }) }
  }
  return undefined
}

/** One line each: id, when it was last written, how it began. */
export function describeSessions(home: string, cwd: string): { id: string; text: string }[] {
  return pastSessions(home, cwd).map(({ id, modified, first }) => ({
    id,
    text: sanitize(`${id}  ${modified.toISOString().slice(0, 16).replace('T', ' ')}  ${first}`),
  }))
}

/** What lies among a directory's sessions and is none: what a list leaves out. */
export const skippedJournals = (home: string, cwd: string): Told[] =>
  lookThrough(sessionsDirectory(home, cwd)).skipped.map(skipped => told('no_journal', { ...skipped }))

/** Where sessions are kept: of one directory, or of all. */
export function sessionDirectories(home: string, cwd: string | undefined): string[] {
  if (cwd !== undefined) return [sessionsDirectory(home, cwd)]
  const all = path.join(home, 'sessions')
  try {
    return readdirSync(all, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => path.join(all, name))
  } catch {
    return []
  }
}

/** Removes a session with everything that belongs to it. → the process that has it open, where it stays. */
export function removeSession(place: SessionPlace): number | undefined {
  const locked = lock(place)
  if ('heldBy' in locked) return locked.heldBy
  rmSync(place.file, { force: true })
  locked.release()
  rmSync(place.directory, { recursive: true, force: true })
  return undefined
}

/** The sessions that were written last before that time (ms since 1970). */
export const sessionsBefore = (directories: readonly string[], time: number): SessionPlace[] =>
  directories.flatMap(directory =>
    listSessions(directory)
      .filter(({ modified }) => modified.getTime() < time)
      .map(({ id }) => placeOf(directory, id)),
  )

function beginningOf(file: string): Pick<PastSession, 'first' | 'model'> {
  let known: { model?: string } = {}
  for (const line of headOf(file, headBytes).split('\n')) {
    const entry = fieldsOf(line.startsWith('{"type":"m') ? parseRecord(line) : undefined)
    // A question at the side is not how it began.
    if (entry.thread !== undefined) continue
    if (entry.type === 'model_change' && typeof entry.model === 'string') known = { model: entry.model }
    const words = entry.shown ?? entry.content
    if (entry.type === 'message' && entry.role === 'user' && typeof words === 'string' && words !== '')
      return { first: words.trim().split('\n')[0]?.slice(0, 80) ?? '', ...known }
  }
  return { first: '', ...known }
}

/** The last that it was given; looked for at the journal's ends. */
function nameIn(file: string): string | undefined {
  for (const text of [tailOf(file, headBytes), headOf(file, headBytes)]) {
    const line = text.split('\n').findLast(entry => entry.startsWith('{"type":"name"'))
    const { name } = fieldsOf(line === undefined ? undefined : parseRecord(line))
    if (typeof name === 'string') return name
  }
  return undefined
}
