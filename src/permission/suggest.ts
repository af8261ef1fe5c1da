/**
 * The rules that a person who is asked could set, as they stand in config.yaml: the narrowest with which such a call runs
 * without asking, and wider ones. Whether they do what they promise is not guessed: they are offered only when `decide`
 * allows the call with them. Pure.
 */
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import { groupOf } from '../rules/match.ts'
import { parseRule, type Rule } from '../rules/rule.ts'
import { decide, speakingFor } from './decide.ts'
import type { Part } from './judge/judged.ts'
import { partsOf } from './nature.ts'
import type { PermissionCall, PermissionFacts, Question, Step, Subject } from './permission.ts'

/**
 * How much a rule means: this call; this call for ever, and where that comes back with other arguments, all of them; calls
 * that begin like it, files of its folder; the whole program, every edit in the project.
 */
type Reach = keyof Question['rules'] | 'such' | 'all'

const ALL_EDITS = `${groupOf('write')}(*)`

/** `facts`: those of a decision to ask. */
export function questionAbout(call: PermissionCall, facts: PermissionFacts): Question {
  const session = offered(call, facts, 'session')
  const always = offered(call, facts, 'always')
  const { by } = decide(call, facts)
  const isFixed = by === 'hard' || (by === 'protected' && session.length === 0)
  const parts = facts.subjects.flatMap(subject =>
    subject.type === 'command' ? partsOf(subject.judged, part => asks(part, call, facts)) : [],
  )
  return {
    hard: isFixed,
    rules: { session, always },
    wider: isFixed || session.length === 0 ? [] : steps(call, facts, session),
    touches: touched(facts),
    ...(parts.length > 0 && { parts }),
  }
}

/** No rule speaks for this part. */
const asks = (part: Part, { tool }: PermissionCall, { rules, base }: PermissionFacts): boolean =>
  part.verdict.changes !== undefined &&
  (part.verdict.unclear !== undefined || speakingFor(part, rules.allow, { tool, base }) === undefined)

/** From the narrowest rules on, each with more calls than the one before. */
function steps(call: PermissionCall, facts: PermissionFacts, narrowest: string[]): Step[] {
  const found = [narrowest]
  for (const reach of ['such', 'all'] as const) {
    const rules = offered(call, facts, reach)
    if (rules.length > 0 && !found.some(known => known.join() === rules.join())) found.push(rules)
  }
  return found.map(rules => ({
    rules,
    earlier: [],
    ...(rules.join() === ALL_EDITS && { edits: true as const }),
  }))
}

function offered(call: PermissionCall, facts: PermissionFacts, reach: Reach): string[] {
  const found = facts.subjects.map(subject => rulesFor(subject, call.tool, { ...facts, reach }))
  if (!found.every(rules => rules !== undefined)) return []
  const rules = [...new Set(found.flat())]
  return letsRun(call, facts, rules) ? rules : []
}

/** Whether the call runs without asking once these rules hold. */
export function letsRun(call: PermissionCall, facts: PermissionFacts, texts: readonly string[]): boolean {
  const rules = texts.map(text => parseRule(text))
  if (rules.length === 0 || !rules.every(rule => rule !== undefined)) return false
  const withThem = { ...facts, rules: { ...facts.rules, allow: [...facts.rules.allow, ...rules] } }
  return decide(call, withThem).decision === 'allow'
}

/** undefined: something of the call cannot be said by a rule. */
function rulesFor(
  subject: Subject,
  tool: string,
  { base, rules, reach }: Omit<PermissionFacts, 'subjects'> & { reach: Reach },
): string[] | undefined {
  switch (subject.type) {
    case 'other':
      if (subject.what === 'none') return []
      // Nobody knows what it touches: not for ever.
      return subject.what === 'changed' || reach !== 'session' ? undefined : [tool]
    case 'host':
      return isSayable(subject.host) && isNarrow(reach) ? [`${tool}(${subject.host})`] : undefined
    case 'file': {
      const rule = fileRule(subject, base, reach)
      return rule === undefined ? undefined : [rule]
    }
    case 'command': {
      const { parts, writes, outside, unclear } = subject.judged
      if (unclear.length > 0 || (outside.length > 0 && !isNarrow(reach))) return undefined
      const asking = parts.filter(({ verdict }) => verdict.changes !== undefined)
      const found = [
        ...asking.map(part => commandRule(part, rules.allow, reach)),
        ...[...writes, ...outside].map(file => pathRule(groupOf('write'), file, base)),
      ]
      return found.every(rule => rule !== undefined) ? found : undefined
    }
    default:
      return undefined
  }
}

const isNarrow = (reach: Reach): boolean => reach === 'session' || reach === 'always'

function fileRule(
  { doing, target }: Extract<Subject, { type: 'file' }>,
  base: PermissionFacts['base'],
  reach: Reach,
): string | undefined {
  const folder = path.dirname(target)
  const isWrite = doing === 'write'
  if (reach === 'all') return isWrite && isInside(target, base.cwd) ? ALL_EDITS : undefined
  if (reach === 'such') return pathRule(groupOf(doing), `${folder}/`, base)
  // “Always” for an edit in a folder of the project means the files of that folder.
  const isForFolder = reach === 'always' && isWrite && isInside(folder, base.cwd) && folder !== base.cwd
  return pathRule(groupOf(doing), isForFolder ? `${folder}/` : target, base)
}

/** A trailing slash: the files that lie right in it. Saved rules hold in every project, so the path is whole. */
function pathRule(tool: string, file: string, { home }: PermissionFacts['base']): string | undefined {
  if (/[*?[\]{}()\p{Cc}]|^\s|\s$/u.test(file)) return undefined
  const short = file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
  return `${tool}(${short.endsWith('/') ? `${short}*` : short})`
}

function commandRule({ words, assignments }: Part, known: readonly Rule[], reach: Reach): string | undefined {
  // What is set before a program may make it another one.
  if (assignments > 0) return undefined
  const ruleFor = (text: string) => `${groupOf('run')}(${text})`
  const isNew = (rule: string | undefined) => !known.some(({ text }) => text === rule)
  const named = prefixLength(words)
  const exact = words.every(isSayable) ? ruleFor(words.join(' ')) : undefined
  const repeated = named > 0 ? ruleFor(`${words.slice(0, named).join(' ')}:*`) : undefined
  const narrow = reach === 'always' ? (repeated ?? exact) : (exact ?? repeated)
  const [program = '', first] = words
  if (!isNarrow(reach) && isSayable(program)) {
    if (reach === 'all' && !RUNNERS.test(path.basename(program))) return ruleFor(`${program}:*`)
    if (repeated && isNew(repeated)) return repeated
    if (isSayable(first) && /^[a-z][\w:.-]*$/i.test(first ?? '')) return ruleFor(`${program} ${first}:*`)
  }
  return isNew(narrow) ? narrow : undefined
}

/** What runs is in their arguments: a rule for the whole program would say nothing. */
const RUNNERS =
  /^(\w*sh|fish|eval|exec|source|\.|python[\d.]*|node|deno|bun|ruby|perl|php|lua|tclsh|osascript|sudo|doas|su|ssh|env|xargs|make)$/

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

const touched = ({ subjects }: PermissionFacts): string[] => [
  ...new Set(
    subjects.flatMap(subject => {
      if (subject.type === 'file') return [subject.target]
      return subject.type === 'command' ? subject.judged.touches : []
    }),
  ),
]
