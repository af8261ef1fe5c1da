/**
 * The rules that a person who is asked could set: the narrowest with which such a call runs without asking. Whether they
 * do what they promise is not guessed: they are offered only when `decide` allows the call with them. Pure.
 */
import path from 'node:path'
import { decide } from './decide.ts'
import { isInside } from './paths.ts'
import type { PermissionCall, PermissionFacts, Question } from './permission.ts'
import { isBuiltIn, parseRule, type Rule } from './rules.ts'

/** `facts`: those of a decision to ask. */
export function questionAbout(call: PermissionCall, facts: PermissionFacts): Question {
  const session = offered(call, facts, 'session')
  const always = offered(call, facts, 'always')
  const { by } = decide(call, facts)
  const isFixed = by === 'hard' || (by === 'protected' && session.length === 0)
  return { hard: isFixed, rules: { session, always }, touches: touched(facts) }
}

type Until = keyof Question['rules']

function offered(call: PermissionCall, facts: PermissionFacts, until: Until): string[] {
  const texts = candidates(call, facts, until)
  const rules = texts?.map(text => parseRule(text))
  if (!rules || rules.length === 0 || !rules.every(rule => rule !== undefined)) return []
  const withThem = { ...facts, rules: { ...facts.rules, allow: [...facts.rules.allow, ...rules] } }
  return decide(call, withThem).decision === 'allow' ? [...new Set(texts)] : []
}

/** undefined: something of the call cannot be said by a rule. */
function candidates(
  { tool, kind }: PermissionCall,
  { subject, base, rules }: PermissionFacts,
  until: Until,
): string[] | undefined {
  switch (subject.type) {
    case 'nothing':
      // Nobody knows what it touches; and a config file speaks of gopi's own tools only.
      return until === 'always' || isBuiltIn(tool) ? undefined : [tool]
    case 'file': {
      const group = kind === 'edit' ? 'Edit' : 'Read'
      const rule = pathRule(group, directoryOr(subject.target, { kind, until, base }), base)
      return rule === undefined ? undefined : [rule]
    }
    case 'command': {
      const { parts, writes, outside, unclear } = subject.judged
      if (unclear.length > 0) return undefined
      const found = [
        ...parts
          .filter(({ verdict }) => verdict.changes !== undefined)
          .map(part => commandRule(part, { until, rules: rules.allow })),
        ...[...writes, ...outside].map(file => pathRule('Edit', file, base)),
      ]
      return found.every(rule => rule !== undefined) ? found : undefined
    }
  }
}

/** “Always” for an edit in a folder of the project means the files of that folder. */
function directoryOr(
  target: string,
  { kind, until, base }: { kind: PermissionCall['kind']; until: Until; base: PermissionFacts['base'] },
): string {
  const directory = path.dirname(target)
  const isBelow = isInside(directory, base.cwd) && directory !== base.cwd
  return kind === 'edit' && until === 'always' && isBelow ? `${directory}/` : target
}

/** A trailing slash: the files that lie right in it. Saved rules hold in every project, so the path is whole. */
function pathRule(tool: string, file: string, { home }: PermissionFacts['base']): string | undefined {
  if (/[*?[\]{}()\p{Cc}]|^\s|\s$/u.test(file)) return undefined
  const short = file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
  return `${tool}(${short.endsWith('/') ? `${short}*` : short})`
}

type Part = Extract<PermissionFacts['subject'], { type: 'command' }>['judged']['parts'][number]

function commandRule(
  { words, assignments }: Part,
  { until, rules }: { until: Until; rules: readonly Rule[] },
): string | undefined {
  // What is set before a program may make it another one.
  if (assignments > 0) return undefined
  const named = prefixLength(words)
  const exact = words.every(isSayable) ? `Bash(${words.join(' ')})` : undefined
  const open = named > 0 ? `Bash(${words.slice(0, named).join(' ')}:*)` : undefined
  const rule = until === 'always' ? (open ?? exact) : (exact ?? open)
  return rules.some(({ text }) => text === rule) ? undefined : rule
}

/** A word that a rule's pattern can hold and means only itself. */
const isSayable = (word: string | undefined): boolean => word !== undefined && /^[^\s*()\p{Cc}]+$/u.test(word)

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

function touched({ subject }: PermissionFacts): string[] {
  switch (subject.type) {
    case 'nothing':
      return []
    case 'file':
      return [subject.target]
    case 'command':
      return [...new Set(subject.judged.touches)]
  }
}
