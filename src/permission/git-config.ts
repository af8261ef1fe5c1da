/**
 * Whether a read-only git call in a directory can be trusted to run nothing: a repository names programs in its
 * configuration (fsmonitor, filters, textconv, pagers, signing …) and has hooks. Only what is known to be harmless may
 * stand there; everything else is trouble.
 */

import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { secret } from '../paths/names.ts'
import type { Said } from '../protocol/sayings.ts'
import { said } from '../words/sayings/said.ts'
import { readIndex } from './git-index.ts'

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

/**
 * The same where hooks, monitors, pagers, editors, transports and an external diff are off. Left out are what nothing
 * switches off: filters, drivers of diff, other files, another tree, signatures that are shown.
 */
const HARDENED = new RegExp(
  `^(?:${[
    '(alias|pager|user|tag|credential|difftool|mergetool|merge|http|url|i18n|blame(?!\\.ignorerevsfile)|grep|gui|interactive|husky|sequence|remote|commit|gpg|column|apply|am|browser|web|sendemail)\\..*',
    'core\\.(hookspath|fsmonitor|editor|pager|sshcommand|askpass|commentchar|excludesfile|whitespace|compression|preloadindex|bigfilethreshold)',
    'diff\\.(?!external)[a-z]+',
  ].join('|')})(?:=|$)`,
)

/** Hooks that reading calls run too. */
const READING_HOOKS = ['post-index-change', 'fsmonitor-watchman', 'query-watchman']

/** `directory`: a real path. undefined: nothing of the repository would run, or there is none. */
export function gitTrouble(directory: string, how?: 'hardened'): Said | undefined {
  try {
    return troubleOf(directory, how === 'hardened')
  } catch {
    return said('permission.git_unreadable', {})
  }
}

function troubleOf(directory: string, isHardened: boolean): Said | undefined {
  for (let at = directory; ; at = path.dirname(at)) {
    const git = path.join(at, '.git')
    // Without a `.git` that is one, git takes the directory itself, in layouts of its own.
    const isBare = existsSync(path.join(at, 'HEAD'))
    if (isBare) return said('permission.git_bare', { directory: at })
    if (existsSync(git)) return troubleIn(gitDirectory(git), { tree: at, isHardened })
    if (path.dirname(at) === at) return undefined
  }
}

/**
 * The tracked files that may hold secrets (absolute paths), as the index has them: what git shows of all files it shows of
 * those. undefined: nobody can say. `directory`: a real path in a repository.
 */
export function trackedSecrets(directory: string): string[] | undefined {
  try {
    for (let at = directory; ; at = path.dirname(at)) {
      const git = path.join(at, '.git')
      if (existsSync(git)) {
        const index = path.join(gitDirectory(git), 'index')
        const names = existsSync(index) ? readIndex(index)?.names : []
        return names?.map(name => path.join(at, name)).filter(file => secret(file) !== undefined)
      }
      if (path.dirname(at) === at) return []
    }
  } catch {
    return undefined
  }
}

/** `.git`, or where a `.git` file of a worktree points: to what points back, or it would be somebody else's repository. */
function gitDirectory(git: string): string {
  const stats = lstatSync(git)
  if (stats.isDirectory()) return git
  const [, pointsTo] = (stats.isFile() && /^gitdir: (.+?)[\r\n]*$/.exec(readFileSync(git, 'utf8'))) || []
  if (pointsTo === undefined) throw new Error('not a .git file')
  const directory = path.resolve(path.dirname(git), pointsTo)
  const back = readFileSync(path.join(directory, 'gitdir'), 'utf8').replace(/[\r\n]+$/, '')
  if (realpathSync.native(path.resolve(directory, back)) !== realpathSync.native(git))
    throw new Error('no worktree of that repository')
  return directory
}

/** Where the repository of a worktree lies: two above what it has for itself. */
function commonDirectory(git: string): string {
  const file = path.join(git, 'commondir')
  if (!existsSync(file)) return git
  const common = path.resolve(git, readFileSync(file, 'utf8').replace(/[\r\n]+$/, ''))
  if (realpathSync.native(common) !== realpathSync.native(path.join(git, '..', '..')))
    throw new Error('not the repository of that worktree')
  return common
}

/** No repository has so many of its own (packed ones do not count). */
const MOST_ENTRIES = 20_000

/**
 * Whether something in a repository leads out of it: git says what stands where it expected something else. Loose objects and
 * packs are not looked at, which git shows nothing of unless they are some, nor hooks, which do not run.
 */
function leadsOut(common: string): boolean {
  const open = [common]
  let seen = 0
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const isObjects = at === path.join(common, 'objects')
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (entry.isSymbolicLink() || seen++ > MOST_ENTRIES) return true
      const isPassed = isObjects ? entry.name !== 'info' : at === common && entry.name === 'hooks'
      if (entry.isDirectory() && !isPassed) open.push(path.join(at, entry.name))
    }
  }
  return existsSync(path.join(common, 'objects', 'info', 'alternates'))
}

function troubleIn(
  git: string,
  { tree, isHardened }: { tree: string; isHardened: boolean },
): Said | undefined {
  const common = commonDirectory(git)
  if (existsSync(path.join(tree, '.gitmodules')) || existsSync(path.join(common, 'modules')))
    return said('permission.git_submodules', {})
  // What lacks one of these is none to git, which goes on to look further up.
  const parts = [path.join(git, 'HEAD'), path.join(common, 'objects'), path.join(common, 'refs')]
  if (!parts.every(part => existsSync(part)) || !isHead(path.join(git, 'HEAD')) || leadsOut(common))
    return said('permission.git_unreadable', {})
  const index = path.join(git, 'index')
  if (existsSync(index) && readIndex(index)?.nested !== false) return said('permission.git_others', {})
  if (existsSync(path.join(git, 'config.worktree'))) return said('permission.git_worktree', {})
  const hook = isHardened
    ? undefined
    : READING_HOOKS.find(name => existsSync(path.join(common, 'hooks', name)))
  if (hook !== undefined) return said('permission.git_hook', { hook })
  const file = path.join(common, 'config')
  const key = existsSync(file)
    ? keysOf(readFileSync(file, 'utf8')).find(
        line => !HARMLESS.test(line) && !(isHardened && HARDENED.test(line)),
      )
    : undefined
  return key === undefined ? undefined : said('permission.git_sets', { key: key.replace(/=[\s\S]*/, '') })
}

const isHead = (file: string): boolean =>
  lstatSync(file).isFile() && /^(ref:\s*refs\/|[0-9a-f]{40})/.test(readFileSync(file, 'utf8'))

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
