/** What Tab offers for a path: the entries of one directory, wherever it is. */
import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { sanitize } from '../../text/sanitize.ts'
import type { CompletionItem } from './completion.ts'

export interface PathPlaces {
  /** What relative paths start from. */
  cwd: string
  /** What `~/` means. */
  home: string
}

/** More are not looked through by anybody. */
const MOST = 200

/**
 * The paths that begin like `typed` (as it is in the prompt, with its backslashes), in the order of their names;
 * directories end in a slash. Hidden ones are offered when their dot was typed, and case counts only if that finds
 * something. A directory that cannot be read offers nothing.
 */
export async function pathItems(typed: string, places: PathPlaces): Promise<CompletionItem[]> {
  const wanted = typed.replaceAll(/\\(.)/g, '$1')
  if (wanted === '~') return [{ value: '~/', places: [0], goesOn: true }]
  const start = wanted.lastIndexOf('/') + 1
  const [parent, name] = [wanted.slice(0, start), wanted.slice(start)]
  const directory = directoryOf(parent, places)
  const entries = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => [])
  const known = entries.filter(entry => isOffered(entry.name, name))
  const exact = known.filter(entry => entry.name.startsWith(name))
  const found = exact.length > 0 ? exact : known.filter(entry => startsAlike(entry.name, name))
  const shown = found.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST)
  return Promise.all(
    shown.map(async entry => {
      const goesOn = await isDirectory(entry, directory)
      const value = `${parent}${entry.name}${goesOn ? '/' : ''}`
      return { value, places: Array.from({ length: wanted.length }, (_, at) => at), goesOn }
    }),
  )
}

/** What all of them begin with. */
export function commonStart(items: readonly CompletionItem[]): string {
  const [first = '', ...others] = items.map(({ value }) => value)
  let end = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, end))) end--
  // Not within a character of two units.
  return /[\ud800-\udbff]$/.test(first.slice(0, end)) ? first.slice(0, end - 1) : first.slice(0, end)
}

function directoryOf(parent: string, { cwd, home }: PathPlaces): string {
  return parent.startsWith('~/') ? path.join(home, parent.slice(2)) : path.resolve(cwd, parent)
}

function isOffered(name: string, typed: string): boolean {
  return (typed.startsWith('.') || !name.startsWith('.')) && sanitize(name) === name && !/[\n\t]/.test(name)
}

const startsAlike = (name: string, typed: string): boolean =>
  name.toLowerCase().startsWith(typed.toLowerCase())

async function isDirectory(entry: Dirent, directory: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  return stat(path.join(directory, entry.name)).then(
    stats => stats.isDirectory(),
    () => false,
  )
}
