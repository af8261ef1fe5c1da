/** The repository around the session's directory, and what a person should know about the state it is in. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { type GitOutput, readGit } from '../../../tools/git/run.ts'
import type { Desk } from '../../commands/command.ts'

export interface Repository {
  /** A real path. */
  root: string
  /** undefined: HEAD is detached. */
  branch: string | undefined
  /** It has no commit yet. */
  isEmpty: boolean
  /** Paths with conflicts, as seen from the root. */
  unmerged: readonly string[]
  /** At its root, changing nothing and running nothing of the repository's. Rejects with `GitError` where it fails. */
  read(args: readonly string[]): Promise<GitOutput>
}

/** What git said; a person can read it. */
export class GitError extends Error {}

const UNDER_WAY = {
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  BISECT_LOG: 'bisect',
} as const

/** Says what is odd about it; undefined: there is none, which is said too. */
export async function repositoryAt({ place, words, note, refuse }: Desk): Promise<Repository | undefined> {
  const { git: said } = words.doing
  // Without it nothing can be started, which the system says of the program.
  if (!existsSync(place.cwd)) {
    refuse(said.gone(place.cwd))
    return undefined
  }
  const here = (args: string[]) => readGit(args, { cwd: place.cwd })
  const found = await here(['rev-parse', '--show-toplevel', '--absolute-git-dir'])
  const [root = '', directory = ''] = found.text.trim().split('\n')
  if (found.code !== 0 || root === '') {
    refuse(/not a git repository/i.test(found.problem) ? said.none : said.failed(firstOf(found.problem)))
    return undefined
  }
  const read = async (args: readonly string[]) => {
    const output = await readGit(args, { cwd: root })
    if (output.code !== 0) throw new GitError(firstOf(output.problem))
    return output
  }
  const head = await here(['symbolic-ref', '--quiet', '--short', 'HEAD'])
  const isEmpty = (await here(['rev-parse', '--quiet', '--verify', 'HEAD'])).code !== 0
  const unmerged = namesIn(await read(['diff', '--name-only', '--diff-filter=U', '-z']))
  const branch = head.code === 0 ? head.text.trim() : undefined
  const [, goingOn] = Object.entries(UNDER_WAY).find(([name]) => existsSync(path.join(directory, name))) ?? []
  if (goingOn) note(said.underWay(goingOn))
  else if (branch === undefined) note(said.detached)
  if (isEmpty) note(said.empty)
  return { root, branch, isEmpty, unmerged, read }
}

/** Paths of an output with -z. */
export const namesIn = ({ text }: GitOutput): string[] => text.split('\0').filter(name => name !== '')

const firstOf = (text: string): string => text.trim().split('\n')[0] ?? ''

/** A commit that a person named, or undefined. What looks like an option names none. */
export async function commitNamed(name: string, { root }: Repository): Promise<string | undefined> {
  if (name.startsWith('-')) return undefined
  const found = await readGit(['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`], {
    cwd: root,
  })
  return found.code === 0 ? found.text.trim() : undefined
}

/** What a branch is usually merged into: what the remote says, or one of the usual names. → its name. */
export async function usualBase(repository: Repository): Promise<string | undefined> {
  const remote = await readGit(['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'], {
    cwd: repository.root,
  })
  const names = [remote.text.trim(), 'origin/main', 'origin/master', 'main', 'master', 'trunk', 'develop']
  for (const name of names)
    if (name !== '' && name !== repository.branch && (await commitNamed(name, repository))) return name
  return undefined
}
