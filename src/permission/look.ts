/** What the disk says about paths. Everything else in this room is pure over it. */

import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { hasOtherNames, realTarget } from '../paths/real.ts'
import type { Said } from '../protocol/sayings.ts'
import { said } from '../words/sayings/said.ts'
import { gitTrouble, trackedSecrets } from './git-config.ts'

export type Kind = 'file' | 'directory' | 'special' | 'missing'

export interface Look {
  /** The real path that touching `absolute` would touch. */
  real(absolute: string): string
  kind(absolute: string): Kind
  /** The names in a directory; undefined: too many to say. */
  names(directory: string): string[] | undefined
  /** Why a change to this file (a real path) asks: it has hard links, and one may be a protected file's. */
  otherNames(real: string): Said | undefined
  /** The paths that a glob in the last part stands for; undefined: too many to say, or a glob elsewhere. */
  glob(absolute: string): string[] | undefined
  /** All that lies below a directory, but for what git and npm keep there; undefined: too much to say. */
  below(directory: string): Below | undefined
  /**
   * Why git in this directory may run programs that its configuration names. `hardened`: in the environment that calls which
   * passed the gate get, where hooks, monitors, pagers and transports are off.
   */
  gitTrouble(directory: string, how?: 'hardened'): Said | undefined
  /** Files that may hold secrets and that git tracks, from this directory up (absolute paths); undefined: nobody can say. */
  trackedSecrets(directory: string): string[] | undefined
}

export interface Below {
  files: string[]
  links: string[]
  /** Directories that were left out. */
  passed: string[]
}

/** Looks at each path once. */
export function lookAtDisk(): Look {
  const real = remember(realTarget)
  const plain = remember((directory: string) => gitTrouble(directory))
  const hardened = remember((directory: string) => gitTrouble(directory, 'hardened'))
  return {
    real,
    kind: remember(kindOf),
    names: remember(namesIn),
    otherNames: file => (hasOtherNames(file) ? said('permission.hard_link', { file }) : undefined),
    glob: remember(expandGlob),
    below: remember(lookBelow),
    trackedSecrets: remember(trackedSecrets),
    gitTrouble: (directory, how) => (how ? hardened : plain)(directory),
  }
}

function remember<T>(look: (file: string) => T): (file: string) => T {
  const seen = new Map<string, T>()
  return file => {
    if (!seen.has(file)) seen.set(file, look(file))
    return seen.get(file) as T
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
  const found: Below = { files: [], links: [], passed: [] }
  const open = [directory]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of entriesOf(at)) {
      const file = path.join(at, entry.name)
      if (entry.isSymbolicLink()) found.links.push(file)
      else if (!entry.isDirectory()) found.files.push(file)
      else (NOT_BELOW.has(entry.name) ? found.passed : open).push(file)
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

function namesIn(directory: string): string[] | undefined {
  try {
    const names = readdirSync(directory)
    return names.length > MOST_NAMES ? undefined : names
  } catch {
    return []
  }
}

function expandGlob(absolute: string): string[] | undefined {
  const directory = path.dirname(absolute)
  const pattern = path.basename(absolute)
  // With many stars one name could take for ever.
  if (/[*?[\\]/.test(directory) || pattern.split(/\*+/).length > 5) return undefined
  const names = namesIn(directory)
  if (names === undefined) return undefined
  // A bracket stands for any character here: rather a name too many than one too few.
  const source = pattern.replace(/\[[^\]]*\]|[\\^$+?.()|[\]{}]|\*+/g, part =>
    part[0] === '*' ? '.*' : part === '?' || part.length > 1 ? '.' : `\\${part}`,
  )
  const matches = new RegExp(`^${source}$`, 'su')
  return names
    .filter(name => matches.test(name) && (!name.startsWith('.') || pattern.startsWith('.')))
    .map(name => path.join(directory, name))
}
