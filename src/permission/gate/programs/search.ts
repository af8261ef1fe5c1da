/** Programs that search in files. A search of everything comes by secrets too, so that it is said what it looks at. */
import { names, type Reader } from './reader.ts'

/** Few secrets are called like that. */
const ENDING =
  '(?:[cm]?[jt]sx?|json|md|mdx|py|pyi|go|rs|java|kt|kts|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|html?|s?css|sql|vue|svelte|txt|xml|proto|lua|dart|exs?|toml|ya?ml|lock|mk|cmake|gradle|graphql|ini|cfg|snap|log|csv)'
/** Source files by their endings, or by the names that everybody knows. */
const PLAIN_FILES = new RegExp(
  `^(\\*\\*\\/|[\\w.-]+\\/|[\\w.-]+\\/\\*\\*\\/)*\\*?[\\w-]*(?:\\.[\\w-]+)*\\.(\\{${ENDING}(?:,${ENDING})*\\}|${ENDING})$|^(\\*\\*\\/)?(Makefile|Dockerfile|LICENSE|README\\*?|CHANGELOG\\*?)$`,
)

/** Whether no file with a name like that holds secrets. */
export const isSource = (glob: string): boolean =>
  PLAIN_FILES.test(glob) && !/json|toml|ya?ml|xml|txt|ini|cfg|php|csv|log|properties/.test(glob)

const values = (given: ReadonlyMap<string, string>, ...options: string[]): string[] =>
  options.flatMap(option => given.get(option)?.split('\0') ?? [])

/** What neither --include nor --exclude speaks of is searched where the first of them is an --exclude. */
const isNarrowed = (given: ReadonlyMap<string, string>): boolean =>
  [...given.keys()].find(option => /^(in|ex)clude$/.test(option)) === 'include'

const grep: Reader = {
  flags: 'EFGPivwxcLloqshHnbzaIrRUTy',
  valued: 'emABCfd',
  long: names(
    `ignore-case invert-match word-regexp line-regexp count files-with-matches quiet files-without-match only-matching
    line-number with-filename no-filename recursive dereference-recursive extended-regexp fixed-strings perl-regexp null
    text no-messages color colour silent`,
  ),
  longValued: names(
    `include exclude exclude-dir max-count context after-context before-context regexp color colour directories`,
  ),
  numbers: true,
  operands: { after: 1, unless: ['e', 'f', 'regexp'] },
  paths: ['f'],
  deep(given) {
    const isFollowing = given.has('R') || given.has('dereference-recursive')
    const isRecursive =
      isFollowing ||
      ['r', 'recursive'].some(option => given.has(option)) ||
      values(given, 'd', 'directories').some(value => 'recurse'.startsWith(value))
    const included = values(given, 'include')
    if (
      !isRecursive ||
      ['l', 'L', 'c', 'q', 'count', 'files-with-matches', 'files-without-match'].some(option =>
        given.has(option),
      ) ||
      (included.length > 0 && included.every(isSource) && !isFollowing && isNarrowed(given))
    )
      return undefined
    return isFollowing ? 'files and links' : 'files'
  },
}

/** Types of files that hold no secrets. */
const SOURCE =
  /^(ts|typescript|js|py|python|rust|go|java|kotlin|c|cpp|h|cs|csharp|ruby|swift|scala|css|html|md|markdown|lua|elixir|sql|vue|svelte|sh|make|cmake|proto|graphql)$/

/** They tell which files there are, not what stands in them. */
const NAMING = 'l c files files-with-matches files-without-match count count-matches q quiet'.split(' ')

export const search: Readonly<Record<string, Reader>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  // Not --pre and --hostname-bin (run programs), -z (runs decompressors), -f, -L (follows links), -u and --hidden (secrets).
  rg: {
    flags: 'iSsvwxcloqnNHIhF0pPUa',
    valued: 'egtTmABCrMdj',
    long: names(
      `ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count count-matches files
      files-with-matches files-without-match only-matching quiet line-number no-line-number with-filename no-filename
      no-heading heading fixed-strings multiline pcre2 json vimgrep column trim stats type-list no-messages
      multiline-dotall no-config`,
    ),
    longValued: names(
      `regexp glob iglob type type-not max-count after-context before-context context max-depth max-columns sort sortr
      color colors replace max-filesize engine threads`,
    ),
    operands: { after: 1, unless: ['e', 'regexp', 'files', 'type-list'] },
    here: true,
    deep(given) {
      const types = values(given, 't', 'type')
      const globs = values(given, 'g', 'glob', 'iglob').filter(glob => !glob.startsWith('!'))
      const isOfSource =
        types.length + globs.length > 0 && types.every(type => SOURCE.test(type)) && globs.every(isSource)
      const isNaming = !given.has('json') && NAMING.some(option => given.has(option))
      return given.has('type-list') || isNaming || isOfSource ? undefined : 'unless secret'
    },
    // A glob also finds what is hidden, as .env is.
    unsafe: given =>
      values(given, 'g', 'glob', 'iglob').find(glob => !/^!/.test(glob) && !PLAIN_FILES.test(glob)),
  },
}
