/** test and printf: harmless, but for what they evaluate. */
import type { ShellWord } from '../../shell/line.ts'
import { isOneWord } from '../../shell/word.ts'
import type { Verdict } from '../verdict.ts'

/** `[ -v 'a[$(x)]' ]` runs x, and an operand that nobody knows may be that -v. */
export function judgeTest(name: string, words: readonly ShellWord[]): Verdict {
  const args = name === '[' && words.at(-1)?.value === ']' ? words.slice(0, -1) : words
  const bad = args.find(
    (word, n) =>
      /^-[vR]$/.test(word.value ?? '') ||
      (word.value ?? '').includes('[') ||
      (word.value === undefined && !(isOneWord(word) && isPlace(args, n))),
  )
  if (bad === undefined) return {}
  const why = `\`${name} ${bad.text}\` may evaluate what it is given`
  return { changes: why, unclear: why }
}

/** With three operands the one between them is the operator, with two the first: the others are only compared. */
function isPlace(args: readonly ShellWord[], n: number): boolean {
  const values = args.map(({ value }) => value ?? '')
  if (args.length === 2) return n === 1 && /^-[nzefdrwxsLh]$/.test(values[0] ?? '')
  return args.length === 3 && n !== 1 && /^(=|==|!=|-(eq|ne|lt|le|gt|ge))$/.test(values[1] ?? '')
}

/** undefined: it only says something. */
export function judgePrintf([format, ...args]: readonly ShellWord[]): Verdict | undefined {
  if (format?.value === undefined || format.glob || (format.value.startsWith('-') && format.value !== '--')) {
    const why = `\`printf ${format?.text ?? ''}\` may set a variable, and evaluates its subscript`
    return { changes: why, unclear: why }
  }
  return format.value === '--' ? judgePrintf(args) : undefined
}
