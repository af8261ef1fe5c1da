/**
 * git, by subcommand and options. A reading call still runs what the repository's configuration names, so the caller
 * looks at that too. What is on no list here (an alias, for all that gopi knows) no rule can speak for.
 */
import type { ShellWord } from '../shell/line.ts'
import { type OptionList, readOptions } from './options.ts'
import type { Verdict } from './verdict.ts'

const PATCH: OptionList = {
  flags: 'psuwbzqRat',
  valued: 'nSGLUMCDlX',
  numbers: true,
  long: [
    ...[
      'oneline',
      'graph',
      'decorate',
      'no-decorate',
      'all',
      'stat',
      'shortstat',
      'numstat',
      'dirstat',
      'compact-summary',
    ],
    ...[
      'name-only',
      'name-status',
      'patch',
      'no-patch',
      'cached',
      'staged',
      'merges',
      'no-merges',
      'first-parent',
    ],
    ...[
      'reverse',
      'abbrev-commit',
      'follow',
      'color',
      'no-color',
      'word-diff',
      'color-words',
      'summary',
      'raw',
    ],
    ...[
      'full-index',
      'ignore-all-space',
      'ignore-space-change',
      'ignore-blank-lines',
      'minimal',
      'histogram',
      'patience',
    ],
    ...[
      'find-renames',
      'no-renames',
      'check',
      'quiet',
      'exit-code',
      'merge-base',
      'topo-order',
      'date-order',
      'no-ext-diff',
    ],
    ...[
      'no-textconv',
      'pickaxe-all',
      'pickaxe-regex',
      'function-context',
      'branches',
      'tags',
      'remotes',
      'boundary',
    ],
    ...[
      'cherry-pick',
      'left-right',
      'cherry',
      'simplify-by-decoration',
      'no-walk',
      'root',
      'relative',
      'text',
      'patch-with-stat',
    ],
  ],
  longValued: [
    ...[
      'since',
      'until',
      'after',
      'before',
      'author',
      'committer',
      'grep',
      'max-count',
      'skip',
      'date',
      'color',
    ],
    ...[
      'decorate',
      'abbrev',
      'diff-filter',
      'unified',
      'stat',
      'word-diff',
      'format',
      'pretty',
      'branches',
      'tags',
      'remotes',
    ],
    ...[
      'diff-algorithm',
      'relative',
      'inter-hunk-context',
      'src-prefix',
      'dst-prefix',
      'find-renames',
      'encoding',
    ],
  ],
}

/** Subcommands that only read with these options (and those that `where` agrees to). */
const READING: Readonly<Record<string, OptionList & { where?(words: string[]): boolean }>> = {
  status: {
    flags: 'sbvzu',
    long: [
      'short',
      'branch',
      'porcelain',
      'long',
      'verbose',
      'show-stash',
      'ignored',
      'ahead-behind',
      'no-renames',
    ],
    longValued: ['porcelain', 'untracked-files', 'ignored', 'column'],
  },
  log: PATCH,
  show: PATCH,
  diff: PATCH,
  whatchanged: PATCH,
  'diff-tree': { ...PATCH, flags: 'prtcmszR' },
  shortlog: { ...PATCH, flags: 'nsecw' },
  'rev-list': { ...PATCH, long: [...(PATCH.long ?? []), 'count', 'objects', 'left-only', 'right-only'] },
  reflog: { ...PATCH, where: ([first]) => !/^(expire|delete|drop|write)$/.test(first ?? '') },
  blame: {
    flags: 'lsewcbtnfpM',
    valued: 'LC',
    long: ['porcelain', 'line-porcelain', 'show-email', 'show-name', 'show-number', 'root'],
    longValued: ['date', 'abbrev', 'since'],
  },
  'rev-parse': {
    flags: 'q',
    long: [
      'show-toplevel',
      'abbrev-ref',
      'short',
      'verify',
      'is-inside-work-tree',
      'git-dir',
      'show-prefix',
      'show-cdup',
      'is-bare-repository',
      'symbolic-full-name',
      'git-common-dir',
      'absolute-git-dir',
      'quiet',
      'all',
      'symbolic',
    ],
    longValued: ['short', 'abbrev-ref'],
  },
  'ls-files': {
    flags: 'cdmosiuktvz',
    valued: 'x',
    long: [
      'cached',
      'deleted',
      'modified',
      'others',
      'stage',
      'unmerged',
      'killed',
      'exclude-standard',
      'full-name',
      'error-unmatch',
      'directory',
      'eol',
      'deduplicate',
    ],
    longValued: ['exclude'],
  },
  'ls-tree': {
    flags: 'rdtlz',
    long: ['name-only', 'name-status', 'full-name', 'full-tree', 'long'],
    longValued: ['abbrev', 'format'],
  },
  'cat-file': { flags: 'ptse' },
  describe: {
    long: ['tags', 'all', 'always', 'dirty', 'long', 'contains', 'exact-match', 'first-parent'],
    longValued: ['abbrev', 'match', 'exclude', 'candidates'],
  },
  'show-ref': { flags: 'dqs', long: ['head', 'heads', 'branches', 'tags', 'verify', 'hash', 'dereference'] },
  'show-branch': { flags: 'ar', long: ['all', 'remotes', 'list', 'sha1-name'] },
  'for-each-ref': { longValued: ['format', 'sort', 'count', 'points-at', 'contains', 'merged', 'no-merged'] },
  'merge-base': { flags: 'a', long: ['all', 'is-ancestor', 'octopus', 'fork-point'] },
  'name-rev': { long: ['tags', 'name-only', 'always'] },
  'count-objects': { flags: 'vH', long: ['verbose', 'human-readable'] },
  'check-ignore': { flags: 'qvnz', long: ['verbose', 'non-matching', 'no-index', 'quiet'] },
  grep: {
    flags: 'aIiwvhHEPFGnlLcpWqor',
    valued: 'eABCm',
    long: [
      'cached',
      'untracked',
      'line-number',
      'ignore-case',
      'word-regexp',
      'files-with-matches',
      'name-only',
      'count',
      'extended-regexp',
      'fixed-strings',
      'perl-regexp',
      'heading',
      'break',
      'show-function',
      'function-context',
      'only-matching',
      'no-color',
      'color',
      'and',
      'or',
      'not',
      'all-match',
      'column',
    ],
    longValued: ['max-depth', 'context', 'color', 'max-count'],
  },
  branch: {
    flags: 'avr',
    long: ['list', 'all', 'remotes', 'verbose', 'show-current', 'no-color', 'color'],
    longValued: ['contains', 'no-contains', 'merged', 'no-merged', 'sort', 'format', 'points-at'],
    where: words => words.length === 0,
  },
  tag: {
    flags: 'ln',
    long: ['list', 'no-color'],
    longValued: ['sort', 'format', 'contains', 'merged', 'no-merged', 'points-at'],
    where: words => words.length === 0,
  },
  remote: {
    flags: 'v',
    long: ['verbose', 'all', 'push'],
    where: ([first]) => first === undefined || first === 'get-url',
  },
  stash: { ...PATCH, where: ([first]) => first === 'list' || first === 'show' },
  worktree: { flags: 'v', long: ['porcelain', 'verbose'], where: ([first]) => first === 'list' },
  version: { long: ['build-options'] },
}

/** Subcommands that a rule for all of git speaks for: they change the repository and the working tree. */
const LOCAL: ReadonlySet<string> = new Set(
  `add commit checkout switch restore branch tag merge stash mv rm reset rebase cherry-pick revert apply am init clean
  notes worktree reflog format-patch update-index read-tree write-tree commit-tree gc prune fsck sparse-checkout
  remote`.split(/\s+/),
)
/** These talk to another machine: a rule has to name them. */
const REMOTE: ReadonlySet<string> = new Set(
  'fetch pull push clone ls-remote submodule archive bundle lfs'.split(' '),
)
/** Options that run another program, write a file, or leave the checks out. */
const RUNNING = [
  ...[
    '--exec',
    '--upload-pack',
    '--receive-pack',
    '--no-verify',
    '--template',
    '--config',
    '--output',
    '--ext-diff',
  ],
  ...[
    '--textconv',
    '--open-files-in-pager',
    '--show-signature',
    '--no-index',
    '--exec-path',
    '--remote',
    '--filters',
  ],
]

const HARMLESS_GLOBALS: ReadonlySet<string> = new Set([
  ...['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs', '--no-replace-objects'],
])

export function judgeGit(args: readonly ShellWord[]): Verdict {
  const rest = [...args]
  let goes: string | undefined
  for (let first = rest[0]; first !== undefined; first = rest[0]) {
    const { value } = first
    if (value === undefined) return { changes: '', unclear: `gopi cannot tell what \`git ${first.text}\` is` }
    if (!value.startsWith('-')) break
    rest.shift()
    if (value === '--version') return {}
    if (value === '-C') {
      const directory = rest.shift()?.value
      if (directory === undefined) return { changes: '', unclear: 'gopi cannot tell where git is sent by -C' }
      goes = goes === undefined || directory.startsWith('/') ? directory : `${goes}/${directory}`
    } else if (!HARMLESS_GLOBALS.has(value))
      return { changes: '', unclear: `\`git ${value}\` can make git run another program` }
  }
  const [first, ...words] = rest
  if (first?.value === undefined) return {}
  return { ...judgeSubcommand(first.value, words), ...(goes !== undefined && { goes }) }
}

function judgeSubcommand(name: string, words: readonly ShellWord[]): Verdict {
  const call = `git ${name}`
  const hard = hardClass(name, words)
  if (hard !== undefined) return { changes: hard, hard }
  const running = runningOption(name, words)
  if (running !== undefined) return { changes: running, unclear: running }
  const reading = Object.hasOwn(READING, name) ? READING[name] : undefined
  if (reading) {
    const options = readOptions(words, reading)
    if (typeof options !== 'string' && isReading(options.operands, reading.where)) {
      const formats = ['format', 'pretty'].map(key => options.given.get(key) ?? '')
      if (!formats.some(format => format.includes('%G')))
        return { reads: options.operands.map(({ value = '' }) => value), here: true }
    }
    const option = typeof options === 'string' ? ` ${options}` : ''
    return {
      changes: `\`${call}${option}\` is not known to only read`,
      ...(LOCAL.has(name) ? remoteTalk(words) : {}),
    }
  }
  if (LOCAL.has(name)) return { changes: `${call} changes the repository`, ...remoteTalk(words) }
  if (REMOTE.has(name)) return { changes: `${call} talks to another machine`, named: 2 }
  return { changes: '', unclear: `\`${call}\` is no command of git that gopi knows` }
}

function isReading(operands: readonly ShellWord[], where?: (words: string[]) => boolean): boolean {
  return (
    operands.every(({ value }) => value !== undefined) &&
    (where?.(operands.map(({ value = '' }) => value)) ?? true)
  )
}

/** `git remote show`, `update`, `prune` ask the other machine. */
const remoteTalk = (words: readonly ShellWord[]): Pick<Verdict, 'named'> =>
  /^(show|update|prune)$/.test(words.find(({ value }) => !value?.startsWith('-'))?.value ?? '')
    ? { named: 3 }
    : {}

function runningOption(name: string, words: readonly ShellWord[]): string | undefined {
  for (const { value, text } of words) {
    if (value === undefined) {
      if (/^["$]/.test(text) || /^\W/.test(text)) return `gopi cannot tell what \`git ${name} ${text}\` does`
      continue
    }
    if (/^[\w+]+::/.test(value)) return `\`${value}\` makes git run another program`
    const option = value.replace(/=[\s\S]*/, '')
    const isLong = option.length > 3 && RUNNING.some(known => known.startsWith(option))
    const short = {
      commit: 'n',
      rebase: 'x',
      grep: 'O',
      diff: 'O',
      log: 'O',
      show: 'O',
      clone: 'uc',
      fetch: 'u',
    }[name]
    const isShort =
      short !== undefined && new RegExp(`^-[A-Za-z]*?[${short}]`).test(option) && !/^-[mCcF]/.test(option)
    if (isLong || isShort)
      return `\`git ${name} ${option}\` runs another program, writes a file or leaves checks out`
  }
  return undefined
}

function hardClass(name: string, words: readonly ShellWord[]): string | undefined {
  const values = words.map(({ value, text }) => value ?? text)
  const has = (pattern: RegExp) => values.some(value => pattern.test(value))
  switch (name) {
    case 'push':
      return has(/^(--forc|--mir|--del|--prun|-[a-zA-Z]*[fd]|\+|:.)/)
        ? '`git push` overwrites or deletes what others have'
        : undefined
    case 'reset':
      return has(/^--har/) ? '`git reset --hard` throws changes away' : undefined
    case 'clean':
      return has(/^(-[a-zA-Z]*f|--forc)/) && has(/^-[a-zA-Z]*[dxX]/)
        ? '`git clean` deletes files that git does not know'
        : undefined
    default:
      return undefined
  }
}
