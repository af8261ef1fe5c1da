/** Variables: which may be set without asking. */
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'
import type { Verdict } from '../commands/verdict.ts'

/** What these hold, or what they lead to, runs. */
const STEERING = /^(PATH|PROMPT_COMMAND|PS[0-4]|BASH_ENV|ENV|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_.*)$/

/** `set`: assignments as they were written. */
export function setting(set: readonly string[]): Verdict & { changes: Said } {
  const names = [...new Set(set.map(text => text.replace(/\+?=[\s\S]*/, '')))]
  const steering = names.find(name => STEERING.test(name))
  return {
    changes: said('permission.sets', { names: names.join(', ') }),
    // A rule for every command does not mean to say what runs under its name.
    ...(steering !== undefined && { hides: said('permission.decides_runs', { name: steering }), named: 1 }),
  }
}
