/** Programs that are given a line to run: shells, eval, trap, alias. */
import type { Unwrapped } from './inner.ts'
import type { ShellWord } from './line.ts'
import { wordsText } from './programs.ts'

const QUIET_LONG: ReadonlySet<string> = new Set(['--norc', '--noprofile', '--posix', '--verbose'])

/** Text that every shell reads like bash: no expansions, no quotes but plain ones. */
const PLAIN_LINE = /^[\w\s./,:@%+"'|&;-]*$/

/** `input`: what the line itself gives it to read. undefined: it runs a file, or says its version. */
export function shellCall(
  name: string,
  args: readonly ShellWord[],
  input: string | undefined,
): Unwrapped | undefined {
  let doubt: string | undefined
  for (let n = 0; n < args.length; n++) {
    const { value, text } = args[n] as ShellWord
    const call = `\`${name} ${text}\``
    if (value === undefined) return { kind: 'hidden', why: `gopi cannot tell what ${call} runs` }
    if (/^--?(version|help)$/.test(value)) return undefined
    if (/^-[a-z]*c[a-z]*$/i.test(value)) {
      if (!/^-[ceuxl]+$/.test(value)) doubt ??= `${call} runs more than its line`
      // Options may still stand between -c and the line.
      const line = args.slice(n + 1).find(word => !/^[-+]/.test(word.value ?? ''))
      return lineFor(`${name} -c`, line ? [line] : [], isLike(name, line) ? doubt : otherShell(name))
    }
    if (/^[-+]o$/.test(value)) n++
    else if (!/^[-+][euxfhv]+$/.test(value) && !QUIET_LONG.has(value)) {
      if (!/^[-+]/.test(value)) {
        return /^\/(dev|proc)\//.test(value)
          ? { kind: 'hidden', why: `${call} runs what it is given` }
          : undefined
      }
      doubt ??= `${call} runs what it is given`
    }
  }
  return input === undefined
    ? { kind: 'hidden', why: doubt ?? `${name} runs what it is given` }
    : { kind: 'line', text: input, doubt: isLike(name, { value: input }) ? doubt : otherShell(name) }
}

const isLike = (name: string, line: Pick<ShellWord, 'value'> | undefined): boolean =>
  /^r?bash$/.test(name) || PLAIN_LINE.test(line?.value ?? '')

const otherShell = (name: string) => `${name} may read its line otherwise than bash`

/** `name`: as it is shown. */
export function lineFor(
  name: string,
  args: readonly ShellWord[],
  doubt?: string | undefined,
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
    doubt: veiled ? `gopi cannot tell what \`${name} ${wordsText(words)}\` runs` : doubt,
  }
}
