/**
 * What grep looks for and what it finds, whoever searches: ripgrep (rg.ts) or gopi itself (own-search.ts).
 */
import path from 'node:path'
import { isInside } from '../paths/inside.ts'

export interface Query {
  pattern: string
  literal: boolean
  ignoreCase: boolean
  /** Which files, as in a .gitignore; `!` in front leaves them out. */
  glob: string | undefined
  /** Where it starts: a real path of a directory or a regular file. */
  start: string
  isDirectory: boolean
  /** The session's directory. */
  cwd: string
  /** Matches that are wanted at most. */
  limit: number
}

export interface Match {
  /** Absolute. */
  file: string
  line: number
  /** The line, or what is around the match. */
  text: string
}

export interface Found {
  /** By path and line, at most `limit`. */
  matches: Match[]
  /** There are more than these. */
  more: boolean
  /** The time was over before everything was searched. */
  stopped: boolean
}

/** Characters of a line that are shown. */
export const maxLineLength = 300
/** Bigger files are not searched. */
export const maxFileSize = 32 * 1024 * 1024

/** Globs and paths are relative to the session's directory where that holds the search. */
export function baseOf({ start, isDirectory, cwd }: Query): string {
  if (isInside(start, cwd)) return cwd
  return isDirectory ? start : path.dirname(start)
}

/** Keeps the first matches in order of path and line, however they come. */
export function firstMatches(limit: number) {
  const kept: Match[] = []
  let more = false
  let last: Match | undefined
  const prune = () => {
    kept.sort(byPlace)
    more ||= kept.length > limit
    kept.length = Math.min(kept.length, limit)
    if (kept.length === limit) last = kept.at(-1)
  }
  return {
    /** Whether a match in this file could be among the first. */
    wants(file: string): boolean {
      const isWanted = last === undefined || file <= last.file
      more ||= !isWanted
      return isWanted
    },
    add(match: Match): void {
      kept.push(match)
      if (kept.length > 2 * limit) prune()
    },
    take(stopped: boolean): Found {
      prune()
      return { matches: kept, more, stopped }
    },
  }
}

function byPlace(a: Match, b: Match): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line
}
