/**
 * The calls of git that only read, by subcommand and options. That they run nothing besides is what the environment of
 * commands and a look at the repository see to.
 */
import type { OptionList, Options } from '../options.ts'
import { names } from './reader.ts'

export interface ReadingCall extends OptionList {
  /** Which operands it may have, of these words; default any. */
  where?(operands: string[], given: Options['given'], words: readonly string[]): boolean
}

const PATCH: OptionList = {
  flags: 'psuwbzqRatiEFP',
  valued: 'nSGL',
  attached: 'UMCDBlX',
  numbers: true,
  long: names(
    `abbrev stat dirstat branches tags remotes pretty format oneline graph decorate no-decorate all stat shortstat numstat dirstat compact-summary name-only name-status patch no-patch cached staged merges no-merges first-parent reverse abbrev-commit follow color no-color word-diff color-words summary raw full-index ignore-all-space ignore-space-change ignore-blank-lines minimal histogram patience find-renames no-renames check quiet exit-code merge-base topo-order date-order no-ext-diff no-textconv pickaxe-all pickaxe-regex function-context unified branches tags remotes boundary cherry-pick left-right cherry simplify-by-decoration no-walk root relative text patch-with-stat`,
  ),
  longValued: names(
    `since until after before author committer grep max-count skip date color decorate abbrev diff-filter unified stat word-diff format pretty branches tags remotes diff-algorithm relative inter-hunk-context src-prefix dst-prefix find-renames encoding`,
  ),
}

const plain = (words: readonly string[]) => words.filter(word => !word.startsWith('-'))

/** Subcommands that only read with these options (and those that `where` agrees to). */
export const READING: Readonly<Record<string, ReadingCall>> = {
  status: {
    flags: 'sbvz',
    attached: 'u',
    long: names(
      'short branch porcelain long verbose show-stash ignored untracked-files column ahead-behind no-renames',
    ),
    longValued: names('porcelain untracked-files ignored column'),
  },
  log: PATCH,
  show: PATCH,
  diff: PATCH,
  whatchanged: PATCH,
  'diff-tree': { ...PATCH, flags: 'prtcmszR', long: [...(PATCH.long ?? []), 'no-commit-id'] },
  cherry: { flags: 'v', long: ['abbrev'] },
  shortlog: { ...PATCH, flags: 'nsecw', valued: '' },
  'rev-list': { ...PATCH, long: [...(PATCH.long ?? []), 'count', 'objects', 'left-only', 'right-only'] },
  reflog: { ...PATCH, where: ([first]) => !/^(expire|delete|drop|write)$/.test(first ?? '') },
  blame: {
    flags: 'lsewcbtnfp',
    valued: 'L',
    attached: 'CM',
    long: names('porcelain line-porcelain show-email show-name show-number root abbrev'),
    longValued: names('date abbrev since'),
  },
  'rev-parse': {
    flags: 'q',
    long: names(
      `show-toplevel abbrev-ref short verify is-inside-work-tree git-dir show-prefix show-cdup is-bare-repository symbolic-full-name git-common-dir absolute-git-dir quiet all symbolic`,
    ),
    longValued: names('short abbrev-ref'),
  },
  'ls-files': {
    flags: 'cdmosiuktvz',
    valued: 'x',
    long: names(
      `cached deleted modified others stage unmerged killed exclude-standard full-name error-unmatch directory eol deduplicate`,
    ),
    longValued: ['exclude'],
  },
  'ls-tree': {
    flags: 'rdtlz',
    long: names('name-only name-status full-name full-tree long abbrev'),
    longValued: names('abbrev format'),
  },
  'cat-file': { flags: 'ptse' },
  describe: {
    long: names('tags all always dirty long contains exact-match first-parent abbrev'),
    longValued: names('abbrev match exclude candidates'),
  },
  'show-ref': { flags: 'dqs', long: names('head heads branches tags verify hash dereference') },
  'show-branch': { flags: 'ar', long: names('all remotes list sha1-name') },
  'for-each-ref': { longValued: names('format sort count points-at contains merged no-merged') },
  'merge-base': { flags: 'a', long: names('all is-ancestor octopus fork-point') },
  'name-rev': { long: names('tags name-only always') },
  'count-objects': { flags: 'vH', long: names('verbose human-readable') },
  'check-ignore': { flags: 'qvnz', long: names('verbose non-matching no-index quiet') },
  grep: {
    flags: 'aIiwvhHEPFGnlLcpWqor',
    valued: 'eABCm',
    long: names(
      `cached line-number ignore-case word-regexp files-with-matches name-only count extended-regexp fixed-strings perl-regexp heading break show-function function-context only-matching no-color color and or not all-match column`,
    ),
    longValued: names('max-depth context color max-count'),
  },
  branch: {
    flags: 'avr',
    long: names('list all remotes verbose show-current no-color color'),
    longValued: names('contains no-contains merged no-merged sort format points-at'),
    where: (words, given) => words.length === 0 || given.has('list'),
  },
  tag: {
    flags: 'ln',
    long: names('list no-color'),
    longValued: names('sort format contains merged no-merged points-at'),
    where: (words, given) => words.length === 0 || given.has('l') || given.has('list'),
  },
  remote: {
    flags: 'v',
    long: names('verbose all push'),
    where: ([first]) => first === undefined || first === 'get-url',
  },
  // What begins with an option, or with --, may be `stash push`.
  // For show, git takes the words that are no options out before it looks for values: none may be one.
  stash: {
    ...PATCH,
    where: (operands, _given, words) =>
      words[0] === 'list' || (words[0] === 'show' && plain(operands).length === plain(words).length),
  },
  worktree: { flags: 'v', long: names('porcelain verbose'), where: ([first]) => first === 'list' },
  // Names and settings; not credentials and headers. Writing takes a second operand.
  config: {
    // What stands behind a name is its new value, whatever it looks like.
    ordered: true,
    long: names('get get-all global local show-origin show-scope'),
    where: words =>
      words.length === 1 &&
      /^(user\.(name|email)|(core|init|pull|push|branch|merge|rebase|fetch|diff)\.[\w.-]+|remote\.[\w-]+\.url)$/i.test(
        words[0] ?? '',
      ),
  },
  version: { long: ['build-options'] },
}
