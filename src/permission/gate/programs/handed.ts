/**
 * What is handed names of files by another program: `find … | xargs wc -l`, `find … -exec wc -l {} +`. The names are data,
 * so they are joined by NULs and stand behind a `--`.
 */
import { readOptions } from '../options.ts'
import { findsPlainFiles } from './find.ts'
import { names } from './reader.ts'
import { READERS, takesFiles } from './readers.ts'

/** Programs that say no more of a file than its name and its size. */
const COUNTING =
  /^(echo|wc|ls|stat|du|file|basename|dirname|realpath|readlink|md5sum|sha1sum|sha256sum|sha512sum|b2sum|cksum)$/
const NAMING = names('l L c q files-with-matches files-without-match count quiet')

/** Whether a program with these words shows what stands in the files that come behind them. */
export const showsFiles = (words: readonly string[]): boolean =>
  !COUNTING.test(words[0] ?? '') && !(/^[ef]?grep$/.test(words[0] ?? '') && has(words, NAMING))

/** Whether one of these options is given: not whether a word looks like it, for that may be the value of another. */
function has([name = '', ...words]: readonly string[], wanted: readonly string[]): boolean {
  const reader = READERS.get(name)
  const options = reader && readOptions(words, reader)
  return typeof options === 'object' && wanted.some(option => options.given.has(option))
}

/** Programs whose words may be followed by any text: they look at nothing. */
const isSaying = (name: string): boolean => /^(echo|basename|dirname)$/.test(name)

/** How a program that names files is told to put a NUL between them; undefined: it is not known as one. */
function joinedByNul([name = '', ...words]: readonly string[]): string[] | undefined {
  switch (name) {
    case 'find': {
      // In front of a test it prints what the test does not speak of.
      const all = /^-print0?$/.test(words.at(-1) ?? '') ? words.slice(0, -1) : words
      if (all.some(word => /^-(print0?|printf|ls|exec|quit)$/.test(word))) return undefined
      const start = all.findIndex(word => /^[(!]$|^-(?![LHP]$)/.test(word))
      const [starts, tests] = start < 0 ? [all, []] : [all.slice(0, start), all.slice(start)]
      return [name, ...starts, ...(tests.length > 0 ? ['(', ...tests, ')'] : []), '-print0']
    }
    case 'fd':
    case 'fdfind':
      return [name, '-0', ...words]
    case 'rg':
      return has([name, ...words], names('l files files-with-matches files-without-match'))
        ? [name, '-0', ...words]
        : undefined
    case 'grep':
      return has([name, ...words], names('l L files-with-matches files-without-match'))
        ? [name, '-Z', ...words]
        : undefined
    case 'git':
      // Those that say more than names; and `:/x` and its like, which are not looked for where the line is.
      return words[0] === 'ls-files' && !words.some(word => /^(-[a-z]*[stuvk]|--[sukev]|:)/.test(word))
        ? [name, 'ls-files', '-z', ...words.slice(1)]
        : undefined
    default:
      return undefined
  }
}

/** The same for what stands between: it drops and sorts names, and adds nothing to them. */
function passesNul([name = '', ...words]: readonly string[]): string[] | undefined {
  const flags = words.filter(word => word.startsWith('-') && word.length > 1)
  const harmless = {
    grep: /^-[ivEFwxPz]+$/,
    head: /^-(n?\d+|n|q)$/,
    tail: /^-(n?\+?\d+|n|q)$/,
    sort: /^-[rufVnh]+$/,
    uniq: /^-[ui]+$/,
  }
  const isHarmless = Object.hasOwn(harmless, name) && harmless[name as keyof typeof harmless]
  // With a file of its own it passes on what stands there.
  const texts = words.filter((word, n) => !flags.includes(word) && words[n - 1] !== '-n')
  const isFed = texts.length === (name === 'grep' ? 1 : 0)
  return isHarmless && isFed && flags.every(flag => isHarmless.test(flag))
    ? [name, '-z', ...words]
    : undefined
}

export interface Handed {
  /** The pipeline as it is to run. */
  pipeline: string[][]
  /** The program that gets the names, with its own words. */
  runs: string[]
  /** Whether those names are only of source files. */
  plain: boolean
}

/** A pipeline that ends in `xargs`. undefined: not understood. */
export function readXargs(pipeline: readonly (readonly string[])[]): Handed | undefined {
  const [, ...words] = pipeline.at(-1) ?? []
  const at = words.findIndex((word, n) => !word.startsWith('-') && !/^-[nLP]$/.test(words[n - 1] ?? ''))
  const own = at < 0 ? words : words.slice(0, at)
  const runs = at < 0 ? [] : words.slice(at)
  const [name = ''] = runs
  const options = readOptions(own, { flags: '0r', valued: 'nLP' })
  if (typeof options === 'string' || !takesFiles(name)) return undefined
  // A `--` may be the value of an option, so that a name could be one.
  if (name === 'tail' || name === 'rg' || runs.includes('--')) return undefined
  if (isSaying(name)) return { pipeline: [...pipeline.map(one => [...one])], runs, plain: true }
  const [source = [], ...between] = pipeline.slice(0, -1)
  const joined = [joinedByNul(source), ...between.map(passesNul)]
  if (!joined.every(one => one !== undefined)) return undefined
  const last = ['xargs', ...(options.given.has('0') ? own : ['-0', ...own]), ...runs, '--']
  return { pipeline: [...joined, last], runs, plain: source[0] === 'find' && findsPlainFiles(source) }
}
