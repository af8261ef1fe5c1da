/** What patterns, braces and `~` stand for. What comes out is what runs: bash expands nothing of it again. */
import path from 'node:path'
import type { Look } from '../look.ts'
import { type GateWord, holdsMark } from './scan.ts'

/** A line with more files than that is not for reading. */
const MOST_FILES = 4_000
const MOST_CHOICES = 64

/** `place`: the directory, where it is known. undefined: not understood. */
export function expand(
  word: GateWord,
  { home, look, place }: { home: string; look: Look; place: string | undefined },
): string[] | undefined {
  const found: string[] = []
  const choices = spread(word)
  for (const choice of choices ?? []) {
    const { value, bare } = fromHome(choice, home)
    if (/^~|[=:]~/.test(bare)) return undefined
    if (!/[*?[]/.test(bare)) {
      found.push(value)
      continue
    }
    const files = place === undefined ? undefined : filesOf({ value, bare }, place, look)
    if (files === undefined) return undefined
    // What looks like an option is none.
    found.push(...(files.length > 0 ? files.map(file => file.replace(/^-/, './-')) : [value]))
  }
  return choices === undefined || found.length > MOST_FILES ? undefined : found
}

function fromHome({ value, bare }: GateWord, home: string): GateWord {
  return bare === '~' || bare.startsWith('~/')
    ? { value: home + value.slice(1), bare: '\0'.repeat(home.length) + bare.slice(1) }
    : { value, bare }
}

/** `a{b,c}d`, without anything in quotes; several side by side, none in another. */
function spread(word: GateWord): GateWord[] | undefined {
  const { value, bare } = word
  if (!/\{/.test(bare) || !/\{[^{}]*(,|\.\.)/.test(value)) return [word]
  const [, before = '', inner, after = ''] = /^([^{}]*)\{([^{}\0]*,[^{}\0]*)\}([\s\S]*)$/.exec(bare) ?? []
  if (inner === undefined || inner.includes('..')) return undefined
  const rest = spread({ value: value.slice(value.length - after.length), bare: after })
  const head = value.slice(0, before.length)
  const all = inner
    .split(',')
    .flatMap(choice =>
      rest?.map(end => ({ value: head + choice + end.value, bare: before + choice + end.bare })),
    )
  return rest === undefined || all.length > MOST_CHOICES ? undefined : all.flatMap(one => one ?? [])
}

/** The files that a pattern stands for, as bash would name them; a `**` is a `*`. */
function filesOf({ value, bare }: GateWord, place: string, look: Look): string[] | undefined {
  let found = [value.startsWith('/') ? '/' : '']
  let at = 0
  for (const part of bare.split('/')) {
    const literal = value.slice(at, at + part.length)
    at += part.length + 1
    const isLast = at > bare.length
    if (part === '') continue
    const matches = /[*?[]/.test(part) ? patternOf(literal, part) : literal
    if (matches === undefined) return undefined
    const next: string[] = []
    for (const base of found) {
      const directory = path.isAbsolute(base) ? base : `${place}/${base}`
      const names = typeof matches === 'string' ? [matches] : look.names(directory)
      if (names === undefined || names.some(holdsMark)) return undefined
      for (const name of names) {
        if (typeof matches !== 'string' && !(matches.test(name) && (part[0] === '.' || name[0] !== '.')))
          continue
        const file = base === '' || base.endsWith('/') ? base + name : `${base}/${name}`
        const kind = look.kind(path.isAbsolute(file) ? file : `${place}/${file}`)
        if (isLast ? typeof matches !== 'string' || kind !== 'missing' : kind === 'directory') next.push(file)
      }
      if (next.length > MOST_FILES) return undefined
    }
    found = next
  }
  // `*/` is for directories only.
  const directories = bare.endsWith('/')
  return found
    .filter(
      file => !directories || look.kind(path.isAbsolute(file) ? file : `${place}/${file}`) === 'directory',
    )
    .map(file => (directories ? `${file}/` : file))
    .sort()
}

/** `literal` and `bare`: one part of a pattern. undefined: not understood. */
function patternOf(literal: string, bare: string): RegExp | undefined {
  let source = ''
  for (let n = 0; n < bare.length; n++) {
    const c = bare[n]
    if (c === '*') source += '.*'
    else if (c === '?') source += '.'
    else if (c === '[') {
      const [all, not = '', inner = ''] = /^\[([!^]?)([\w.,-]+)\]/.exec(bare.slice(n)) ?? []
      if (all === undefined && bare.includes(']', n)) return undefined
      source += all === undefined ? '\\[' : `[${not && '^'}${inner}]`
      n += (all?.length ?? 1) - 1
    } else source += (literal[n] ?? '').replace(/[\\^$+?.()|[\]{}*/-]/, '\\$&')
  }
  try {
    const pattern = source.replace(/(\.\*)+/g, '.*')
    // With many stars one name could take for ever.
    return pattern.split('.*').length > 5 ? undefined : new RegExp(`^${pattern}$`, 's')
  } catch {
    return undefined
  }
}
