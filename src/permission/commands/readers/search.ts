/** Programs that search in files. A search of everything comes by secrets too, so that it is said what it looks at. */
import { names, type Reader } from './reader.ts'

/** No secret is called like that. */
const ENDING =
  '(?:[cm]?[jt]sx?|json|md|mdx|py|pyi|go|rs|java|kt|kts|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|html?|s?css|sql|vue|svelte|txt|xml|proto|lua|dart|exs?|toml|ya?ml|lock|mk|cmake|gradle|graphql|ini|cfg|snap|log|csv)'
/** Source files by their endings, or by the names that everybody knows. */
const PLAIN_FILES = new RegExp(
  `^(\\*\\*\\/|[\\w.-]+\\/|[\\w.-]+\\/\\*\\*\\/)*\\*?[\\w-]*(?:\\.[\\w-]+)*\\.(\\{${ENDING}(?:,${ENDING})*\\}|${ENDING})$|^(\\*\\*\\/)?(Makefile|Dockerfile|LICENSE|README\\*?|CHANGELOG\\*?)$`,
)

const values = (given: ReadonlyMap<string, string>, ...options: string[]): string[] =>
  options.flatMap(option => given.get(option)?.split('\0') ?? [])

const grep: Reader = {
  flags: 'EFGPivwxcLloqshHnbzaIrRUTy',
  valued: 'emABCfd',
  long: names(
    `ignore-case invert-match word-regexp line-regexp count files-with-matches quiet files-without-match only-matching
    line-number with-filename no-filename recursive dereference-recursive extended-regexp fixed-strings perl-regexp null
    text no-messages color silent`,
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
      (included.length > 0 && included.every(glob => PLAIN_FILES.test(glob)) && !isFollowing)
    )
      return undefined
    return isFollowing ? 'files and links' : 'files'
  },
}

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
    // A glob also finds what is hidden, as .env is.
    unsafe: given =>
      values(given, 'g', 'glob', 'iglob').find(glob => !/^!/.test(glob) && !PLAIN_FILES.test(glob)),
  },
}
