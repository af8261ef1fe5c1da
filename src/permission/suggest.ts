/**
 * The rules that a person who is asked could set: the narrowest with which such a call runs without asking. Whether they
 * do what they promise is not guessed: they are offered only when `decide` allows the call with them. Pure.
 */
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import { groupOf } from '../rules/match.ts'
import { parseRule } from '../rules/rule.ts'
import { decide, speakingFor } from './decide.ts'
import type { Part } from './judge/judged.ts'
import { partsOf } from './nature.ts'
import type { PermissionCall, PermissionFacts, Question, Step, Subject } from './permission.ts'
import { commandRule, isSayable, pathRule } from './rule-texts.ts'
import { isAllEdits, widerRules } from './widen.ts'

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
  for (const step of [1, 2] as const) {
    const rules = [...new Set(widerRules(facts, step))]
    const isNew = rules.length > 0 && !found.some(known => known.join() === rules.join())
    if (isNew && letsRun(call, facts, rules)) found.push(rules)
  }
  return found.map(rules => ({ rules, earlier: [], ...(isAllEdits(rules) && { edits: true as const }) }))
}

type Until = keyof Question['rules']

function offered(call: PermissionCall, facts: PermissionFacts, until: Until): string[] {
  const texts = candidates(call, facts, until)
  return texts && letsRun(call, facts, texts) ? [...new Set(texts)] : []
}

/** Whether the call runs without asking once these rules hold. */
export function letsRun(call: PermissionCall, facts: PermissionFacts, texts: readonly string[]): boolean {
  const rules = texts.map(text => parseRule(text))
  if (rules.length === 0 || !rules.every(rule => rule !== undefined)) return false
  const withThem = { ...facts, rules: { ...facts.rules, allow: [...facts.rules.allow, ...rules] } }
  return decide(call, withThem).decision === 'allow'
}

/** undefined: something of the call cannot be said by a rule. */
function candidates({ tool }: PermissionCall, facts: PermissionFacts, until: Until): string[] | undefined {
  const found = facts.subjects.map(subject => rulesFor(subject, tool, { ...facts, until }))
  return found.every(rules => rules !== undefined) ? found.flat() : undefined
}

function rulesFor(
  subject: Subject,
  tool: string,
  { base, rules, until }: Omit<PermissionFacts, 'subjects'> & { until: Until },
): string[] | undefined {
  switch (subject.type) {
    case 'sending':
      return undefined
    case 'other':
      if (subject.what === 'none') return []
      if (subject.what === 'changed') return undefined
      // Nobody knows what it touches: not for ever.
      return until === 'always' ? undefined : [tool]
    case 'host':
      return isSayable(subject.host) ? [`${tool}(${subject.host})`] : undefined
    case 'file': {
      const { doing, target } = subject
      const isForever = doing === 'write' && until === 'always'
      const rule = pathRule(groupOf(doing), isForever ? directoryOr(target, base) : target, base)
      return rule === undefined ? undefined : [rule]
    }
    case 'command': {
      const { parts, writes, outside, unclear } = subject.judged
      if (unclear.length > 0) return undefined
      const found = [
        ...parts
          .filter(({ verdict }) => verdict.changes !== undefined)
          .map(part => commandRule(part, { until, rules: rules.allow })),
        ...[...writes, ...outside].map(file => pathRule(groupOf('write'), file, base)),
      ]
      return found.every(rule => rule !== undefined) ? found : undefined
    }
  }
}

/** “Always” for an edit in a folder of the project means the files of that folder. */
function directoryOr(target: string, { cwd }: PermissionFacts['base']): string {
  const directory = path.dirname(target)
  return isInside(directory, cwd) && directory !== cwd ? `${directory}/` : target
}

const touched = ({ subjects }: PermissionFacts): string[] => [
  ...new Set(
    subjects.flatMap(subject => {
      if (subject.type === 'file') return [subject.target]
      return subject.type === 'command' ? subject.judged.touches : []
    }),
  ),
]
