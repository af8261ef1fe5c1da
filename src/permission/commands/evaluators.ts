/** Builtins that evaluate their arguments, quoted or not: `unset 'a[$(x)]'` runs x. */
import type { ShellWord } from '../shell/line.ts'
import { readOptions } from './options.ts'
import type { Verdict } from './verdict.ts'

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
  const changes = `gopi does not know that ${name} only reads`
  if (!EVALUATORS.has(name)) return { changes }
  const odd = args.find(({ value, text }) => value === undefined || /[[`]|[$<]\(/.test(text))
  return {
    changes,
    ...((odd || ALWAYS.has(name)) && {
      unclear: `\`${name} ${odd?.text ?? ''}\` may evaluate what it is given`,
    }),
    ...(RENAMING.has(name) && args.length > 0 && { hides: `${name} changes what a name runs` }),
    ...(/^(source|\.)$/.test(name) && given(args) && { hides: `${name} runs what it is given` }),
    ...(SETTING.has(name) && { named: 2 }),
  }
}

const given = ([file]: readonly ShellWord[]): boolean => /^\/(dev|proc)\//.test(file?.value ?? '/dev/')

/** `variables` learns what it gives values to. undefined: it may do more than fill variables that steer nothing. */
export function judgeRead(
  args: readonly ShellWord[],
  { variables, isOwnName }: { variables: Set<string>; isOwnName(name: string): boolean },
): Verdict | undefined {
  const options = readOptions(args, { flags: 'res', valued: 'pndtN' })
  if (typeof options === 'string') return undefined
  const given = options.operands.map(({ value = '' }) => value)
  if (given.length === 0 || !given.every(isOwnName)) return undefined
  for (const name of given) variables.add(name)
  return {}
}
