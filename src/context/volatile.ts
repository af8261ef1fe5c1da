/**
 * What changes while a session goes on: the date, the git branch, files that somebody else touched. It rides at the end
 * of the newest user message, only when it changed, and never in the system message: the prefix is sacred.
 */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Message } from '../protocol/messages.ts'

export interface Volatile {
  /** `2026-11-21` */
  date: string
  branch: string | undefined
}

/** Files that are named in one note. */
const mostFiles = 10

export function volatileNow(cwd: string, now: Date): Volatile {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return { date: local.toISOString().slice(0, 10), branch: gitBranch(cwd) }
}

/** The note for the next user message: what of it the model has not been told. Empty when nothing changed. */
export function volatileNote(
  now: Volatile,
  told: Partial<Volatile>,
  changed: readonly string[] = [],
): string {
  const parts: string[] = []
  if (now.date !== told.date) parts.push(`today is ${now.date}`)
  if (now.branch !== undefined && now.branch !== told.branch) parts.push(`git branch ${now.branch}`)
  if (changed.length > 0) {
    const more = changed.length > mostFiles ? ` and ${changed.length - mostFiles} more` : ''
    parts.push(`changed since you saw them: ${changed.slice(0, mostFiles).join(', ')}${more}`)
  }
  return parts.length === 0 ? '' : `(${parts.join('; ')})`
}

/** What the model has been told so far, read back from the history: it holds after a resume too. */
export function toldSoFar(history: readonly Message[]): Partial<Volatile> {
  const told: Partial<Volatile> = {}
  for (const message of history) {
    if (message.role !== 'user' || message.shown === undefined) continue
    const note = message.content.slice(message.shown.length)
    const date = /today is (\d{4}-\d\d-\d\d)/.exec(note)?.[1]
    const branch = /git branch ([^;)]+)/.exec(note)?.[1]
    if (date) told.date = date
    if (branch) told.branch = branch
  }
  return told
}

/** The branch, read from `.git/HEAD` of the nearest repository: no process is started for it. */
export function gitBranch(cwd: string): string | undefined {
  for (let directory = cwd; ; directory = path.dirname(directory)) {
    const head = readHead(path.join(directory, '.git'))
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 10)
    if (path.dirname(directory) === directory) return undefined
  }
}

/** `.git` is a directory, or in a worktree a file that names one. */
function readHead(git: string): string | undefined {
  try {
    // Most directories on the way up have none: that must not cost an error with its stack each.
    const stats = statSync(git, { throwIfNoEntry: false })
    if (!stats) return undefined
    const directory = stats.isFile()
      ? path.resolve(
          path.dirname(git),
          readFileSync(git, 'utf8')
            .replace(/^gitdir: /, '')
            .trim(),
        )
      : git
    return readFileSync(path.join(directory, 'HEAD'), 'utf8').trim()
  } catch {
    return undefined
  }
}

/** When a file was modified that is no more. */
const gone = Number.POSITIVE_INFINITY

/** Files that the model has read or written, and when it last knew them. */
export class SeenFiles {
  #cwd: string
  /** Path as the tools show it → when (ms since 1970). */
  #seen = new Map<string, number>()

  constructor(cwd: string) {
    this.#cwd = cwd
  }

  saw(file: string, at: number): void {
    this.#seen.set(file, at)
  }

  /** What changed since; told once. */
  takeChanged(now: number): string[] {
    const changed: string[] = []
    for (const [file, at] of this.#seen) {
      const modified = this.#modified(file)
      if (modified <= at) continue
      changed.push(file)
      if (modified === gone) this.#seen.delete(file)
      // A clock elsewhere may have dated it into the future.
      else this.#seen.set(file, Math.max(now, modified))
    }
    return changed
  }

  /** A file that is gone counts as changed. */
  #modified(file: string): number {
    try {
      return statSync(path.resolve(this.#cwd, file), { throwIfNoEntry: false })?.mtimeMs ?? gone
    } catch {
      return gone
    }
  }
}
