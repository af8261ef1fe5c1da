/** What one command of literal words is known to do, by its program and its words. */
import path from 'node:path'
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'
import type { Reading } from '../judge/judged.ts'
import type { Look } from '../look.ts'
import { findsPlainFiles, judgeFind } from './programs/find.ts'
import { type GitCall, readGit } from './programs/git-call.ts'
import { ANY_FILES, showsFiles } from './programs/handed.ts'
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

/** `find … -exec wc -l {} +` */
function find(args: readonly string[], around: Around): Reading {
  const { runs, ...reading } = judgeFind(args)
  const [name = ''] = runs ?? []
  if (runs === undefined || reading.changes !== undefined) return reading
  const inner = takesFiles(name) ? known([...runs, ...ANY_FILES], around) : unknown(name)
  if (inner.changes !== undefined || name === 'rg')
    return { changes: inner.changes ?? said('permission.runs_another', { what: '`find -exec`' }) }
  // It shows what stands in all that is found, links and all.
  if (!showsFiles(runs)) return reading
  return { ...reading, lists: false, deep: findsPlainFiles(args) ? 'links' : 'files and links' }
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
