/** Rules that a person could set, as they stand in config.yaml: of a command, of a file. */
import { groupOf } from '../rules/match.ts'
import type { Rule } from '../rules/rule.ts'
import type { Part } from './judge/judged.ts'
import type { PermissionFacts, Question } from './permission.ts'

/** A trailing slash: the files that lie right in it. Saved rules hold in every project, so the path is whole. */
export function pathRule(tool: string, file: string, { home }: PermissionFacts['base']): string | undefined {
  if (/[*?[\]{}()\p{Cc}]|^\s|\s$/u.test(file)) return undefined
  const short = file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
  return `${tool}(${short.endsWith('/') ? `${short}*` : short})`
}

export function commandRule(
  { words, assignments }: Part,
  { until, rules }: { until: keyof Question['rules']; rules: readonly Rule[] },
): string | undefined {
  // What is set before a program may make it another one.
  if (assignments > 0) return undefined
  const named = prefixLength(words)
  const exact = words.every(isSayable) ? `${groupOf('run')}(${words.join(' ')})` : undefined
  const open = named > 0 ? `${groupOf('run')}(${words.slice(0, named).join(' ')}:*)` : undefined
  const rule = until === 'always' ? (open ?? exact) : (exact ?? open)
  return rules.some(({ text }) => text === rule) ? undefined : rule
}

/** A word that a rule's pattern can hold and means only itself. */
export const isSayable = (word: string | undefined): boolean =>
  word !== undefined && /^[^\s*()\p{Cc}]+$/u.test(word)

/**
 * Calls that run again and again with other arguments, and whose first words say what they do: the project's own tests
 * and scripts, checkers, `git add` and `git commit`.
 */
const REPEATED: Readonly<Record<string, readonly string[]>> = {
  npm: ['test', 'run *'],
  pnpm: ['test', 'run *'],
  yarn: ['test', 'run *'],
  bun: ['test', 'run *'],
  cargo: ['build', 'check', 'clippy', 'test'],
  go: ['build', 'test', 'vet'],
  git: ['add', 'commit'],
  ...Object.fromEntries(
    ['pytest', 'tsc', 'eslint', 'jest', 'vitest', 'mypy', 'ruff', 'biome', 'prettier'].map(name => [
      name,
      [''],
    ]),
  ),
}

/** How many words of a repeated call say what it is; 0: it is none. */
function prefixLength(words: readonly (string | undefined)[]): number {
  const [program = '', ...args] = words
  const call = (Object.hasOwn(REPEATED, program) ? REPEATED[program] : undefined)?.find(text =>
    text
      .split(' ')
      .every((want, n) => want === '' || args[n] === want || (want === '*' && isSayable(args[n]))),
  )
  return call === undefined ? 0 : 1 + call.split(' ').filter(word => word !== '').length
}
