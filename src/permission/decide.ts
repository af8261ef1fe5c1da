/**
 * Puts what was found in order: hard denials, rules that deny, what always asks, rules that ask, rules that allow, and the
 * mode as the last step. Pure.
 */
import path from 'node:path'
import type { Judged, Part } from './judge/judged.ts'
import { isInside } from './paths.ts'
import type { Decision, PermissionCall, PermissionFacts } from './permission.ts'
import { type Base, matchesPath, matchesWords, namedWords, type Rule, speaksOf } from './rules.ts'

type File = Extract<PermissionFacts['subject'], { type: 'file' }>

/** In mode plan nothing that changes something is even asked about. */
export function decide(call: PermissionCall, facts: PermissionFacts): Decision {
  const decision = decideIn(call, facts)
  const why = readable(decision.why)
  if (facts.mode !== 'plan' || decision.decision !== 'ask' || onlyReads(call, facts))
    return { ...decision, why }
  return { decision: 'deny', by: 'mode', why: `mode plan changes nothing, and this may (${why})` }
}

/** A reason is a sentence: of an endless word both ends are enough. The person sees the whole command beside it. */
const readable = (why: string): string =>
  why.length > 400 ? `${why.slice(0, 300)} … ${why.slice(-80)}` : why

function decideIn(call: PermissionCall, facts: PermissionFacts): Decision {
  switch (facts.subject.type) {
    case 'command':
      return decideCommand(facts.subject.judged, facts)
    case 'file':
      return decideFile(call, facts.subject, facts)
    case 'nothing':
      return decideOther(call, facts)
  }
}

function onlyReads({ kind }: PermissionCall, { subject }: PermissionFacts): boolean {
  if (subject.type !== 'command') return kind === 'read'
  const { parts, writes, hard, unclear } = subject.judged
  return writes.length + hard.length + unclear.length === 0 && parts.every(isReading)
}

const isReading = ({ verdict }: Part): boolean => verdict.changes === undefined

function decideFile(call: PermissionCall, file: File, { mode, rules, base }: PermissionFacts): Decision {
  const { target } = file
  const touches = (rule: Rule) => speaksOf(rule, call.tool) && matchesPath(rule.pattern, target, base)
  if (file.refused !== undefined) return { decision: 'deny', by: 'hard', why: file.refused }
  const denying = rules.deny.find(touches)
  if (denying) return byRule('deny', denying)
  if (file.protected !== undefined) return { decision: 'ask', by: 'protected', why: file.protected }
  const asking = rules.ask.find(touches)
  if (asking) return byRule('ask', asking)
  const allowing = rules.allow.find(touches)
  if (allowing && mode !== 'plan') return byRule('allow', allowing)
  const by = 'mode'
  if (call.kind === 'read') {
    return file.outside && mode !== 'yolo' && !allowing
      ? { decision: 'ask', by, why: `reads outside the project: ${target}` }
      : { decision: 'allow', by, why: `${call.tool} only reads` }
  }
  if (file.outside) return { decision: 'ask', by, why: `writes outside the project: ${target}` }
  switch (mode) {
    case 'yolo':
      return { decision: 'allow', by, why: 'mode yolo runs everything' }
    case 'auto-edit':
      return { decision: 'allow', by, why: 'mode auto-edit edits files of the project' }
    case 'plan':
      return { decision: 'deny', by, why: `mode plan changes nothing, and ${call.tool} may` }
    case 'ask':
      return { decision: 'ask', by, why: 'mode ask asks before a change' }
  }
}

function decideOther({ tool, kind }: PermissionCall, { mode, rules }: PermissionFacts): Decision {
  const speaks = (rule: Rule) => speaksOf(rule, tool)
  const denying = rules.deny.find(speaks)
  if (denying) return byRule('deny', denying)
  const asking = rules.ask.find(speaks)
  if (asking) return byRule('ask', asking)
  const allowing = rules.allow.find(rule => speaks(rule) && rule.pattern === undefined)
  if (allowing && mode !== 'plan') return byRule('allow', allowing)
  const by = 'mode'
  if (kind === 'read') return { decision: 'allow', by, why: `${tool} only reads` }
  if (mode === 'yolo') return { decision: 'allow', by, why: 'mode yolo runs everything' }
  return { decision: 'ask', by, why: `mode ${mode} asks before ${tool}` }
}

function decideCommand(judged: Judged, facts: PermissionFacts): Decision {
  const { mode, rules, base } = facts
  const [refused] = judged.refused
  if (refused !== undefined) return { decision: 'deny', by: 'hard', why: refused }
  const denying = rules.deny.find(rule => forbids(rule, judged, base))
  if (denying) return byRule('deny', denying)
  const [hard] = judged.hard
  if (hard !== undefined) return { decision: 'ask', by: 'hard', why: hard }
  const [guarded] = judged.protected
  if (guarded !== undefined) return { decision: 'ask', by: 'protected', why: guarded }
  const written = [...judged.writes.filter(file => !isInside(file, base.cwd)), ...judged.outside]
  const outside = written.find(file => !rules.allow.some(rule => allowsWrite(rule, file, base)))
  if (outside !== undefined)
    return { decision: 'ask', by: 'protected', why: `writes outside the project: ${outside}` }
  const asking = rules.ask.find(rule => forbids(rule, judged, base))
  if (asking) return byRule('ask', asking)
  const mentioned = [...rules.deny, ...rules.ask].find(rule =>
    judged.mentions.some(words => names(rule, words)),
  )
  if (mentioned)
    return {
      decision: 'ask',
      by: 'rule',
      why: `it may run what the rule ${mentioned.text} speaks of`,
      rule: mentioned.text,
    }
  const [hidden] = judged.hidden
  const unchecked = [...rules.deny, ...rules.ask].find(rule => speaksOf(rule, 'bash'))
  if (hidden !== undefined && unchecked)
    return {
      decision: 'ask',
      by: 'rule',
      why: `${hidden}, so nobody knows whether ${unchecked.text} forbids it`,
    }
  return mode === 'yolo'
    ? { decision: 'allow', by: 'mode', why: 'mode yolo runs everything' }
    : allowed(judged, facts)
}

/** Whether every part, and every file that is written, is spoken for. */
function allowed({ parts, writes, unclear }: Judged, { mode, rules, base }: PermissionFacts): Decision {
  const used: Rule[] = []
  const reason = mode === 'plan' ? '' : `mode ${mode} asks before a command: `
  for (const part of parts) {
    if (isReading(part)) continue
    const speaking = speakingFor(part, rules.allow, base)
    if (!speaking || mode === 'plan' || part.verdict.unclear !== undefined) {
      const why = part.verdict.unclear ?? part.verdict.changes
      return {
        decision: 'ask',
        by: 'mode',
        why: `${reason}${why}${parts.length > 1 ? ` (in \`${short(part.text)}\`)` : ''}`,
      }
    }
    used.push(...speaking)
  }
  if (unclear[0] !== undefined) return { decision: 'ask', by: 'mode', why: `${reason}${unclear[0]}` }
  for (const file of writes) {
    const rule = rules.allow.find(candidate => allowsWrite(candidate, file, base))
    if (mode === 'plan' || (mode !== 'auto-edit' && !rule))
      return { decision: 'ask', by: 'mode', why: `${reason}a redirect writes ${file}` }
    if (rule) used.push(rule)
  }
  const [first] = used
  if (first) return byRule('allow', first)
  const why = writes.length > 0 ? 'mode auto-edit edits files of the project' : 'only reads'
  return { decision: 'allow', by: 'mode', why }
}

const short = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

/**
 * The rules that let a part run. What it reads outside the project they have to name: by a rule for exactly this call, or
 * one for reading each file.
 */
function speakingFor(part: Part, rules: readonly Rule[], base: Base): Rule[] | undefined {
  const rule = rules.find(candidate => allows(candidate, part))
  const { outside } = part.verdict
  if (!outside) return rule && [rule]
  if (rule && namedWords(rule.pattern) === Number.POSITIVE_INFINITY) return [rule]
  const reading = outside.map(file =>
    rules.find(candidate => speaksOf(candidate, 'read') && matchesPath(candidate.pattern, file, base)),
  )
  return reading.every(found => found !== undefined) ? reading : undefined
}

function allows(rule: Rule, { words, verdict }: Part): boolean {
  return (
    speaksOf(rule, 'bash') &&
    matchesWords(rule.pattern, words) &&
    matchesWords(rule.pattern, words.map(straight)) &&
    (verdict.named === undefined || namedWords(rule.pattern) >= verdict.named)
  )
}

const allowsWrite = (rule: Rule, file: string, base: Base): boolean =>
  speaksOf(rule, 'edit') && matchesPath(rule.pattern, file, base)

/** Whether a rule that denies or asks concerns any part, whatever stands before it and however its program is written. */
function forbids(rule: Rule, judged: Judged, base: Base): boolean {
  if (speaksOf(rule, 'bash')) {
    if (rule.pattern === undefined) return true
    return judged.parts.some(
      ({ words, assignments }) => matchesWords(rule.pattern, words) || names(rule, words.slice(assignments)),
    )
  }
  if (speaksOf(rule, 'read') && judged.reads.some(file => matchesPath(rule.pattern, file, base))) return true
  if (!speaksOf(rule, 'edit')) return false
  const files = judged.parts.every(isReading) ? judged.writes : [...judged.writes, ...judged.reads]
  return files.some(file => matchesPath(rule.pattern, file, base))
}

/** `scripts/../x` is x: a star in a rule does not lead out of the directory before it. */
const straight = (word: string | undefined): string | undefined =>
  word !== undefined && /(^|\/)\.\.(\/|$)/.test(word) ? path.posix.normalize(word) : word

/** Whether a rule speaks of a command, however its program is written. */
function names(rule: Rule, words: readonly (string | undefined)[]): boolean {
  const [program, ...args] = words
  const name = program === undefined ? undefined : path.basename(program)
  return (
    speaksOf(rule, 'bash') &&
    [words, words.map(straight), [name, ...args], [name?.toLowerCase(), ...args.map(straight)]].some(form =>
      matchesWords(rule.pattern, form),
    )
  )
}

function byRule(decision: Decision['decision'], { text }: Rule): Decision {
  const verb = { allow: 'allows', ask: 'asks about', deny: 'denies' }[decision]
  return { decision, by: 'rule', why: `the rule ${text} ${verb} it`, rule: text }
}
