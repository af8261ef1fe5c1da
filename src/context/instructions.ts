/**
 * The user's standing instructions: AGENTS.md (or CLAUDE.md) of gopi's home, then of every directory from the git
 * root down to the session's. Over 16 KB together, the farthest is cut first.
 */
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'

const maxBytes = 16_384
const fileNames = ['AGENTS.md', 'CLAUDE.md']

export interface Instructions {
  /** Farthest first. */
  texts: string[]
  /** The files that were read. */
  files: string[]
  /** Files of the folder that were left out because it is not trusted. */
  ignored: string[]
  /** Files that were cut, or left out, to fit. */
  cut: string[]
}

export async function readInstructions(options: {
  home: string
  cwd: string
  trusted: boolean
}): Promise<Instructions> {
  const own = firstOf(options.home)
  const theirs = projectDirectories(options.cwd)
    .map(firstOf)
    .filter(file => file !== undefined)
  const files = [...(own ? [own] : []), ...(options.trusted ? theirs : [])]
  const found: { file: string; text: string }[] = []
  for (const file of files) {
    const text = (await readText(file)).trim()
    if (text !== '') found.push({ file, text })
  }
  return { ...fit(found), ignored: options.trusted ? [] : theirs }
}

/** From the git root (the nearest parent with a `.git`) down to the directory; without one, the directory alone. */
export function projectDirectories(cwd: string): string[] {
  const up: string[] = []
  for (let directory = cwd; ; directory = path.dirname(directory)) {
    up.unshift(directory)
    if (existsSync(path.join(directory, '.git'))) return up
    if (path.dirname(directory) === directory) return [cwd]
  }
}

const firstOf = (directory: string): string | undefined =>
  fileNames.map(name => path.join(directory, name)).find(file => existsSync(file))

/** A file that cannot be read, or is none (a pipe would be waited for), says nothing. */
async function readText(file: string): Promise<string> {
  try {
    return (await stat(file)).isFile() ? await readFile(file, 'utf8') : ''
  } catch {
    return ''
  }
}

function fit(
  found: readonly { file: string; text: string }[],
): Pick<Instructions, 'texts' | 'files' | 'cut'> {
  const texts: string[] = []
  const files: string[] = []
  const cut: string[] = []
  let left = maxBytes
  for (const { file, text } of found.toReversed()) {
    const bytes = Buffer.from(text)
    if (bytes.length > left) cut.push(file)
    if (left <= 0) continue
    const kept = bytes.length > left ? `${bytes.subarray(0, left).toString().replace(/�$/, '')}\n[cut]` : text
    left -= bytes.length
    texts.unshift(kept)
    files.unshift(file)
  }
  return { texts, files, cut }
}
