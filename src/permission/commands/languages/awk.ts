/** awk: programs that pick fields, count and print, and nothing else. */
import type { ShellWord } from '../../shell/line.ts'
import { readOptions } from '../options.ts'
import type { Verdict } from '../verdict.ts'
import { paths } from './paths.ts'

const STRING = String.raw`"(?:[^"\\\n]|\\[nt"\\])*"`
/** A name may be any word but those that read, write or run something. */
const NAME = String.raw`(?!(?:getline|system|close|print|printf|ENVIRON|function|func|fflush|nextfile|delete|exit|return)\b)[A-Za-z_]\w*(?![\w(])`
const TERM = `(?:\\$(?:\\d+|NF|NR|\\(NF-\\d+\\))|\\d+(?:\\.\\d+)?|${STRING}|length(?:\\(\\$\\d+\\))?|${NAME})`
const SUM = `${TERM}(?:\\s*[-+*/%,]?\\s*${TERM})*`
const REGEX = String.raw`\/(?:[^\/\\\n]|\\[^\n])*\/`
const TEST = `(?:BEGIN|END|!?\\s*${REGEX}|${TERM}\\s*(?:==|!=|<=|>=|<|>|!?~)\\s*(?:${TERM}|${REGEX}))`
const TESTS = `${TEST}(?:\\s*(?:&&|\\|\\|)\\s*${TEST})*`
const DOES = `(?:print(?:\\s+${SUM})?|${NAME}\\s*[-+]?=\\s*${TERM}|${NAME}\\+\\+)`
const BLOCK = `\\{\\s*${DOES}(?:\\s*;\\s*${DOES})*\\s*;?\\s*\\}`
const PROGRAM = new RegExp(`^\\s*(?:(?:${TESTS}\\s*)?${BLOCK}\\s*|${TESTS}\\s*$)+$`)

/** Redirections, pipes, getline, system and files of variables make awk run, write and read anything. */
export function judgeAwk(name: string, words: readonly ShellWord[]): Verdict {
  const options = readOptions(words, { valued: 'F' })
  if (typeof options === 'string') return { changes: `\`${name} ${options}\` is not known to only read` }
  const [program, ...files] = options.operands
  if (program?.value === undefined || program.value.length > 500 || !PROGRAM.test(program.value))
    return { changes: `gopi cannot tell that the ${name} program only reads` }
  return paths(name, files)
}
