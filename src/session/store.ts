/**
 * Where sessions lie: `$GOPI_HOME/sessions/<cwd-hash>/<id>.jsonl`, and beside it a directory `<id>` for what belongs
 * to one.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../protocol/errors.ts'

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

/** Every session of a directory, the one written last first. A directory that is not there has none. */
export function listSessions(directory: string): (SessionPlace & { modified: Date; bytes: number })[] {
  let names: string[]
  try {
    names = readdirSync(directory)
  } catch {
    return []
  }
  return names
    .filter(name => name.endsWith('.jsonl'))
    .flatMap(name => {
      const place = placeOf(directory, name.slice(0, -'.jsonl'.length))
      const stats = statSync(place.file, { throwIfNoEntry: false })
      return stats ? [{ ...place, modified: stats.mtime, bytes: stats.size }] : []
    })
    .sort((a, b) => b.modified.getTime() - a.modified.getTime())
}

/** The session whose id starts so. Throws `UsageError` when there is none, or more than one. */
export function findSession(directory: string, prefix: string): SessionPlace {
  const all = listSessions(directory)
  const found =
    all.find(({ id }) => id === prefix) ??
    onlyOne(
      all.filter(({ id }) => id.startsWith(prefix)),
      prefix,
    )
  if (found) return placeOf(directory, found.id)
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

/** Copies a journal under another id (0600); what belongs to the session stays with the original. */
export function copySession(source: SessionPlace, target: SessionPlace): void {
  const [header = '', ...lines] = readFileSync(source.file, 'utf8').split('\n')
  const renamed = header.replace(/("id":")[^"]*"/, `$1${target.id}"`)
  writeFileSync(target.file, [renamed, ...lines].join('\n'), { mode: 0o600, flag: 'wx' })
}
