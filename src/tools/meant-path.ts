/**
 * A path that leads nowhere, and the one that a model meant by it: in quotes, with a line number, with the `a/` of a diff, from
 * another root, or a file's bare name. It is mended only where exactly one fits.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openIgnored } from './ignored.ts'
import { showPath } from './path.ts'

/**
 * `files`: one that is there. `places`: also a directory. `targets`: one that is there, or a new one whose name nobody could
 * have meant as it was written.
 */
export type Mends = 'files' | 'places' | 'targets'

/** Entries looked at for a file's name; when there are more, nothing is certain. */
const maxLookedAt = 5000
/** Ways of writing a path wrongly that are undone one after the other. */
const maxDepth = 4

/** The path as the tools show it; undefined where `given` is as good as any. */
export function meantPath(given: string, cwd: string, mends: Mends): string | undefined {
  if (given === '' || given.includes('\0') || /^(\\\\|\/\/)/.test(given)) return undefined
  if (kindAt(given, cwd) !== undefined) return undefined
  const forms = formsOf(given, cwd)
  const fitting = new Map<string, string>()
  for (const { text } of forms) {
    const kind = kindAt(text, cwd)
    if (kind === 'file' || (kind === 'directory' && mends === 'places')) fitting.set(realAt(text, cwd), text)
  }
  if (fitting.size === 1) return shown([...fitting.values()][0]!, cwd)
  if (fitting.size > 1) return undefined
  if (mends === 'targets') {
    const clean = forms.findLast(({ onlyCleaned }) => onlyCleaned)
    return clean && shown(clean.text, cwd)
  }
  return mends === 'files' ? bySuffix(forms.map(({ text }) => text).concat(given), cwd) : undefined
}

interface Form {
  text: string
  /** Nothing but what no name has was taken off: quotes, blanks at the ends, a scheme. */
  onlyCleaned: boolean
}

/** What `given` may have been meant as, by undoing one or more ways of writing it wrongly. */
function formsOf(given: string, cwd: string): Form[] {
  const forms: Form[] = []
  const seen = new Set([given])
  let last: Form[] = [{ text: given, onlyCleaned: true }]
  for (let depth = 0; depth < maxDepth && last.length > 0; depth++) {
    const next: Form[] = []
    for (const { text, onlyCleaned } of last) {
      const add = (changed: string, cleans = false) => {
        if (changed === '' || changed === '.' || seen.has(changed)) return
        seen.add(changed)
        next.push({ text: changed, onlyCleaned: onlyCleaned && cleans })
      }
      for (const changed of cleanings(text)) add(changed, true)
      for (const changed of others(text, cwd)) add(changed)
    }
    forms.push(...next)
    last = next
  }
  return forms
}

function cleanings(text: string): string[] {
  const bare = /^(["'`\u201c\u2018<*]+)(.+?)(["'`\u201d\u2019>*]+)$/s.exec(text.trim())
  return [text.trim(), ...(bare ? [bare[2]!] : []), ...fromUrl(text)]
}

function others(text: string, cwd: string): string[] {
  const forms = [
    text.replace(/(?:[:#](?:L|line )?\d+(?:[-:,]L?\d+)*|\(\d+(?:,\s*\d+)?\)|[:,;.])$/i, ''),
    text.replace(/^@/, ''),
    text.replace(/^[ab]\//, ''),
  ]
  if (text.includes('\\')) forms.push(text.replace(/\\+/g, '/'))
  const project = path.basename(cwd)
  for (const root of [`${project}/`, `/${project}/`, '/workspace/', '/app/', '/project/', '/repo/'])
    if (text.startsWith(root)) forms.push(text.slice(root.length))
  if (text.startsWith('/')) forms.push(text.replace(/^\/+/, ''))
  if (text.includes('%')) forms.push(decoded(text))
  return forms
}

function fromUrl(text: string): string[] {
  if (!text.startsWith('file:')) return []
  try {
    return [fileURLToPath(text)]
  } catch {
    return [text.replace(/^file:\/*/, '')]
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const absoluteOf = (given: string, cwd: string): string =>
  path.resolve(cwd, given === '~' || given.startsWith('~/') ? path.join(homedir(), given.slice(1)) : given)

function shown(text: string, cwd: string): string {
  return showPath(absoluteOf(text, cwd), cwd)
}

function kindAt(given: string, cwd: string): 'file' | 'directory' | undefined {
  try {
    const stats = statSync(absoluteOf(given, cwd), { throwIfNoEntry: false })
    return stats && (stats.isDirectory() ? 'directory' : 'file')
  } catch {
    return undefined
  }
}

function realAt(given: string, cwd: string): string {
  try {
    return realpathSync(absoluteOf(given, cwd))
  } catch {
    return given
  }
}

/** The one file of the project whose path ends with what was given; undefined: none, several, or too many to know. */
function bySuffix(forms: readonly string[], cwd: string): string | undefined {
  const suffixes = forms
    .filter(form => !path.isAbsolute(form) && !/[\x00-\x1f]/.test(form) && !form.startsWith('..'))
    .map(form => `/${form.replace(/^\.\//, '')}`)
  const ignored = openIgnored(cwd, cwd)
  const directories = [cwd]
  const found: string[] = []
  let lookedAt = 0
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    for (const entry of entriesOf(directory)) {
      if (++lookedAt > maxLookedAt) return undefined
      if (ignored.has(directory, entry.name, entry.isDirectory())) continue
      const file = path.join(directory, entry.name)
      if (entry.isDirectory()) directories.push(file)
      else if (entry.isFile() && suffixes.some(suffix => showAll(file, cwd).endsWith(suffix)))
        found.push(file)
      if (found.length > 1) return undefined
    }
  }
  const [file] = found
  return file === undefined ? undefined : showPath(file, cwd)
}

const showAll = (file: string, cwd: string): string => `/${showPath(file, cwd)}`

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}
