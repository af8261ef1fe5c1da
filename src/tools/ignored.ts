/**
 * What a search leaves out. One reader for grep, find and whatever else lists the project's files:
 *
 * - `.git` and `node_modules` always, unless the search starts in one of them;
 * - what the .gitignore files say: those in the directories on the way, and those above the start up to the
 *   repository's root (without a repository: up to the session's directory). The nearest file has the word.
 *   If the start itself is ignored, what stands above it does not count: who names it wants to see it.
 *
 * Global excludes, .git/info/exclude and .ignore files do not count: they are about one person, not the project.
 */
import { lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { isWithin } from './path.ts'

const always = ['.git', 'node_modules']

export interface Ignored {
  /** Called for each directory that is entered, after those above it and before its entries are asked about. */
  enter(directory: string): void
  /** Whether the entry `name` of `directory` (absolute) is left out. */
  has(directory: string, name: string, isDirectory: boolean): boolean
  /** The names that are always left out in this search. */
  readonly always: readonly string[]
  /** The .gitignore files above the start count. */
  readonly fromAbove: boolean
}

/** The rules for a search that starts at `start` (a real path) in a session in `cwd`. */
export function openIgnored(start: string, cwd: string): Ignored {
  const rules = new Map<string, Ignore>()
  const top = projectRoot(start) ?? (isWithin(cwd, start) ? cwd : start)
  const enter = (directory: string) => {
    const text = readText(path.join(directory, '.gitignore'))
    if (text !== undefined) rules.set(directory, ignore({ ignorecase: false }).add(text))
  }
  const judge = (directory: string, name: string, isDirectory: boolean): boolean => {
    for (let from = directory; ; from = path.dirname(from)) {
      const rule = rules.get(from)
      if (rule) {
        const relative = path.relative(from, path.join(directory, name)).split(path.sep).join('/')
        const verdict = rule.test(isDirectory ? `${relative}/` : relative)
        if (verdict.ignored || verdict.unignored) return verdict.ignored
      }
      if (from === top || path.dirname(from) === from) return false
    }
  }

  const above = between(top, start)
  for (const directory of above) enter(directory)
  const way = [...above, start]
  const startIsIgnored = above.some((directory, at) =>
    judge(directory, path.basename(way[at + 1] ?? ''), true),
  )
  if (startIsIgnored) rules.clear()
  const names = always.filter(name => !start.split(path.sep).includes(name))

  return {
    enter,
    has: (directory, name, isDirectory) => names.includes(name) || judge(directory, name, isDirectory),
    always: names,
    fromAbove: !startIsIgnored,
  }
}

/** The nearest directory from `start` upwards that holds a `.git`. */
export function projectRoot(start: string): string | undefined {
  for (let directory = start; ; directory = path.dirname(directory)) {
    try {
      lstatSync(path.join(directory, '.git'))
      return directory
    } catch {
      if (path.dirname(directory) === directory) return undefined
    }
  }
}

/** The directories from `top` down to the one above `start`. */
function between(top: string, start: string): string[] {
  const directories: string[] = []
  for (let directory = start; directory !== top && isWithin(top, directory); ) {
    directory = path.dirname(directory)
    directories.unshift(directory)
  }
  return directories
}

/** undefined when there is none; a .gitignore that is no regular file is none. */
function readText(file: string): string | undefined {
  try {
    return lstatSync(file).isFile() ? readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  }
}
