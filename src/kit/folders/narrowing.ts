/**
 * `allowed-tools` of a skill or a command: from its use to the end of the run, a call that it does not list is asked about,
 * in every mode. It narrows; what a call needs besides is decided as ever.
 */
import type { CallHook } from '../../agent/hooks.ts'
import type { ToolCall } from '../../protocol/messages.ts'
import { matchesPath, matchesWords } from '../../rules/match.ts'
import { parseRule, type Rule } from '../../rules/rule.ts'
import { namesOf } from '../tool-names.ts'

export interface Narrowing {
  hook: CallHook
  /** What is called `name` is used from now on. Without a list it narrows nothing. */
  begin(name: string, allowed: readonly string[] | undefined): void
  /** The run is over. */
  end(): void
}

export function createNarrowing(base: { cwd: string; home: string }): Narrowing {
  const inUse = new Map<string, readonly Rule[]>()
  return {
    hook: {
      name: 'allowed-tools',
      async before(call) {
        for (const [name, rules] of inUse)
          if (!rules.some(rule => lists(rule, call, base)))
            return { decision: 'ask', because: `${name}: allowed-tools` }
        return undefined
      },
    },
    begin(name, allowed) {
      if (allowed)
        inUse.set(
          name,
          [...allowed, 'skill'].flatMap(text => parseRule(text) ?? []),
        )
    },
    end: () => inUse.clear(),
  }
}

/** What a shell would make more than one simple command of. */
const SHELL = /[;&|<>$`()\n]/

function lists(
  rule: Rule,
  { name, arguments: args }: ToolCall,
  base: { cwd: string; home: string },
): boolean {
  const isNamed = namesOf(name).some(one => one.toLowerCase() === rule.tool) || isStarred(rule, name)
  if (!isNamed) return false
  if (rule.pattern === undefined) return true
  const { command, path } = args
  if (typeof command === 'string')
    return !SHELL.test(command) && matchesWords(rule.pattern, command.trim().split(/\s+/))
  return typeof path === 'string' && matchesPath(rule.pattern, absolute(path, base.cwd), base)
}

const isStarred = ({ tool }: Rule, name: string): boolean =>
  tool.endsWith('*') && name.toLowerCase().startsWith(tool.slice(0, -1))

const absolute = (file: string, cwd: string): string => (file.startsWith('/') ? file : `${cwd}/${file}`)
