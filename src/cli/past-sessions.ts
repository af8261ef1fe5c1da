/** The sessions of a directory, as a person knows them again. */
import { closeSync, openSync, readSync } from 'node:fs'
import { listSessions, sessionsDirectory } from '../session/store.ts'
import { sanitize } from '../text/sanitize.ts'
import type { PastSession } from '../tui/list/items.ts'

/** How much of a journal is read for how it began (bytes). */
const headBytes = 65_536

/** The newest first. */
export function pastSessions(home: string, cwd: string): PastSession[] {
  return listSessions(sessionsDirectory(home, cwd)).map(({ id, file, modified }) => ({
    ...{ id, modified },
    ...beginningOf(file),
  }))
}

/** A line each: id, when it was written last, how it began. */
export function describeSessions(home: string, cwd: string): { id: string; text: string }[] {
  return pastSessions(home, cwd).map(({ id, modified, first }) => ({
    id,
    text: sanitize(`${id}  ${modified.toISOString().slice(0, 16).replace('T', ' ')}  ${first}`),
  }))
}

function beginningOf(file: string): Pick<PastSession, 'first' | 'model'> {
  let known: { model?: string } = {}
  for (const line of head(file).split('\n')) {
    const entry = line.startsWith('{"type":"m') ? parsed(line) : undefined
    if (entry?.type === 'model_change' && entry.model !== undefined) known = { model: entry.model }
    if (entry?.type === 'message' && entry.role === 'user') {
      const words = entry.shown ?? entry.content ?? ''
      return { first: words.trim().split('\n')[0]?.slice(0, 80) ?? '', ...known }
    }
  }
  return { first: '', ...known }
}

interface EntryFields {
  type?: string
  role?: string
  content?: string
  shown?: string
  model?: string
}

/** undefined: the line is cut, or damaged. */
function parsed(line: string): EntryFields | undefined {
  try {
    return JSON.parse(line) as EntryFields
  } catch {
    return undefined
  }
}

function head(file: string): string {
  const handle = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(headBytes)
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, headBytes, 0))
  } finally {
    closeSync(handle)
  }
}
