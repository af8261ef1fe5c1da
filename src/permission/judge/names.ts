/** Names that matter: of variables that steer what runs, and of programs that are not what they look like. */
import path from 'node:path'
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'
import type { ShellWord } from '../shell/line.ts'
import type { Verdict } from './judged.ts'

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

/** Where these are no keywords, the line is not what it looks like. */
const RESERVED =
  /^(if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|coproc|[{}!]|\[\[)$/i

/** A look-alike, or what should have been an operator. */
const UNUSUAL = /[^\x21-\x7e]|[=(){}<>;&|"'`$\\]/

/** Why nobody can say which program a word names. */
export function doubtfulName(word: ShellWord | undefined): Said | undefined {
  if (word?.value === undefined || word.glob || word.text.includes("$'"))
    return said('permission.which_program', { what: `\`${word?.text}\`` })
  return UNUSUAL.test(path.basename(word.value)) || RESERVED.test(word.value)
    ? said('permission.unusual_name', { what: word.text })
    : undefined
}
