/**
 * What grep looks for and what it finds, whoever searches: ripgrep (rg.ts) or gopi itself (own-search.ts).
 */
import path from 'node:path'
import { isWithin } from './path.ts'

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
  if (isWithin(cwd, start)) return cwd
  return isDirectory ? start : path.dirname(start)
}

/** Keeps the first matches in order of path and line, however they come. */
export function firstMatches(limit: number) {
  let kept: Match[] = []
  let total = 0
  const prune = (size: number) => {
    kept.sort(byPlace)
    kept.length = Math.min(kept.length, size)
  }
  return {
    add(match: Match): void {
      total++
      kept.push(match)
      if (kept.length > 20 * limit + 100) prune(limit)
    },
    /** Calls nobody makes twice: the matches are handed out. */
    take(stopped: boolean): Found {
      prune(limit)
      const matches = kept
      kept = []
      return { matches, more: total > limit, stopped }
    },
  }
}

function byPlace(a: Match, b: Match): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line
}
