/** Looks at the disk for what a sandbox has to hide or to keep as it is. Once for each sandbox: what is made later is not seen. */
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import { protectedFor, secret } from '../paths/names.ts'

export interface Ground {
  /** The session's directory, a real path. */
  project: string
  /** The person's home. */
  home: string
  gopiHome: string
}

/** Real paths. */
export interface Survey {
  /** Can neither be read nor written. */
  hidden: readonly Place[]
  /** In the project: can be read, not written. */
  kept: readonly string[]
  /** In the project: may change, but cannot be moved away with what is kept in it. */
  held: readonly string[]
}

export interface Place {
  path: string
  isDirectory: boolean
}

/** So many names are looked at in the project, and so deep; and in the home, where only hidden folders matter. */
const PROJECT = { most: 20_000, depth: 6 }
const HOME = { most: 5_000, depth: 3 }
/** Nothing of a person's lies there, and much of everybody else's. */
const PASSED = new Set(['node_modules', 'objects', '__pycache__', 'target', 'vendor'])
/** Only root could read them anyway. */
const OF_ROOT = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d']
/** Of a repository: what names programs, or where else its configuration is. */
const GIT_KEPT = ['config', 'config.worktree', 'commondir', 'hooks', 'info', 'modules']

const GUARDED_INSIDE = new Set([
  ...GIT_KEPT.map(name => `.git/${name}`),
  ...['.github/workflows', '.github/actions', '.github/copilot-instructions.md'],
])

export function survey({ project, home, gopiHome }: Ground): Survey {
  const hidden = new Map<string, Place>()
  const kept = new Set<string>()
  const held = new Set<string>()
  const hide = (file: string) => {
    const place = placeOf(file)
    // A sandbox without the project would be of no use.
    if (place !== undefined && !isInside(project, place.path)) hidden.set(place.path, place)
  }
  for (const file of [gopiHome, ...OF_ROOT, ...sockets()]) hide(file)
  walk(home, HOME, (file, name, depth) => {
    if (secret(file) !== undefined) hide(file)
    else return name.startsWith('.') || depth > 1
    return false
  })
  walk(project, PROJECT, (file, name) => {
    if (PASSED.has(name)) return false
    if (secret(file) !== undefined) hide(file)
    else if (name === '.git' && placeOf(file)?.isDirectory) {
      held.add(file)
      for (const inner of GIT_KEPT) if (placeOf(path.join(file, inner))) kept.add(path.join(file, inner))
    } else if (protectedFor(file, gopiHome) !== undefined) {
      const place = placeOf(file)
      if (place !== undefined && isInside(place.path, project)) kept.add(place.path)
    } else {
      if (name === '.github') held.add(file)
      return true
    }
    return false
  })
  return { hidden: [...hidden.values()], kept: [...kept], held: [...held] }
}

/** What is protected or secret at the top of the project and of its repository, by name: few look-ups, for every command. */
export function guardedNames({ project, gopiHome }: Ground): string[] {
  const top = entriesOf(project).map(({ name }) => name)
  const isGuarded = (name: string) => {
    const file = path.join(project, name)
    return protectedFor(file, gopiHome) !== undefined || secret(file) !== undefined
  }
  const inside = ['.git', '.github'].flatMap(folder =>
    entriesOf(path.join(project, folder)).map(({ name }) => `${folder}/${name}`),
  )
  const names = [...top.filter(isGuarded), ...inside.filter(name => GUARDED_INSIDE.has(name))]
  return names.filter(name => !/\.from-sandbox-\w+$/.test(name)).sort()
}

/** Sockets that have a name: what listens there, Docker say, is outside. */
function sockets(): string[] {
  try {
    const names = readFileSync('/proc/net/unix', 'latin1').matchAll(/ (\/\S+)$/gm)
    return [...new Set([...names].map(([, name = '']) => name))].filter(
      name => !/^\/(tmp|run|dev)\//.test(name),
    )
  } catch {
    return []
  }
}

/** Follows links: what is hidden by one name is hidden by all. undefined: nothing is there. */
function placeOf(file: string): Place | undefined {
  try {
    const real = realpathSync.native(file)
    return { path: real, isDirectory: lstatSync(real).isDirectory() }
  } catch {
    return undefined
  }
}

/** Breadth first. `visit` says whether to look into a directory. */
function walk(
  root: string,
  { most, depth: deepest }: { most: number; depth: number },
  visit: (file: string, name: string, depth: number) => boolean,
): void {
  let seen = 0
  let folders = [root]
  for (let depth = 1; depth <= deepest && folders.length > 0; depth++) {
    const next: string[] = []
    for (const folder of folders)
      for (const entry of entriesOf(folder)) {
        if (++seen > most) return
        const file = path.join(folder, entry.name)
        if (visit(file, entry.name, depth) && entry.isDirectory()) next.push(file)
      }
    folders = next
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
