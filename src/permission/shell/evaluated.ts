/** Programs that are given a line to run: shells, eval, trap, alias. */
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'
import type { Unwrapped } from './inner.ts'
import type { ShellWord } from './line.ts'
import { wordsText } from './programs.ts'

const QUIET_LONG: ReadonlySet<string> = new Set(['--norc', '--noprofile', '--posix', '--verbose'])

/** Text that every shell reads like bash: no expansions, no quotes but plain ones. */
const PLAIN_LINE = /^[\w\s./,:@%+"'|&;-]*$/

/** Short options that run nothing besides; each o takes a word. */
const QUIET_SHORT = /^[-+][ceuxlfhvosE]+$/

/** `input`: what the line itself gives it to read. undefined: it says its version. */
export function shellCall(
  name: string,
  args: readonly ShellWord[],
  input: string | undefined,
): Unwrapped | undefined {
  if (/^--?(version|help)$/.test(args[0]?.value ?? '')) return undefined
  const { given, operands, unknown } = shellOptions(args)
  const more = unknown && said('permission.runs_given', { what: `\`${name} ${unknown.text}\`` })
  const hidden = (why: Said): Unwrapped => ({ kind: 'hidden', why })
  const [first, ...rest] = operands
  if (given.includes('c')) {
    const veiled = rest.find(({ value }) => value === undefined)
    const doubt =
      more ?? (veiled && said('permission.what_does_with', { what: `\`${name} -c\``, given: veiled.text }))
    return lineFor(`${name} -c`, first ? [first] : [], isLike(name, first) ? doubt : otherShell(name))
  }
  if (first === undefined || given.includes('s')) {
    if (input === undefined) return hidden(more ?? said('permission.runs_given', { what: name }))
    return { kind: 'line', text: input, doubt: isLike(name, { value: input }) ? more : otherShell(name) }
  }
  if (first.value === undefined)
    return hidden(said('permission.what_runs', { what: `\`${name} ${first.text}\`` }))
  if (/^\/(dev|proc)\//.test(first.value))
    return hidden(said('permission.runs_given', { what: `\`${name} ${first.text}\`` }))
  return more === undefined ? { kind: 'file', words: operands } : hidden(more)
}

interface ShellOptions {
  /** The letters of its short options. */
  given: string
  operands: readonly ShellWord[]
  /** The first option that may run more. */
  unknown: ShellWord | undefined
}

function shellOptions(args: readonly ShellWord[]): ShellOptions {
  let given = ''
  let unknown: ShellWord | undefined
  let n = 0
  for (; n < args.length; n++) {
    const word = args[n] as ShellWord
    const { value } = word
    if (value === undefined || !/^[-+]/.test(value)) break
    if (/^--?$/.test(value)) {
      n++
      break
    }
    if (!QUIET_SHORT.test(value) && !QUIET_LONG.has(value)) unknown ??= word
    if (value.startsWith('-') && !value.startsWith('--')) given += value.slice(1)
    const valued = value.startsWith('--')
      ? Number(/^--(rcfile|init-file)$/.test(value))
      : (value.match(/o/gi)?.length ?? 0)
    unknown ??= args.slice(n + 1, n + 1 + valued).find(taken => taken.value === undefined)
    n += valued
  }
  return { given, operands: args.slice(n), unknown }
}

const isLike = (name: string, line: Pick<ShellWord, 'value'> | undefined): boolean =>
  /^r?bash$/.test(name) || PLAIN_LINE.test(line?.value ?? '')

const otherShell = (name: string) => said('permission.reads_otherwise', { name })

/** `name`: as it is shown. */
export function lineFor(
  name: string,
  args: readonly ShellWord[],
  doubt?: Said | undefined,
): Unwrapped | undefined {
  const words = args[0]?.value === '--' ? args.slice(1) : args
  if (words.length === 0) return undefined
  const veiled = words.find(({ value, glob }) => value === undefined || glob)
  // What is known of it is judged all the same: `eval rm -rf $X` names rm.
  const text = words
    .map(word => word.value ?? (word.text === '…' ? '' : word.text.replaceAll(/^"|"$/g, '')))
    .join(' ')
  return {
    kind: 'line',
    text,
    doubt: veiled ? said('permission.what_runs', { what: `\`${name} ${wordsText(words)}\`` }) : doubt,
  }
}
