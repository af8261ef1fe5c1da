/**
 * What a search leaves out. One reader for grep, find and whatever else lists the project's files:
 *
 * - `.git` and `node_modules` always, unless the search starts in one of them;
 * - what the .gitignore files say: those in the directories on the way, and those above the start up to the
 *   repository's root (without a repository: up to the session's directory). The nearest file has the word.
 *   If the start itself is ignored, what is above it does not count: whoever names it wants to see it.
 *
 * Global excludes, .git/info/exclude and .ignore files do not count: they are about one person, not the project.
 */
import { lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { isInside } from '../paths/inside.ts'
import { isEndless } from './braces.ts'

const always = ['.git', 'node_modules']

export interface Ignored {
  /** Whether the entry `name` of `directory` (absolute, at or below the start) is left out. */
  has(directory: string, name: string, isDirectory: boolean): boolean
  /** Whether a file below the start is left out, by itself or with a directory above it. */
  hasFile(file: string): boolean
  /** The names that are left out wherever they are. */
  readonly always: readonly string[]
  /** The topmost directory whose .gitignore counts. */
  readonly top: string
}

/** The rules for a search that starts in the directory `start` (a real path) in a session in `cwd`. */
export function openIgnored(start: string, cwd: string): Ignored {
  const rules = new Map<string, Ignore | undefined>()
  const ruleOf = (directory: string): Ignore | undefined => {
    if (!rules.has(directory)) rules.set(directory, readRules(directory))
    return rules.get(directory)
  }
  const judge = (entry: string, isDirectory: boolean, top: string): boolean => {
    for (let from = entry; from !== top; ) {
      from = path.dirname(from)
      const relative = path.relative(from, entry).split(path.sep).join('/')
      const verdict = ruleOf(from)?.test(isDirectory ? `${relative}/` : relative)
      if (verdict?.ignored || verdict?.unignored) return verdict.ignored
    }
    return false
  }

  const highest = projectRoot(start) ?? (isInside(start, cwd) ? cwd : start)
  const top = parents(start, highest).some(entry => judge(entry, true, highest)) ? start : highest
  const names = always.filter(name => !start.split(path.sep).includes(name))
  const has: Ignored['has'] = (directory, name, isDirectory) =>
    names.includes(name) || judge(path.join(directory, name), isDirectory, top)
  return {
    has,
    hasFile: file =>
      parents(file, start).some(entry => has(path.dirname(entry), path.basename(entry), entry !== file)),
    always: names,
    top,
  }
}

/** The nearest directory from `start` upwards that holds a `.git`. */
export function projectRoot(start: string): string | undefined {
  for (let directory = start; ; directory = path.dirname(directory)) {
    if (kindAt(path.join(directory, '.git')) !== undefined) return directory
    if (path.dirname(directory) === directory) return undefined
  }
}

/** `entry` and the directories above it, below `top`. */
function parents(entry: string, top: string): string[] {
  return entry === top ? [] : [entry, ...parents(path.dirname(entry), top)]
}

/** A .gitignore that is no regular file is none, and so is a rule of it that would take for ever. */
function readRules(directory: string): Ignore | undefined {
  const file = path.join(directory, '.gitignore')
  if (kindAt(file) !== 'file') return undefined
  try {
    return ignore({ ignorecase: false }).add(
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(rule => !isEndless(rule)),
    )
  } catch {
    return undefined
  }
}

function kindAt(file: string): 'file' | 'other' | undefined {
  try {
    return lstatSync(file).isFile() ? 'file' : 'other'
  } catch {
    return undefined
  }
}
