/** What permission rules match. */
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import type { Rule } from './rule.ts'

/** What of a call a rule may speak of, whichever tool does it: `Read`, `Edit` and `Bash` are groups. */
export type Doing = 'read' | 'write' | 'run'
const GROUPS: Readonly<Record<Doing, string>> = { read: 'Read', write: 'Edit', run: 'Bash' }

/** The name of the group, as a rule says it. */
export const groupOf = (doing: Doing): string => GROUPS[doing]

/** Whether a rule speaks of all calls that do this. */
export const speaksOfAll = (rule: Rule, doing: Doing): boolean => names(rule, GROUPS[doing])

/** Whether a rule speaks of a tool at all, by its name or by what it does. */
export const speaksOf = (rule: Rule, tool: string, doing?: Doing): boolean =>
  names(rule, tool) || (doing !== undefined && speaksOfAll(rule, doing))

/** `mcp__git` means all tools of that server. */
function names({ tool: wanted }: Rule, tool: string): boolean {
  const name = tool.toLowerCase()
  if (wanted.endsWith('*')) return name.startsWith(wanted.slice(0, -1))
  return name === wanted || (/^mcp__/.test(wanted) && name.startsWith(`${wanted}__`))
}

/**
 * Whether a rule's words match a command's: `w w:*` and `w w *` are these words and then the end or anything, without
 * a star they are all. A star elsewhere stands for one word or part of one. `undefined` words are not known yet: only
 * the final star matches them.
 */
export function matchesWords(pattern: string | undefined, words: readonly (string | undefined)[]): boolean {
  if (pattern === undefined) return true
  const wanted = pattern.trim().replace(/:\*$/, ' *').split(/\s+/)
  const open = wanted.at(-1) === '*'
  if (open) wanted.pop()
  if (words.length < wanted.length || (!open && words.length !== wanted.length)) return false
  return wanted.every((want, n) => {
    const word = words[n]
    return word !== undefined && (word === want || (want.includes('*') && wildcard(want).test(word)))
  })
}

/** How many words a rule names before its star. */
export function namedWords(pattern: string | undefined): number {
  if (pattern === undefined) return 0
  const words = pattern.trim().replace(/:\*$/, ' *').split(/\s+/)
  const star = words.findIndex(word => word.includes('*'))
  return star < 0 ? Number.POSITIVE_INFINITY : star
}

const wildcard = (text: string) => new RegExp(`^${text.split('*').map(escapeRegExp).join('[\\s\\S]*')}$`)

const escapeRegExp = (text: string) => text.replace(/[\\^$+?.()|[\]{}]/g, '\\$&')

export interface Base {
  /** What patterns are relative to, a real path. */
  cwd: string
  home: string
}

/** Whether a rule's pattern matches a host; `*` stands for any part of it. */
export const matchesHost = (pattern: string | undefined, host: string): boolean =>
  pattern === undefined || wildcard(pattern.trim().toLowerCase()).test(host.toLowerCase())

/** Whether a rule's glob matches an absolute path. A directory matches what lies in it. */
export function matchesPath(pattern: string | undefined, target: string, { cwd, home }: Base): boolean {
  if (pattern === undefined) return true
  const glob = pattern.trim()
  if (glob === '*' || glob === '**') return isInside(target, cwd)
  const absolute = glob === '~' || glob.startsWith('~/') ? home + glob.slice(1) : path.resolve(cwd, glob)
  return globToRegExp(absolute).test(target)
}

/** `**` crosses directories, `*` and `?` do not; `{a,b}` is either. */
function globToRegExp(glob: string): RegExp {
  const source = glob
    .replace(/\/+$/, '')
    .replace(/\*\*\/|\/\*\*$|\*\*|\*|\?|\{[^{}]*\}|[\\^$+.()|[\]{}]/g, part => {
      if (part === '**/') return '(?:[^/]*/)*'
      if (part === '/**') return '(?:/.*)?'
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      if (part === '?') return '[^/]'
      if (part.startsWith('{') && part.length > 1)
        return `(?:${part.slice(1, -1).split(',').map(escapeRegExp).join('|')})`
      return `\\${part}`
    })
  // A pattern that ends in a plain name may name a directory: what lies in it is meant too.
  return new RegExp(`^${source}${/[*?]$/.test(glob) ? '' : '(?:/.*)?'}$`)
}
