/** Builtins that evaluate their arguments, quoted or not: `unset 'a[$(x)]'` runs x. */
import { said } from '../../words/sayings/said.ts'
import type { Verdict } from '../judge/judged.ts'
import type { ShellWord } from '../shell/line.ts'

export const EVALUATORS: ReadonlySet<string> = new Set(
  `unset read declare typeset local export readonly let mapfile readarray compgen complete alias enable hash shopt set
  bind getopts wait printf test [ source .`.split(/\s+/),
)
/** No rule speaks for these: what they are given runs, now or later. */
const ALWAYS: ReadonlySet<string> = new Set(
  'let mapfile readarray alias enable hash bind complete compgen'.split(' '),
)
/** They change what the names of later commands mean. */
const RENAMING: ReadonlySet<string> = new Set('alias enable hash'.split(' '))
/** A rule for all variables says nothing about PATH. */
const SETTING: ReadonlySet<string> = new Set('unset read declare typeset local export readonly'.split(' '))

export function evaluates(name: string, args: readonly ShellWord[]): Verdict {
  const changes = said('permission.unknown_reader', { name })
  if (!EVALUATORS.has(name)) return { changes }
  const odd = args.find(({ value, text }) => value === undefined || /[[`]|[$<]\(/.test(text))
  return {
    changes,
    ...((odd || ALWAYS.has(name)) && {
      unclear: said('permission.may_evaluate', { what: `\`${name} ${odd?.text ?? ''}\`` }),
    }),
    ...(RENAMING.has(name) && args.length > 0 && { hides: said('permission.changes_name', { name }) }),
    ...(/^(source|\.)$/.test(name) &&
      given(args) && { hides: said('permission.runs_given', { what: name }) }),
    ...(SETTING.has(name) && { named: 2 }),
  }
}

const given = ([file]: readonly ShellWord[]): boolean => /^\/(dev|proc)\//.test(file?.value ?? '/dev/')
