/** Looks at the disk for what a sandbox has to hide or to keep as it is. Once for each sandbox: what is made later is not seen. */
import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import { protectedFor, secret } from '../paths/names.ts'

export interface Ground {
  /** The session's directory, a real path. */
  project: string
  /** The person's home. */
  home: string
  gopiHome: string
  /** What commands get: it may name sockets. */
  env: NodeJS.ProcessEnv
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

/** So deep is looked (names in a path), and into so many folders below each of the first level. */
const PROJECT = { most: 2_000, depth: 7 }
const HOME = { most: 500, depth: 4 }
/** A folder with more names is no place for keys. */
const MOST_NAMES = 20_000
/** Nothing of a person's lies there, and much of everybody else's. */
const PASSED = new Set(['node_modules', 'objects', '__pycache__', 'target', 'vendor'])
/** Only root could read them anyway. */
const OF_ROOT = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d']
/** Of a repository: what names programs, or where else its configuration is. */
const GIT_KEPT = ['config', 'config.worktree', 'commondir', 'hooks', 'info', 'modules']

/** The same of another working tree, which somebody else may use. */
const WORKTREE_KEPT = ['config.worktree', 'commondir', 'gitdir']

const GUARDED_INSIDE = new Set([
  ...GIT_KEPT.map(name => `.git/${name}`),
  ...['.github/workflows', '.github/actions', '.github/copilot-instructions.md'],
])

export function survey({ project, home, gopiHome, env }: Ground): Survey {
  const hidden = new Map<string, Place>()
  const kept = new Set<string>()
  const held = new Set<string>()
  const hide = (file: string) => {
    const place = placeOf(file)
    // A sandbox without the project would be of no use.
    if (place !== undefined && !isInside(project, place.path)) hidden.set(place.path, place)
  }
  const keep = (file: string) => {
    const place = placeOf(file)
    if (place !== undefined && isInside(place.path, project) && place.path !== project) kept.add(place.path)
  }
  for (const file of [gopiHome, ...OF_ROOT]) hide(file)
  walk(home, HOME, (file, name) => {
    if (file === project || PASSED.has(name)) return false
    if (secret(file) === undefined) return true
    hide(file)
    return false
  })
  walk(project, PROJECT, (file, name) => {
    if (PASSED.has(name)) return false
    if (secret(file) !== undefined) hide(file)
    else if (name === '.git' && placeOf(file)?.isDirectory) {
      held.add(file)
      for (const inner of GIT_KEPT) keep(path.join(file, inner))
      for (const { name: tree } of entriesOf(path.join(file, 'worktrees'))) {
        held.add(path.join(file, 'worktrees', tree))
        for (const inner of WORKTREE_KEPT) keep(path.join(file, 'worktrees', tree, inner))
      }
      for (const other of namedByGit(file)) keep(other)
    } else if (protectedFor(file, gopiHome) !== undefined) keep(file)
    else {
      if (name === '.github') held.add(file)
      return true
    }
    return false
  })
  // The last: they come and go, and what is gone when the sandbox is made cannot be hidden.
  for (const file of sockets(project, env)) hide(file)
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

/** Where a repository's configuration says that hooks and more configuration are. */
function namedByGit(git: string): string[] {
  const config = textOf(path.join(git, 'config'))
  const named = config.matchAll(/^\s*(?:hookspath|path)\s*=\s*"?([^"\n]+?)"?\s*$/gim)
  // Of hooks it is said from the top of the working tree, of configuration from the file that says it.
  return [...named].flatMap(([, file = '']) => [path.resolve(git, '..', file), path.resolve(git, file)])
}

/** Sockets that have a name: what listens there, Docker say, is outside. Some are of others than this machine lists. */
function sockets(project: string, env: NodeJS.ProcessEnv): string[] {
  const listed = [...textOf('/proc/net/unix').matchAll(/ (\/\S+)$/gm)].map(([, name = '']) => name)
  const named = Object.values(env).flatMap(value =>
    (value ?? '').split(/[\s,;:=]+/).filter(text => text.startsWith('/') && isSocket(text)),
  )
  const isSeen = (file: string) => !/^\/(tmp|run|dev)\//.test(file) || isInside(file, project)
  return [...new Set([...listed, ...named])].filter(isSeen)
}

function isSocket(file: string): boolean {
  try {
    return statSync(file).isSocket()
  } catch {
    return false
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
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

/**
 * Breadth first, and each folder of the first level by itself, so that a full one hides nothing in another. `visit` says
 * whether to look into a directory.
 */
function walk(
  root: string,
  { most, depth: deepest }: { most: number; depth: number },
  visit: (file: string, name: string) => boolean,
): void {
  const into = (folder: string, isFolder: (entry: Dirent, file: string) => boolean) =>
    entriesOf(folder).flatMap(entry => {
      const file = path.join(folder, entry.name)
      return visit(file, entry.name) && isFolder(entry, file) ? [file] : []
    })
  // Who keeps such files elsewhere links the first of their folders.
  const first = into(
    root,
    (entry, file) => entry.isDirectory() || (entry.isSymbolicLink() && placeOf(file)?.isDirectory === true),
  )
  for (const top of first) {
    let folders = [top]
    let left = most
    for (let depth = 2; depth <= deepest && folders.length > 0; depth++) {
      const some = folders.slice(0, left)
      left -= some.length
      folders = some.flatMap(folder => into(folder, entry => entry.isDirectory()))
    }
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).slice(0, MOST_NAMES)
  } catch {
    return []
  }
}
