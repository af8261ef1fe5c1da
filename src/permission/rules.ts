/** Rules `Tool(pattern)`: what they mean and what they match. */
import path from 'node:path'
import { isInside } from './paths.ts'

export interface Rule {
  /** As it was written. */
  text: string
  /** In lower case. */
  tool: string
  /** undefined: every call of the tool. */
  pattern: string | undefined
}

/** undefined: not a rule. */
export function parseRule(text: string): Rule | undefined {
  const [, tool, pattern] = /^\s*([\w-]+|\*)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text) ?? []
  return tool === undefined ? undefined : { text: text.trim(), tool: tool.toLowerCase(), pattern }
}

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  read: ['read', 'grep', 'find', 'ls', '@'],
  edit: ['edit', 'write'],
}

export const isBuiltIn = (tool: string): boolean =>
  tool === 'bash' || Object.values(GROUPS).flat().includes(tool)

/** Whether a rule speaks of a tool at all: `Read` covers read, grep, find, ls, @; `Edit` covers edit and write. */
export function speaksOf(rule: Rule, tool: string): boolean {
  return rule.tool === '*' || rule.tool === tool || (GROUPS[rule.tool]?.includes(tool) ?? false)
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
