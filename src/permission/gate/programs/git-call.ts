/** A call of git that only reads. */
import { said } from '../../../words/sayings/said.ts'
import type { Reading } from '../../judge/judged.ts'
import { type Options, readOptions } from '../options.ts'
import { READING, type ReadingCall } from './git.ts'
import { names } from './reader.ts'

export interface GitCall extends Reading {
  /** It shows what stands in files that it does not name. `bounded`: it can be told to leave some out. */
  shows?: 'bounded' | 'all'
}

const HARMLESS_GLOBALS: ReadonlySet<string> = new Set(
  '--no-pager -P --no-optional-locks --no-replace-objects'.split(' '),
)

/**
 * What stands between `git` and its command, the word at `at`: the directory that it goes to. `odd`: the word there is none,
 * and may do anything. Undefined words are not known.
 */
export function readGlobals(words: readonly (string | undefined)[]) {
  let goes: string | undefined
  let at = 0
  for (let word = words[at]; word?.startsWith('-'); word = words[++at]) {
    if (HARMLESS_GLOBALS.has(word)) continue
    const directory = word === '-C' ? words[++at] : undefined
    if (directory === undefined) return { goes, at, odd: true }
    goes = goes === undefined || directory.startsWith('/') ? directory : `${goes}/${directory}`
  }
  return { goes, at, odd: false }
}

/** `words`: what stands after `git`. undefined: no call that is known to only read. */
export function readGit(words: readonly string[]): GitCall | undefined {
  const { goes, at, odd } = readGlobals(words)
  const [name, ...args] = words.slice(at)
  const call = name !== undefined && Object.hasOwn(READING, name) ? READING[name] : undefined
  if (odd || name === undefined || call === undefined) return undefined
  const options = readOptions(args, call)
  const read = typeof options === 'string' ? ` ${options}` : readingOf(args, call, options)
  if (typeof read === 'string')
    return { changes: said('permission.not_only_reads', { what: `\`git ${name}${read}\`` }) }
  const shows = typeof options === 'string' ? undefined : showing(name, options)
  return { reads: read, here: true, ...(goes !== undefined && { goes }), ...(shows && { shows }) }
}

const PATCHES = names(
  'p u U W c L patch unified word-diff color-words function-context patch-with-stat check text',
)
const NUMBERS = names(
  's stat shortstat numstat dirstat name-only name-status no-patch summary quiet raw compact-summary',
)
const NAMES = names('l L c q files-with-matches name-only count')

/** An object by its number: a file of any name, for all that is known. */
const NUMBER = /^[0-9a-f]{4,64}(?![\w/.-])/

/** Whether it shows contents at all. What walks the history cannot leave files out: that would leave out commits. */
function showing(name: string, { given, operands }: Options): GitCall['shows'] {
  const has = (options: readonly string[]) => options.some(option => given.has(option))
  const isOdd = operands.some(word => NUMBER.test(word) || (name !== 'show' && /^[^:].*:/.test(word)))
  const patches = has(PATCHES)
  switch (name) {
    case 'grep':
    case 'show':
    case 'diff':
    case 'whatchanged':
    case 'diff-tree': {
      const isShown = name === 'grep' ? !has(NAMES) : patches || (name !== 'diff-tree' && !has(NUMBERS))
      // Of a tree that is named so, the paths are other ones.
      return !isShown ? undefined : isOdd ? 'all' : 'bounded'
    }
    case 'log':
    case 'reflog':
      return patches ? 'all' : undefined
    case 'stash':
      return patches || operands[0] === 'show' ? 'all' : undefined
    case 'status':
      return given.has('v') || given.has('verbose') ? 'all' : undefined
    case 'cat-file':
      return given.has('p') || operands[0] === 'blob' ? 'all' : undefined
  }
  return undefined
}

/** What a reading call reads, or the option that makes it no such call. */
function readingOf(
  words: readonly string[],
  call: ReadingCall,
  { operands, given }: Options,
): string[] | string {
  if (call.where?.(operands, given, words) === false) return ''
  // Names of a format that run gpg.
  const format = [...given].find(
    ([name, value]) => /^(format|pretty|sort)$/.test(name) && /%G|signature/.test(value),
  )
  if (format) return ` --${format[0]}=${format[1]}`
  // `HEAD:x`, `:(glob)x` and `-L1,5:x` are about the file x.
  const inside = [...operands, ...(given.get('L')?.split('\0') ?? [])].flatMap(value =>
    // HEAD@{12:00}:x holds more colons than one.
    [...value.matchAll(/:/g)].flatMap(
      ({ index }) => /^(?:\([^)]*\)|[!^/]+)?(.+)$/.exec(value.slice(index + 1))?.[1] ?? [],
    ),
  )
  // Quoted or not, git takes them as patterns, and `*.env` for .env too.
  return [...operands, ...inside].flatMap(value => {
    const bare = value.replaceAll(/[*?]+|\[[^\]]*\]/g, '')
    return bare === value ? [value] : [value, bare]
  })
}
