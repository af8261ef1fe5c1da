/**
 * Wider and wider rules for a call that asks, for a person to choose how much they mean: this call, such calls, the whole
 * program; this file, its folder, the project. Like the narrow ones they are offered only where `decide` lets the call run
 * with them. Pure.
 */
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import { groupOf } from '../rules/match.ts'
import type { Part } from './judge/judged.ts'
import type { PermissionFacts, Subject } from './permission.ts'
import { commandRule, isSayable, pathRule } from './rule-texts.ts'

const allEdits = `${groupOf('write')}(*)`

type Facts = Omit<PermissionFacts, 'subjects'>

export const isAllEdits = (rules: readonly string[]): boolean => rules.join() === allEdits

/** The rules of a step, from 1 on; undefined: something of the call cannot be said in them. */
export function widerRules({ subjects, ...facts }: PermissionFacts, step: 1 | 2): string[] | undefined {
  const found = subjects.map(subject => rulesFor(subject, facts, step))
  return found.every(rules => rules !== undefined) ? found.flat() : undefined
}

function rulesFor(subject: Subject, facts: Facts, step: 1 | 2): string[] | undefined {
  switch (subject.type) {
    case 'other':
    case 'host':
      return undefined
    case 'file':
      return fileRule(subject, facts, step)
    case 'command': {
      const { parts, writes, outside, unclear } = subject.judged
      if (unclear.length > 0 || outside.length > 0) return undefined
      const asking = parts.filter(({ verdict }) => verdict.changes !== undefined)
      const rules = asking.map(part => partRule(part, facts, step))
      const files = writes.map(file => pathRule(groupOf('write'), file, facts.base))
      const all = [...rules, ...files]
      return all.every(rule => rule !== undefined) ? all : undefined
    }
  }
}

function fileRule(
  { doing, target }: Extract<Subject, { type: 'file' }>,
  { base }: Facts,
  step: 1 | 2,
): string[] | undefined {
  if (step === 2) return doing === 'write' && isInside(target, base.cwd) ? [allEdits] : undefined
  const rule = pathRule(groupOf(doing), `${path.dirname(target)}/`, base)
  return rule === undefined ? undefined : [rule]
}

/** What runs is in their arguments: a rule for the whole program would say nothing. */
const RUNNERS =
  /^(\w*sh|fish|eval|exec|source|\.|python[\d.]*|node|deno|bun|ruby|perl|php|lua|tclsh|osascript|sudo|doas|su|ssh|env|xargs|make)$/

function partRule(part: Part, { rules }: Facts, step: 1 | 2): string | undefined {
  const narrow = commandRule(part, { until: 'session', rules: rules.allow })
  const { words, assignments } = part
  const [program, first] = words
  if (assignments > 0 || !isSayable(program)) return narrow
  const isWord = isSayable(first) && /^[a-z][\w:.-]*$/i.test(first ?? '')
  if (step === 2 && !RUNNERS.test(path.basename(program ?? ''))) return `${groupOf('run')}(${program}:*)`
  const repeated = commandRule(part, { until: 'always', rules: rules.allow })
  if (repeated?.endsWith(':*)')) return repeated
  return isWord && words.length > 1 ? `${groupOf('run')}(${program} ${first}:*)` : narrow
}
