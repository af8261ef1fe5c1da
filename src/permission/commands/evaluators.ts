/** Builtins that evaluate their arguments, quoted or not: `unset 'a[$(x)]'` runs x. */
import type { ShellWord } from '../shell/line.ts'
import type { Verdict } from './verdict.ts'

export const EVALUATORS: ReadonlySet<string> = new Set(
  `unset read declare typeset local export readonly let mapfile readarray compgen complete alias enable hash shopt set
  bind getopts wait printf test [ source .`.split(/\s+/),
)

export function evaluates(name: string, args: readonly ShellWord[]): Verdict {
  const changes = `gopi does not know that ${name} only reads`
  if (!EVALUATORS.has(name)) return { changes }
  const odd = args.find(({ value, text }) => value === undefined || /[[`]|[$<]\(/.test(text))
  if (
    odd ||
    ['let', 'mapfile', 'readarray', 'alias', 'enable', 'hash', 'bind', 'complete', 'compgen'].includes(name)
  )
    return { changes, unclear: `\`${name} ${odd?.text ?? ''}\` may evaluate what it is given` }
  return { changes }
}
