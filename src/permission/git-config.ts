/**
 * Whether a read-only git call in a directory can be trusted to run nothing: a repository names programs in its
 * configuration (fsmonitor, filters, textconv, pagers, signing …) and has hooks. Only what is known to be harmless may
 * stand there; everything else is trouble.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { holdsRepositories } from './git-index.ts'

const HARMLESS = new RegExp(
  `^(?:${[
    'core\\.(repositoryformatversion|filemode|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|abbrev|quotepath|untrackedcache|safecrlf|longpaths|protecthfs|protectntfs|sharedrepository)',
    'core\\.bare=false',
    'core\\.fsmonitor=false',
    'remote\\.[^=]*\\.(?!(?:url|pushurl)=[\\w+-]+::)(url|fetch|push|pushurl|tagopt|prune|mirror|gh-resolved|promisor|partialclonefilter|skipdefaultupdate)',
    'branch\\.[^=]*\\.(remote|merge|rebase|pushremote|description|vscode-merge-base|gh-merge-base|github-pr-owner-number)',
    'user\\.(name|email)',
    'submodule\\.(active|recurse)',
    'init\\.defaultbranch',
    '(pull|push|fetch|rebase|merge|status|log|color|advice|index|pack|gc|maintenance|feature|extensions|lfs|rerere|commit)\\.(?!.*(cmd|command|gpg|template|worktreeconfig|driver|tool|exec|hook|signature)).*',
  ].join('|')})(?:=|$)`,
)

/** Hooks that reading calls run too. */
const READING_HOOKS = ['post-index-change', 'fsmonitor-watchman', 'query-watchman']

/** `directory`: a real path. undefined: nothing of the repository would run, or there is none. */
export function gitTrouble(directory: string): string | undefined {
  try {
    return troubleOf(directory)
  } catch {
    return 'gopi cannot read the configuration of the repository'
  }
}

function troubleOf(directory: string): string | undefined {
  for (let at = directory; ; at = path.dirname(at)) {
    const git = path.join(at, '.git')
    if (existsSync(git)) return troubleIn(gitDirectory(git), at)
    if (['HEAD', 'objects', 'refs'].every(name => existsSync(path.join(at, name))))
      return `${at} looks like a bare repository`
    if (path.dirname(at) === at) return undefined
  }
}

/** `.git`, or where a `.git` file (of a worktree) points. */
function gitDirectory(git: string): string {
  if (statSync(git).isDirectory()) return git
  const [, pointsTo] = /^gitdir: (.+?)\s*$/.exec(readFileSync(git, 'utf8')) ?? []
  if (pointsTo === undefined) throw new Error('not a .git file')
  return path.resolve(path.dirname(git), pointsTo)
}

function troubleIn(git: string, tree: string): string | undefined {
  const commonFile = path.join(git, 'commondir')
  const common = existsSync(commonFile) ? path.resolve(git, readFileSync(commonFile, 'utf8').trim()) : git
  if (existsSync(path.join(tree, '.gitmodules')) || existsSync(path.join(common, 'modules')))
    return 'the repository has submodules, whose configuration git follows'
  const index = path.join(git, 'index')
  if (existsSync(index) && holdsRepositories(index))
    return 'the repository holds others, whose configuration git follows'
  if (existsSync(path.join(git, 'config.worktree')))
    return 'the repository has a configuration for this worktree'
  const hook = READING_HOOKS.find(name => existsSync(path.join(common, 'hooks', name)))
  if (hook !== undefined) return `the repository has the hook ${hook}`
  const file = path.join(common, 'config')
  const key = existsSync(file)
    ? keysOf(readFileSync(file, 'utf8')).find(line => !HARMLESS.test(line))
    : undefined
  return key === undefined ? undefined : `the repository's configuration sets ${key.replace(/=[\s\S]*/, '')}`
}

/** `section.subsection.key=value`, in lower case; a line that is not understood stands for itself. */
function keysOf(text: string): string[] {
  const keys: string[] = []
  let section = ''
  for (const line of text.replaceAll('\r', '').split('\n')) {
    const content = line.trim()
    if (content === '' || /^[#;]/.test(content)) continue
    const [, name, subsection] = /^\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]$/.exec(content) ?? []
    const [, key, value = ''] = /^([\w-]+)\s*(?:=\s*(.*))?$/.exec(content) ?? []
    if (name !== undefined) section = subsection === undefined ? name : `${name}.${subsection}`
    else if (key !== undefined && !content.endsWith('\\'))
      keys.push(`${section}.${key}=${value}`.toLowerCase())
    else keys.push(content)
  }
  return keys
}
