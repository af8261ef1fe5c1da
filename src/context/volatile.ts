/**
 * What changes while a session goes on: the date, the git branch, the mode, files that somebody else touched. It rides at the end
 * of the newest user message, only when it changed, and never in the system message: the prefix is sacred.
 */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { PermissionMode } from '../protocol/events.ts'
import type { Message, UserMessage } from '../protocol/messages.ts'

export interface Volatile {
  /** `2026-11-21` */
  date: string
  branch: string | undefined
  /** The permission mode. */
  mode: PermissionMode
}

/** Bytes of `.git` and `HEAD`: a path at most. */
const mostBytes = 8_192
/** Files that are named in one note. */
const mostFiles = 10

export function volatileNow(cwd: string, { now, mode }: { now: Date; mode: PermissionMode }): Volatile {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return { date: local.toISOString().slice(0, 10), branch: gitBranch(cwd), mode }
}

/** The note for the next user message: what of it the model has not been told. Empty when nothing changed. */
export function volatileNote(
  now: Volatile,
  told: Partial<Volatile>,
  changed: readonly string[] = [],
): string {
  const isNewDay = now.date !== told.date
  const isNewBranch = now.branch !== undefined && now.branch !== told.branch
  // The server reads this after Enter: so short it takes about eight tokens.
  const here = [
    ...(isNewDay ? [shortDate(now.date)] : []),
    ...(isNewBranch ? [`${isNewDay ? 'on' : 'on branch'} ${now.branch}`] : []),
  ]
  const parts = here.length === 0 ? [] : [here.join(' ')]
  if (now.mode === 'plan' && told.mode !== 'plan')
    parts.push(
      'mode plan: look and answer, change nothing; for work to be done, end with a plan of numbered steps',
    )
  if (now.mode !== 'plan' && told.mode === 'plan') parts.push(`mode ${now.mode}: you may change things again`)
  if (changed.length > 0) {
    const more = changed.length > mostFiles ? ` and ${changed.length - mostFiles} more` : ''
    parts.push(`changed since you saw them: ${changed.slice(0, mostFiles).join(', ')}${more}`)
  }
  return parts.length === 0 ? '' : `(${parts.join('; ')})`
}

/** Words with a note at their end, as they are sent and as a draft of them is read ahead: the same bytes. */
export const withNote = (words: string, note: string): string => (note === '' ? words : `${words}\n\n${note}`)

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `21Nov2026`, which are four tokens. */
function shortDate(date: string): string {
  const [year, month, day] = date.split('-')
  return `${day}${months[Number(month) - 1]}${year}`
}

/** Also as older versions told it. */
function dateIn(note: string): string | undefined {
  const [, day, month = '', year] = /^\n\n\((\d\d)([A-Z][a-z]{2})(\d{4})[ ;)]/.exec(note) ?? []
  const number = String(months.indexOf(month) + 1).padStart(2, '0')
  return year === undefined ? /today is (\d{4}-\d\d-\d\d)/.exec(note)?.[1] : `${year}-${number}-${day}`
}

/** What the model has been told so far, read back from the history: it holds after a resume too. */
export function toldSoFar(history: readonly Message[]): Partial<Volatile> {
  const told: Partial<Volatile> = {}
  for (const message of history) {
    const note = message.role === 'user' ? noteIn(message) : ''
    const date = dateIn(note)
    const branch = /^\n\n\((?:\w+ )?on (?:branch )?([^\s;)]+)|git branch ([^;)]+)/
      .exec(note)
      ?.slice(1)
      .join('')
    const mode = /mode (plan|ask|auto-edit|yolo):/.exec(note)?.[1]
    if (mode) told.mode = mode as PermissionMode
    if (date) told.date = date
    if (branch) told.branch = branch
  }
  return told
}

/** What rides at the end of a message, after what the person typed. */
function noteIn({ content, shown }: UserMessage): string {
  const isBare = shown === undefined || content.endsWith(shown)
  return isBare ? '' : content.slice(content.lastIndexOf('\n\n('))
}

/** The branch, read from `.git/HEAD` of the nearest repository: no process is started for it. */
export function gitBranch(cwd: string): string | undefined {
  for (let directory = cwd; ; directory = path.dirname(directory)) {
    const head = readHead(path.join(directory, '.git'))
    if (head !== undefined) return branchIn(head)
    if (path.dirname(directory) === directory) return undefined
  }
}

/** A name that git itself would take: anything else is somebody's words to the model. */
function branchIn(head: string): string | undefined {
  const name = /^ref: refs\/heads\/([^\s\x00-\x20\x7f~^:?*[\\;()]{1,200})$/.exec(head)?.[1]
  return name ?? /^[0-9a-f]{10}(?=[0-9a-f]{30,54}$)/.exec(head)?.[0]
}

/** `.git` is a directory, or in a worktree a file that names one. */
function readHead(git: string): string | undefined {
  try {
    // Most directories on the way up have none: that must not cost an error with a stack trace each.
    const stats = statSync(git, { throwIfNoEntry: false })
    if (!stats) return undefined
    const directory = stats.isFile()
      ? path.resolve(path.dirname(git), readShort(git).replace(/^gitdir: /, ''))
      : git
    return readShort(path.join(directory, 'HEAD'))
  } catch {
    return undefined
  }
}

/** A repository's file, which anybody may have made: what is not a regular file, or far too long, is not read. */
function readShort(file: string): string {
  const stats = statSync(file)
  if (!stats.isFile() || stats.size > mostBytes) throw new Error(`${file} is none of git's`)
  return readFileSync(file, 'utf8').trim()
}

/** The time of modification of a file that no longer exists. */
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
      // Another machine's clock may have dated it in the future.
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
