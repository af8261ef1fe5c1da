/**
 * The user's standing instructions: AGENTS.md (or CLAUDE.md) of gopi's home, then of every directory from the git
 * root down to the session's, and what the configuration names. Of each 8 KB count; when they exceed 16 KB together, the
 * farthest is cut first.
 */
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { withoutHidden } from '../text/sanitize.ts'

const maxBytes = 16_384
const maxEach = 8_192
const fileNames = ['AGENTS.md', 'CLAUDE.md']

export interface Instructions {
  /** Farthest first. */
  texts: string[]
  /** The files that were read. */
  files: string[]
  /** Files of the folder that were left out because it is not trusted. */
  ignored: string[]
  /** Links in the places of such files, which are not read: what stands elsewhere tells nobody about this folder. */
  links: string[]
  /** Files that were cut, or left out, to fit. */
  cut: string[]
}

export interface InstructionFile {
  file: string
  text: string
}

export function readInstructions(options: {
  home: string
  cwd: string
  trusted: boolean
  /** Files that the configuration names: relative to `cwd`, or to the person's home with `~/`. */
  more?: readonly string[]
}): Instructions {
  // The person's own may be links, as those who keep such files in one place have them.
  const own = fileNames.map(name => path.join(options.home, name)).find(file => existsSync(file))
  const theirs = projectInstructions(options.cwd)
  const more = (options.more ?? []).map(name =>
    name.startsWith('~/') ? path.join(homedir(), name.slice(2)) : path.resolve(options.cwd, name),
  )
  const found = [
    ...(own === undefined ? [] : [{ file: own, text: readText(own) }]),
    ...more.map(file => ({ file, text: readText(file) })),
    ...(options.trusted ? theirs.found : []),
  ]
  const ignored = [...theirs.found.map(({ file }) => file), ...theirs.links]
  return {
    ...fit(found.filter(({ text }) => text !== '').map(one => ({ ...one, text: withoutHidden(one.text) }))),
    ignored: options.trusted ? [] : ignored,
    links: options.trusted ? theirs.links : [],
  }
}

/** What the files of a folder would tell the model, farthest first; and the links in their places. */
export function projectInstructions(cwd: string): { found: InstructionFile[]; links: string[] } {
  const found: InstructionFile[] = []
  const links: string[] = []
  for (const directory of projectDirectories(cwd)) {
    const there = fileNames.map(name => path.join(directory, name)).filter(isThere)
    const file = there.find(name => !isLink(name))
    if (file !== undefined) found.push({ file, text: readText(file) })
    else links.push(...there.slice(0, 1))
  }
  return { found, links }
}

/** From the git root (the nearest parent with a `.git`) down to the directory; without one, the directory alone. */
function projectDirectories(cwd: string): string[] {
  const up: string[] = []
  for (let directory = cwd; ; directory = path.dirname(directory)) {
    up.unshift(directory)
    if (existsSync(path.join(directory, '.git'))) return up
    if (path.dirname(directory) === directory) return [cwd]
  }
}

const isLink = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** A link that leads nowhere stands there too. */
const isThere = (file: string): boolean => existsSync(file) || isLink(file)

/** What cannot be read, or is not a regular file (a pipe would block), says nothing. */
function readText(file: string): string {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8').trim() : ''
  } catch {
    return ''
  }
}

function fit(found: readonly InstructionFile[]): Pick<Instructions, 'texts' | 'files' | 'cut'> {
  const texts: string[] = []
  const files: string[] = []
  const cut: string[] = []
  let left = maxBytes
  for (const { file, text } of found.toReversed()) {
    const bytes = Buffer.from(text)
    const room = Math.min(left, maxEach)
    if (bytes.length > room) cut.push(file)
    if (left <= 0) continue
    const kept =
      bytes.length > room
        ? `${bytes
            .subarray(0, room)
            .toString()
            .replace(/\ufffd$/, '')}\n[cut]`
        : text
    left -= Math.min(bytes.length, room)
    texts.unshift(kept)
    files.unshift(file)
  }
  return { texts, files, cut }
}
