/**
 * Where sessions are kept: `$GOPI_HOME/sessions/<cwd-hash>/<id>.jsonl`, and next to it a directory `<id>` for what belongs
 * to one.
 */
import { createHash } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { UsageError } from '../protocol/errors.ts'
import type { Said } from '../protocol/sayings.ts'
import { parseRecord } from '../text/record.ts'
import { said } from '../words/sayings/said.ts'
import { inEnglish } from '../words/sayings/told.ts'

export interface SessionPlace {
  id: string
  /** The journal. */
  file: string
  /** What belongs to the session: spilled output, the lock. Made (0700) when first needed. */
  directory: string
}

/** The directory for the sessions of one directory (a real path). */
export const sessionsDirectory = (home: string, cwd: string): string =>
  path.join(home, 'sessions', createHash('sha256').update(cwd).digest('hex').slice(0, 12))

export const placeOf = (directory: string, id: string): SessionPlace => ({
  id,
  file: path.join(directory, `${id}.jsonl`),
  directory: path.join(directory, id),
})

/** Bytes; nobody talks that much, and no text may be much longer. */
const mostBytes = 256 * 1024 * 1024

interface Found extends SessionPlace {
  modified: Date
}

/** What lies among the journals and is none of this person's. */
export interface Skipped {
  file: string
  why: Said
}

/** Every session of a directory, the most recent first. A directory that does not exist has none. */
export function lookThrough(directory: string): { sessions: Found[]; skipped: Skipped[] } {
  const sessions: Found[] = []
  const skipped: Skipped[] = []
  for (const name of namesIn(directory)) {
    const place = placeOf(directory, name.slice(0, -'.jsonl'.length))
    try {
      const stats = statSync(place.file)
      accessSync(place.file, constants.R_OK)
      const why = strangeness(stats)
      if (why) skipped.push({ file: place.file, why })
      // A full disk takes names, and nothing else: nobody has said anything there.
      else if (stats.size > 0) sessions.push({ ...place, modified: stats.mtime })
    } catch (error) {
      skipped.push({ file: place.file, why: unreadable(error) })
    }
  }
  sessions.sort((a, b) => b.modified.getTime() - a.modified.getTime())
  return { sessions, skipped }
}

export const listSessions = (directory: string): Found[] => lookThrough(directory).sessions

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter(name => name.endsWith('.jsonl'))
  } catch {
    return []
  }
}

/** Why a file is no journal of this person's, as far as one sees from outside. */
function strangeness(stats: Stats): Said | undefined {
  if (!stats.isFile()) return said('no_journal.kind', {})
  if (stats.uid !== (process.getuid?.() ?? stats.uid)) return said('no_journal.other', {})
  if (stats.size <= mostBytes) return undefined
  return said('no_journal.too_big', { megabytes: Math.round(stats.size / 1e6) })
}

const unreadable = (error: unknown): Said =>
  said('no_journal.unreadable', { problem: (error as Error).message })

/** Looks into a journal without waiting for anybody. → what was found, or why it is none. */
function withJournal<T>(file: string, look: (handle: number) => T): { got: T } | { why: Said } {
  let handle: number | undefined
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const why = strangeness(fstatSync(handle))
    if (why) return { why }
    return { got: look(handle) }
  } catch (error) {
    return { why: unreadable(error) }
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/** Its first bytes; nothing where it cannot be read any more. */
export function headOf(file: string, bytes: number): string {
  const seen = withJournal(file, handle => {
    const buffer = Buffer.alloc(bytes)
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, bytes, 0))
  })
  return 'got' in seen ? seen.got : ''
}

/** Its last bytes; as `headOf`. */
export function tailOf(file: string, bytes: number): string {
  const seen = withJournal(file, handle => {
    const buffer = Buffer.alloc(bytes)
    const from = Math.max(0, fstatSync(handle).size - bytes)
    return buffer.toString('utf8', 0, readSync(handle, buffer, 0, bytes, from))
  })
  return 'got' in seen ? seen.got : ''
}

/** Bytes in which most journals show an answer. */
const headBytes = 65_536
/** As journals spell them: within a text their quotes would be escaped. */
const ANSWER = '"role":"assistant"'
const NOBODY = /^\{"type":"error","code":"no_(?:server|model)"/m

/** Whether words were said to a server or a model that was not there, and nothing else came of it. */
export function metNobody(file: string): boolean {
  if (headOf(file, headBytes).includes(ANSWER)) return false
  const seen = withJournal(file, handle => readFileSync(handle, 'utf8'))
  return 'got' in seen && NOBODY.test(seen.got) && !seen.got.includes(ANSWER)
}

/** Throws `UsageError` when it is no journal. */
export function readJournal({ file }: SessionPlace): Buffer {
  const seen = withJournal(file, handle => readFileSync(handle))
  if ('why' in seen) throw new UsageError(inEnglish(said('no_journal', { file, why: seen.why })).message)
  return seen.got
}

/** The session whose id starts so. Throws `UsageError` when there is none, or more than one. */
export function findSession(directory: string, prefix: string): SessionPlace {
  const { sessions: all, skipped } = lookThrough(directory)
  const found =
    all.find(({ id }) => id === prefix) ??
    onlyOne(
      all.filter(({ id }) => id.startsWith(prefix)),
      prefix,
    )
  if (found) return placeOf(directory, found.id)
  const [none] = skipped.filter(({ file }) => path.basename(file).startsWith(prefix))
  if (none) throw new UsageError(inEnglish(said('no_journal', { ...none })).message)
  const known = all
    .slice(0, 5)
    .map(({ id }) => id)
    .join(', ')
  throw new UsageError(
    `There is no session "${prefix}" of this directory; ${known ? `the latest are ${known}` : 'it has none yet'}.`,
  )
}

function onlyOne<T extends { id: string }>(found: readonly T[], prefix: string): T | undefined {
  if (found.length < 2) return found[0]
  throw new UsageError(
    `"${prefix}" is the beginning of ${found.length} sessions: ${found.map(({ id }) => id).join(', ')}.`,
  )
}

/**
 * Writes a journal's text as another session's (0600), in the form that this gopi writes. What files held before they
 * were changed is the copy's, too; what else belongs to the session stays with the original. → its bytes.
 */
export function copySession(text: string, source: SessionPlace, target: SessionPlace): number {
  const [first = '', ...lines] = text.split('\n')
  const header = parseRecord(first)
  const own = header?.type === 'header' ? JSON.stringify({ ...header, version: 1, id: target.id }) : first
  const bytes = Buffer.from([own, ...lines].join('\n'))
  writeFileSync(target.file, bytes, { mode: 0o600, flag: 'wx' })
  shareOld(source, target)
  return bytes.length
}

/** These files never change: both sessions may have the same ones. What cannot be shared cannot be brought back there. */
function shareOld(source: SessionPlace, target: SessionPlace): void {
  const [from, to] = [source, target].map(({ directory }) => path.join(directory, 'old')) as [string, string]
  try {
    const names = readdirSync(from)
    mkdirSync(to, { recursive: true, mode: 0o700 })
    for (const name of names) linkSync(path.join(from, name), path.join(to, name))
  } catch {
    // There is none, or no room.
  }
}
