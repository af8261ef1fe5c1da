/**
 * Puts what was found in order: hard denials, rules that deny, what always asks, rules that ask, rules that allow, and the
 * mode as the last step. Pure.
 */
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import type { Said } from '../protocol/sayings.ts'
import {
  type Base,
  matchesHost,
  matchesPath,
  matchesWords,
  namedWords,
  speaksOf,
  speaksOfAll,
} from '../rules/match.ts'
import type { Rule } from '../rules/rule.ts'
import { said } from '../words/sayings/said.ts'
import { inEnglish } from '../words/sayings/told.ts'
import { powersIn } from './commands/powers.ts'
import { readGlobals } from './gate/programs/git-call.ts'
import type { Judged, Part } from './judge/judged.ts'
import { natureOf } from './nature.ts'
import type { Decision, PermissionCall, PermissionFacts, Subject } from './permission.ts'
import { type Reason, reasonOf, together } from './reasons.ts'
import { whereToRun } from './where.ts'

type Facts = Omit<PermissionFacts, 'subjects'> & { tool: string }
type Of<Type extends Subject['type']> = Extract<Subject, { type: Type }>
/** A decision whose reason is not worded yet. */
interface Ruling extends Pick<Decision, 'decision' | 'by' | 'rule'> {
  why: Said
}

/** The strictest of what is decided about each access. */
export function decide({ tool }: PermissionCall, { subjects, ...facts }: PermissionFacts): Decision {
  const rulings = subjects.map(subject => ruleOn(subject, { ...facts, tool }))
  const ruling = rulings.reduce((strictest, one) => (rank(one) > rank(strictest) ? one : strictest))
  const why = inEnglish({ ...ruling.why, facts: readableFacts(ruling.why.facts) })
  return { ...ruling, ...whereToRun(ruling), why: { ...why, message: readable(why.message) } }
}

/** What a rule allows weighs most: who allows a secret to be shown has to have meant all that is touched. */
const RANKS = ['allow rule', 'allow', 'ask mode', 'ask rule', 'ask protected', 'ask hard', 'deny']
function rank({ decision, by }: Ruling): number {
  const exact = RANKS.indexOf(`${decision} ${by}`)
  return exact < 0 ? RANKS.indexOf(decision) : exact
}

/** In mode plan nothing that changes something is even asked about. */
function ruleOn(subject: Subject, facts: Facts): Ruling {
  const ruling = ruleIn(subject, facts)
  if (facts.mode !== 'plan' || ruling.decision !== 'ask' || onlyReads(subject)) return ruling
  return { decision: 'deny', by: 'mode', why: said('permission.plan', { why: ruling.why }) }
}

/** A reason is a sentence: of an endless word both ends are enough. The person sees the whole command beside it. */
const readable = (why: string): string =>
  why.length > 400 ? `${why.slice(0, 300)} … ${why.slice(-80)}` : why

const readableFacts = (facts: Said['facts']): Said['facts'] =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => {
      if (typeof fact === 'string') return [name, readable(fact)]
      const isSaid = typeof fact === 'object' && 'facts' in fact
      return [name, isSaid ? { ...fact, facts: readableFacts(fact.facts) } : fact]
    }),
  )

function ruleIn(subject: Subject, facts: Facts): Ruling {
  switch (subject.type) {
    case 'command':
      return onCommand(subject.judged, facts)
    case 'file':
      return onFile(subject, facts)
    case 'host':
      return onHost(subject, facts)
    case 'task':
      return onName(subject.agent, said('permission.task', { agent: subject.agent }), facts)
    case 'sending':
      return { decision: 'ask', by: 'hard', why: said('permission.sends', {}) }
    case 'named':
      return onName(subject.name, said('permission.only_reads', { tool: facts.tool }), facts)
    case 'other':
      return onOther(subject, facts)
  }
}

/** A line that passed the gate, a file that is read, a tool that touches nothing. */
export function onlyReads(subject: Subject): boolean {
  if (subject.type === 'file') return subject.doing === 'read'
  if (subject.type === 'named') return true
  if (subject.type !== 'command') return subject.type === 'other' && subject.what === 'none'
  return subject.judged.line !== undefined
}

const isReading = ({ verdict }: Part): boolean => verdict.changes === undefined

const byMode = (decision: Decision['decision'], why: Said): Ruling => ({ decision, by: 'mode', why })

function onFile(file: Of<'file'>, { tool, mode, rules, base }: Facts): Ruling {
  const { target, doing } = file
  const touches = (rule: Rule) => speaksOf(rule, tool, doing) && matchesPath(rule.pattern, target, base)
  if (file.refused !== undefined) return { decision: 'deny', by: 'hard', why: file.refused }
  const denying = rules.deny.find(touches)
  if (denying) return byRule('deny', denying)
  if (file.protected !== undefined) return { decision: 'ask', by: 'protected', why: file.protected }
  const asking = rules.ask.find(touches)
  if (asking) return byRule('ask', asking)
  const allowing = rules.allow.find(touches)
  if (allowing && mode !== 'plan') return byRule('allow', allowing)
  if (doing === 'read')
    return file.outside && mode !== 'yolo' && !allowing
      ? byMode('ask', said('permission.reads_outside', { file: target }))
      : byMode('allow', said('permission.only_reads', { tool }))
  if (file.outside) return byMode('ask', said('permission.writes_outside', { file: target }))
  switch (mode) {
    case 'yolo':
      return byMode('allow', said('permission.yolo', {}))
    case 'auto-edit':
      return byMode('allow', said('permission.auto_edit', {}))
    case 'plan':
      return byMode('deny', said('permission.plan_tool', { tool }))
    case 'ask':
      return byMode('ask', said('permission.ask_change', {}))
  }
}

function onHost({ host }: Of<'host'>, { tool, mode, rules }: Facts): Ruling {
  const name = host.replace(/:\d+$/, '')
  const speaks = (rule: Rule) => speaksOf(rule, tool)
  // Who forbids a host means all its ports.
  const against = forbidden(
    rules,
    rule => speaks(rule) && [host, name].some(one => matchesHost(rule.pattern, one)),
  )
  if (against) return against
  const allowing = rules.allow.find(rule => speaks(rule) && matchesHost(rule.pattern, host))
  if (allowing && mode !== 'plan') return byRule('allow', allowing)
  return mode === 'yolo'
    ? byMode('allow', said('permission.yolo', {}))
    : byMode('ask', said('permission.ask_host', { tool, host }))
}

/** What an agent does is judged by itself, and what the kit brings is there to be used: nothing but a rule speaks against it. */
function onName(name: string, why: Said, { tool, rules }: Facts): Ruling {
  const concerns = (rule: Rule) => speaksOf(rule, tool) && matchesHost(rule.pattern, name)
  return forbidden(rules, concerns) ?? byMode('allow', why)
}

function onOther({ what }: Of<'other'>, { tool, mode, rules }: Facts): Ruling {
  const speaks = (rule: Rule) => speaksOf(rule, tool)
  const against = forbidden(rules, speaks)
  if (against) return against
  if (what === 'changed' && mode !== 'yolo')
    return { decision: 'ask', by: 'protected', why: said('permission.tool_changed', { tool }) }
  const allowing = rules.allow.find(rule => speaks(rule) && rule.pattern === undefined)
  if (allowing && mode !== 'plan') return byRule('allow', allowing)
  if (what === 'none') return byMode('allow', said('permission.only_reads', { tool }))
  if (what === 'unnamed') return byMode('ask', said('permission.unnamed', { tool }))
  if (mode === 'yolo') return byMode('allow', said('permission.yolo', {}))
  return byMode('ask', said('permission.ask_tool', { mode, tool }))
}

/** A rule that denies or asks. */
function forbidden({ deny, ask }: Facts['rules'], concerns: (rule: Rule) => boolean): Ruling | undefined {
  const denying = deny.find(concerns)
  if (denying) return byRule('deny', denying)
  const asking = ask.find(concerns)
  return asking && byRule('ask', asking)
}

function onCommand(judged: Judged, facts: Facts): Ruling {
  const { tool, mode, rules, base } = facts
  const [refused] = judged.refused
  if (refused !== undefined) return { decision: 'deny', by: 'hard', why: refused }
  const denying = rules.deny.find(rule => forbids(rule, judged, { tool, base }))
  if (denying) return byRule('deny', denying)
  const dangers = dangersOf(judged, { rules, base })
  if (dangers !== undefined)
    return { decision: 'ask', by: judged.hard.length > 0 ? 'hard' : 'protected', why: dangers }
  const asking = rules.ask.find(rule => forbids(rule, judged, { tool, base }))
  if (asking) return byRule('ask', asking)
  const forbidding = [...rules.deny, ...rules.ask]
  const mentioned = forbidding.find(rule => judged.mentions.some(words => names(rule, words, tool)))
  if (mentioned) {
    const { text } = mentioned
    return { decision: 'ask', by: 'rule', why: said('permission.rule_mentioned', { rule: text }), rule: text }
  }
  const hidden = together(judged.hidden)
  const unchecked = forbidding.find(rule => speaksOf(rule, tool, 'run'))
  if (hidden !== undefined && unchecked) {
    const why = said('permission.rule_unchecked', { why: hidden, rule: unchecked.text })
    return { decision: 'ask', by: 'rule', why }
  }
  return mode === 'yolo' ? byMode('allow', said('permission.yolo', {})) : allowed(judged, facts)
}

/** What asks whatever is allowed; a file that a danger names is not named once more. */
function dangersOf({ hard, protected: guarded, writes, outside }: Judged, { rules, base }: Outside) {
  const dangers = [...hard, ...guarded]
  const isNamed = (file: string) => dangers.some(({ facts }) => Object.values(facts).includes(file))
  const written = [...writes.filter(file => !isInside(file, base.cwd)), ...outside].filter(
    file => !isNamed(file) && !rules.allow.some(rule => allowsWrite(rule, file, base)),
  )
  return together([...dangers, ...written.map(file => said('permission.writes_outside', { file }))])
}

type Outside = Pick<Facts, 'rules' | 'base'>

/** Whether every part, and every file that is written, is spoken for. */
function allowed(judged: Judged, { tool, mode, rules, base }: Facts): Ruling {
  const { parts, writes, unclear, line, odd } = judged
  const used: Rule[] = []
  const asking: Reason[] = []
  for (const part of parts) {
    const { changes } = part.verdict
    if (changes === undefined) continue
    const speaking = speakingFor(part, rules.allow, { tool, base })
    if (!speaking || mode === 'plan' || part.verdict.unclear !== undefined)
      asking.push({ part, why: part.verdict.unclear ?? changes })
    else used.push(...speaking)
  }
  asking.push(...unclear.map(why => ({ why })))
  for (const file of writes) {
    const rule = rules.allow.find(candidate => allowsWrite(candidate, file, base))
    if (mode === 'plan' || (mode !== 'auto-edit' && !rule))
      asking.push({ why: said('permission.redirect_writes', { file }) })
    if (rule) used.push(rule)
  }
  const [first] = used
  if (asking.length === 0 && first) return byRule('allow', first)
  // What nobody speaks for runs only where it is understood in full.
  if (asking.length === 0 && line === undefined && (odd || writes.length === 0))
    asking.push({ why: said('permission.not_understood', {}) })
  const why = reasonOf(asking, parts.length)
  if (why === undefined)
    return byMode('allow', said(`permission.${writes.length > 0 ? 'auto_edit' : 'line_only_reads'}`, {}))
  if (mode === 'plan') return byMode('ask', why)
  const goesOut = parts.some(part => natureOf(part) === 'network')
  return byMode('ask', said('permission.ask_command', { mode, why, ...(goesOut && { goesOut }) }))
}

interface Where {
  tool: string
  base: Base
}

/**
 * The rules that let a part run. What it reads outside the project they have to name: by a rule for exactly this call, or
 * one for reading each file.
 */
export function speakingFor(part: Part, rules: readonly Rule[], { tool, base }: Where): Rule[] | undefined {
  const rule = rules.find(candidate => allows(candidate, part, tool))
  const { outside } = part.verdict
  if (!outside) return rule && [rule]
  if (rule && namedWords(rule.pattern) === Number.POSITIVE_INFINITY) return [rule]
  const reading = outside.map(file =>
    rules.find(candidate => speaksOfAll(candidate, 'read') && matchesPath(candidate.pattern, file, base)),
  )
  return reading.every(found => found !== undefined) ? reading : undefined
}

function allows(rule: Rule, { words, assignments, verdict }: Part, tool: string): boolean {
  return (
    speaksOf(rule, tool, 'run') &&
    matchesWords(rule.pattern, words) &&
    matchesWords(rule.pattern, words.map(straight)) &&
    (verdict.named === undefined || namedWords(rule.pattern) >= verdict.named) &&
    namesPowers(rule, { words, assignments })
  )
}

/** Whether a rule means the options of a call that make it do more than it seems to: who allows all calls does, but for those of git. */
function namesPowers(
  { pattern }: Rule,
  { words, assignments }: Pick<Part, 'words' | 'assignments'>,
): boolean {
  if (pattern === undefined || (namedWords(pattern) === 0 && words[assignments] !== 'git')) return true
  const wanted = pattern.trim().split(/\s+/)
  return powersIn(words.slice(assignments)).every(n => {
    const [option = ''] = /^(-+[^=*]+|[^=*]+)/.exec(wanted[n + assignments] ?? '') ?? []
    return (
      option !== '' && option !== ':' && words[n + assignments]?.startsWith(option.replace(/:$/, '')) === true
    )
  })
}

const allowsWrite = (rule: Rule, file: string, base: Base): boolean =>
  speaksOfAll(rule, 'write') && matchesPath(rule.pattern, file, base)

/** Whether a rule that denies or asks concerns any part, whatever stands before it and however its program is written. */
function forbids(rule: Rule, judged: Judged, { tool, base }: Where): boolean {
  if (speaksOf(rule, tool, 'run')) {
    if (rule.pattern === undefined) return true
    return judged.parts.some(
      ({ words, assignments }) =>
        matchesWords(rule.pattern, words) || names(rule, words.slice(assignments), tool),
    )
  }
  if (speaksOfAll(rule, 'read') && judged.reads.some(file => matchesPath(rule.pattern, file, base)))
    return true
  if (!speaksOfAll(rule, 'write')) return false
  const files = judged.parts.every(isReading) ? judged.writes : [...judged.writes, ...judged.reads]
  return files.some(file => matchesPath(rule.pattern, file, base))
}

/** `scripts/../x` is x: a star in a rule does not lead out of the directory before it. */
const straight = (word: string | undefined): string | undefined =>
  word !== undefined && /(^|\/)\.\.(\/|$)/.test(word) ? path.posix.normalize(word) : word

/** Whether a rule speaks of a command, however its program is written. */
function names(rule: Rule, words: readonly (string | undefined)[], tool: string): boolean {
  const [program, ...all] = words
  const name = program === undefined ? undefined : path.basename(program)
  // What git is told about itself is no word of its command.
  const args = name === 'git' ? all.slice(readGlobals(all).at) : all
  return (
    speaksOf(rule, tool, 'run') &&
    [words, words.map(straight), [name, ...args], [name?.toLowerCase(), ...args.map(straight)]].some(form =>
      matchesWords(rule.pattern, form),
    )
  )
}

function byRule(decision: Decision['decision'], { text }: Rule): Ruling {
  const verb = { allow: 'rule_allows', ask: 'rule_asks', deny: 'rule_denies' } as const
  return { decision, by: 'rule', why: said(`permission.${verb[decision]}`, { rule: text }), rule: text }
}
