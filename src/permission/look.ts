/** What the disk says about paths. Everything else in this room is pure over it. */
import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { gitTrouble } from './git-config.ts'

export type Kind = 'file' | 'directory' | 'special' | 'missing'

export interface Look {
  /** The real path that touching `absolute` would touch. */
  real(absolute: string): string
  kind(absolute: string): Kind
  /** The paths that a glob in the last part stands for; undefined: too many to say, or a glob elsewhere. */
  glob(absolute: string): string[] | undefined
  /** All that lies below a directory, but for what git and npm keep there; undefined: too much to say. */
  below(directory: string): Below | undefined
  /** Why git in this directory may run programs that its configuration names. */
  gitTrouble(directory: string): string | undefined
}

export interface Below {
  files: string[]
  links: string[]
}

/** Looks at each path once. */
export function lookAtDisk(): Look {
  const real = remember(realTarget)
  return {
    real,
    kind: remember(kindOf),
    glob: remember(expandGlob),
    below: remember(lookBelow),
    gitTrouble: remember(gitTrouble),
  }
}

function remember<T>(look: (file: string) => T): (file: string) => T {
  const seen = new Map<string, T>()
  return file => {
    if (!seen.has(file)) seen.set(file, look(file))
    return seen.get(file) as T
  }
}

/** How many links in a row are followed; systems give up at 40. */
const MOST_LINKS = 40
/** No system knows a longer one. */
const LONGEST_PATH = 4_096

/**
 * Links are resolved in the deepest part that exists, the rest is appended. A dangling link resolves to where it
 * points, so that writing through it is judged by its target.
 */
export function realTarget(absolute: string, links = 0): string {
  if (absolute.length > LONGEST_PATH) return absolute
  try {
    return realpathSync.native(absolute)
  } catch {
    const parent = path.dirname(absolute)
    if (parent === absolute || links > MOST_LINKS) return absolute
    const pointsTo = linkOf(absolute)
    if (pointsTo !== undefined)
      return realTarget(path.resolve(realTarget(parent, links + 1), pointsTo), links + 1)
    return path.join(realTarget(parent, links), path.basename(absolute))
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}

function kindOf(absolute: string): Kind {
  try {
    const stats = statSync(absolute)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'directory' : 'special'
  } catch {
    return 'missing'
  }
}

/** Device and inode of what stands at a real path; undefined: nothing. */
export function identify(real: string): string | undefined {
  try {
    const { dev, ino } = lstatSync(real, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

const MOST_NAMES = 5_000
const MOST_BELOW = 20_000
const NOT_BELOW: ReadonlySet<string> = new Set(['.git', 'node_modules'])

function lookBelow(directory: string): Below | undefined {
  const found: Below = { files: [], links: [] }
  const open = [directory]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of entriesOf(at)) {
      const file = path.join(at, entry.name)
      if (entry.isSymbolicLink()) found.links.push(file)
      else if (!entry.isDirectory()) found.files.push(file)
      else if (!NOT_BELOW.has(entry.name)) open.push(file)
    }
    if (found.files.length + found.links.length + open.length > MOST_BELOW) return undefined
  }
  return found
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function expandGlob(absolute: string): string[] | undefined {
  const directory = path.dirname(absolute)
  const pattern = path.basename(absolute)
  if (/[*?[\\]/.test(directory)) return undefined
  const names = namesIn(directory)
  if (names.length > MOST_NAMES) return undefined
  // A bracket stands for any character here: rather a name too many than one too few.
  const source = pattern.replace(/\[[^\]]*\]|[\\^$+?.()|[\]{}*]/g, part =>
    part === '*' ? '.*' : part === '?' || part.length > 1 ? '.' : `\\${part}`,
  )
  const matches = new RegExp(`^${source}$`, 'su')
  return names
    .filter(name => matches.test(name) && (!name.startsWith('.') || pattern.startsWith('.')))
    .map(name => path.join(directory, name))
}
