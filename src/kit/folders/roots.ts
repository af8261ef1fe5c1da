/** The folders in which people keep skills and commands: the one finder. Who has none pays a look for each, and no import. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { realTarget } from '../../paths/real.ts'
import { shownPath } from '../../text/shown-path.ts'

export interface Root {
  /** As people are told: `.gopi/skills`. */
  from: string
  /** A real path. */
  folder: string
  /** It came with the project. */
  isProjects: boolean
}

export interface Places {
  /** $GOPI_HOME. */
  home: string
  /** The person's home. */
  person: string
  /** The session's directory, a real path. */
  cwd: string
  /** What the project brings is used. */
  trusted: boolean
}

export interface FolderOptions extends Places {
  /** Rules that deny, as they stand in the configuration: what they deny is not there. */
  deny: readonly string[]
}

/** Those of a project, the nearest last. */
export const PROJECT_HOMES = ['.claude', '.agents', '.gopi'] as const

/** The folders of this name (`skills`, `commands`) that are there, the nearest last, each once. */
export function rootsOf(name: string, { home, person, cwd, trusted }: Places): Root[] {
  const own = [path.join(person, '.agents', name), path.join(home, name)].map(folder => ({
    ...{ folder, from: shownPath(folder, person), isProjects: false },
  }))
  const theirs = trusted
    ? PROJECT_HOMES.map(dot => ({
        ...{ folder: path.join(cwd, dot, name), from: path.join(dot, name), isProjects: true },
      }))
    : []
  const found = [...own, ...theirs]
    .filter(({ folder }) => isFolder(folder))
    .map(root => ({ ...root, folder: realTarget(root.folder) }))
  return found.filter(({ folder }, at) => found.findIndex(other => other.folder === folder) === at)
}

const isFolder = (folder: string): boolean => {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}
