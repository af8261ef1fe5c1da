/** What one command of literal words is known to do, by its program and its words. */
import path from 'node:path'
import { said } from '../../words/sayings/said.ts'
import type { Look } from '../look.ts'
import { readOptions } from './options.ts'
import { judgeAwk } from './programs/awk.ts'
import { findsPlainFiles, judgeFind } from './programs/find.ts'
import { type GitCall, readGit } from './programs/git-call.ts'
import { ANY_FILES, showsFiles } from './programs/handed.ts'
import { judgeJq } from './programs/jq.ts'
import type { Reader } from './programs/reader.ts'
import { READERS, saysVersion } from './programs/readers.ts'
import { judgeSed } from './programs/sed.ts'
import { judgeTest } from './programs/test.ts'
import type { Reading } from './reading.ts'

/** A call that has more files to leave out asks. */
const MOST_SPARED = 100

export interface Around {
  look: Look
  /** Whether it runs in the environment that calls which passed the gate get. */
  hardened: boolean
  /** The paths that a path as written may mean. */
  absolute(...written: string[]): string[]
}

/** `words`: the program by its bare name, then what it gets, to the letter. */
export function known(words: readonly string[], around: Around): Reading {
  const [name = '', ...args] = words
  if (saysVersion(name, args)) return name === 'npm' && hasNpmSettings(around) ? unknown(name) : {}
  switch (name) {
    case 'git': {
      const call = readGit(args)
      return call === undefined ? unknown(name) : inRepository(call, around)
    }
    case 'find':
      return find(args, around)
    case 'sed':
      return judgeSed(args)
    case 'awk':
    case 'gawk':
    case 'mawk':
      return judgeAwk(name, args)
    case 'test':
    case '[':
      return judgeTest(name, args)
    case 'printf':
      // With -v it sets a variable, and %n and %( are more than text.
      return args[0] === undefined || /^-|%[^%a-zA-Z]*[hjlLtz]*[n(]/.test(args[0]) ? unknown(name) : {}
    case 'command':
      return /^-[vV]$/.test(args[0] ?? '') && !args.slice(1).some(word => word.startsWith('-'))
        ? {}
        : unknown(name)
    case 'jq':
      return judgeJq(args)
  }
  const reader = READERS.get(name)
  return reader ? byReader(name, args, reader) : unknown(name)
}

/** npm reads the settings of the project before it says anything. */
function hasNpmSettings({ look, absolute }: Around): boolean {
  const upwards = (directory: string): string[] =>
    path.dirname(directory) === directory ? [directory] : [directory, ...upwards(path.dirname(directory))]
  return absolute('.').some(place =>
    upwards(look.real(place)).some(
      directory =>
        look.kind(`${directory}/.npmrc`) !== 'missing' &&
        look.kind(`${directory}/package.json`) !== 'missing',
    ),
  )
}

const unknown = (name: string): Reading => ({ changes: said('permission.unknown_reader', { name }) })

/** GNU looks for options behind the operands; to others these are more files. */
const PERMUTES = process.platform === 'linux'

function byReader(name: string, args: readonly string[], reader: Reader): Reading {
  if (reader.literal) return {}
  const not = (what: string): Reading => ({
    changes: said('permission.not_only_reads', { what: `\`${name} ${what}\`` }),
  })
  const options = readOptions(args, reader)
  if (typeof options === 'string') return not(options)
  const { given, operands } = options
  if (reader.most !== undefined && operands.length > reader.most)
    return { changes: said('permission.writes_second', { name }) }
  const odd = operands.find(operand => reader.operands === 'none' || reader.each?.test(operand) === false)
  const problem = odd ?? reader.unsafe?.(given)
  if (problem !== undefined) return not(problem)
  if (reader.operands === 'none' || reader.operands === 'text') return {}
  const { after, unless = [] } = reader.operands === 'paths' ? { after: 0 } : reader.operands
  const files = unless.some(option => given.has(option)) ? operands : operands.slice(after)
  const lists = (reader.paths ?? []).flatMap(option => given.get(option)?.split('\0') ?? [])
  const deep = reader.deep?.(given)
  return {
    reads: [...files, ...lists, ...(PERMUTES ? [] : options.late)],
    here: files.length === 0 && (reader.here === true || deep !== undefined),
    ...(deep !== undefined && { deep }),
    ...(reader.lists && { lists: true }),
  }
}

/** `find … -exec wc -l {} +` */
function find(args: readonly string[], around: Around): Reading {
  const { runs, ...reading } = judgeFind(args)
  const [name = ''] = runs ?? []
  if (runs === undefined || reading.changes !== undefined) return reading
  const inner = READERS.get(name) === undefined ? unknown(name) : known([...runs, ...ANY_FILES], around)
  if (inner.changes !== undefined || name === 'rg')
    return { changes: inner.changes ?? said('permission.runs_another', { what: '`find -exec`' }) }
  // It shows what stands in all that is found, links and all.
  if (!showsFiles(runs)) return reading
  return { ...reading, lists: false, deep: findsPlainFiles(args) ? 'links' : 'files and links' }
}

/** A call of git also runs what the configuration of the repository names. */
function inRepository(call: GitCall, { absolute, look, hardened }: Around): Reading {
  const { changes, reads = [], goes } = call
  if (changes !== undefined || !call.here) return call
  for (const place of absolute(goes ?? '.')) {
    const trouble = look.gitTrouble(look.real(place), hardened ? 'hardened' : undefined)
    if (trouble !== undefined) return { ...call, changes: said('permission.git_here', { why: trouble }) }
  }
  const shown: string[] = []
  if (call.shows !== undefined)
    for (const place of absolute(goes ?? '.')) {
      const secrets = look.trackedSecrets(look.real(place))
      if (secrets === undefined || secrets.length > MOST_SPARED)
        return { ...call, changes: said('permission.git_unreadable', {}) }
      shown.push(...secrets)
    }
  const files = reads.flatMap(file =>
    /[*?[]/.test(file)
      ? absolute(goes ?? '.').flatMap(place => look.glob(`${place}/${file}`) ?? [file])
      : file,
  )
  return {
    ...call,
    reads: [...files, ...(goes === undefined ? [] : [goes]), ...(call.shows === 'all' ? shown : [])],
    ...(call.shows === 'bounded' && { spares: new Set(shown) }),
  }
}
