/** What one command of literal words is known to do, by its program and its words. */
import path from 'node:path'
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'
import type { Reading } from '../judge/judged.ts'
import type { Look } from '../look.ts'
import { findsPlainFiles, judgeFind } from './programs/find.ts'
import { type GitCall, readGit } from './programs/git-call.ts'
import { showsFiles } from './programs/handed.ts'
import { readBy } from './programs/reader.ts'
import { READERS, saysVersion, takesFiles } from './programs/readers.ts'

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
  }
  const reader = READERS.get(name)
  return reader ? readBy(name, args, reader) : unknown(name)
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

/** Names that may come: many, of any look. */
const ANY_FILES = ['x', '@x']

/** `find … -exec wc -l {} +` */
function find(args: readonly string[], around: Around): Reading {
  const { runs, ...reading } = judgeFind(args)
  if (runs === undefined || reading.changes !== undefined) return reading
  if (runs[0] === 'rg') return { changes: said('permission.runs_another', { what: '`find -exec`' }) }
  return knownHanded(runs, { named: reading, plain: findsPlainFiles(args) }, around)
}

/**
 * What a program is known to do that is handed the names of files behind its own words. `named`: where these come from;
 * `plain`: they are of source files only.
 */
export function knownHanded(
  runs: readonly string[],
  { named, plain }: { named: Reading; plain: boolean },
  around: Around,
): Reading {
  const [name = ''] = runs
  if (!takesFiles(name)) return unknown(name)
  // By themselves its words have to make sense: no name is the value of an option.
  const own = known(runs, around)
  const changes = own.changes ?? known([...runs, ...ANY_FILES], around).changes
  if (changes !== undefined) return { changes }
  const { reads = [], here = false } = named
  const all = [...reads, ...(own.reads ?? [])]
  if (!showsFiles(runs)) return { ...named, reads: all }
  // It shows what stands in all that is named, links and all; and a directory's name looks like any other.
  const isPlain = plain && own.deep === undefined
  return {
    ...named,
    reads: all,
    here: here || reads.length === 0,
    lists: false,
    deep: isPlain ? 'links' : 'files and links',
  }
}

/** A call of git also runs what the configuration of the repository names. */
export function repositoryRuns({ goes }: Reading, { absolute, look, hardened }: Around): Said | undefined {
  const [trouble] = absolute(goes ?? '.').flatMap(
    place => look.gitTrouble(look.real(place), hardened ? 'hardened' : undefined) ?? [],
  )
  return trouble && said('permission.git_here', { why: trouble })
}

function inRepository(call: GitCall, around: Around): Reading {
  const { reads = [], goes } = call
  const { absolute, look } = around
  if (call.changes !== undefined || !call.here) return call
  const changes = repositoryRuns(call, around)
  if (changes !== undefined) return { ...call, changes }
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
