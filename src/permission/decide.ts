import path from 'node:path'
import type { Decide, Decision, PermissionCall, PermissionFacts } from './permission.ts'

/**
 * Decides a call: a rule that could forbid it, then the mode. Patterns of rules are not evaluated by this version, so
 * a rule only ever makes it stricter: a `deny` or `ask` that names the tool makes gopi ask, in every mode, and an
 * `allow` spares no question.
 */
export const decide: Decide = (call, facts) => byRule(call, facts) ?? byMode(call, facts)

const names: Record<PermissionCall['kind'], readonly string[]> = {
  read: ['read'],
  edit: ['edit'],
  command: ['bash'],
}

function byRule(call: PermissionCall, { rules, mode }: PermissionFacts): Decision | undefined {
  const mine = new Set([call.tool.toLowerCase(), ...names[call.kind]])
  const rule = [...rules.deny, ...rules.ask].find(text =>
    mine.has(text.replace(/\(.*$/s, '').trim().toLowerCase()),
  )
  if (rule === undefined) return undefined
  if (mode === 'plan' && call.kind !== 'read') return byMode(call, { rules, mode, cwd: '' })
  return {
    decision: 'ask',
    by: 'rule',
    why: `the rule ${rule} may concern it`,
  }
}

function byMode(call: PermissionCall, { mode, cwd }: PermissionFacts): Decision {
  const by = 'mode'
  if (call.kind === 'read') return { decision: 'allow', by, why: `${call.tool} only reads` }
  switch (mode) {
    case 'yolo':
      return { decision: 'allow', by, why: 'mode yolo runs everything' }
    case 'plan':
      return {
        decision: 'deny',
        by,
        why: `mode plan changes nothing, and ${call.tool} may`,
      }
    case 'auto-edit':
      if (call.kind === 'edit' && call.target !== undefined && isInside(call.target, cwd)) {
        return {
          decision: 'allow',
          by,
          why: 'mode auto-edit edits files of the project',
        }
      }
      return call.kind === 'edit'
        ? {
            decision: 'ask',
            by,
            why: `writes outside the project: ${call.target ?? 'unknown path'}`,
          }
        : { decision: 'ask', by, why: 'mode auto-edit asks before a command' }
    case 'ask':
      return {
        decision: 'ask',
        by,
        why: call.kind === 'edit' ? 'mode ask asks before a change' : 'mode ask asks before a command',
      }
  }
}

/** Whether a real path lies in a directory (or is it): `/home/u/project-evil` is not in `/home/u/project`. */
export function isInside(target: string, directory: string): boolean {
  const relative = path.relative(directory, target)
  return (
    relative === '' ||
    (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
  )
}
