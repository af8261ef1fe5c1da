/** sed: a script that only prints, deletes and replaces is known, any other is not. */
import { said } from '../../../words/sayings/said.ts'
import type { Reader } from './reader.ts'

/** `d`: the delimiter. In brackets it may or may not end the expression, so it must not stand there. */
const bracket = (d: string) => String.raw`\[\^?\]?(?:\[:[a-z]+:\]|\\[^\n\]${d}]|[^\[\]\\\n${d}])*\]`
const pattern = (d: string) => String.raw`(?:[^\[\\\n${d}]|\\[^\n]|${bracket(d)})*`
const replacement = (d: string) => String.raw`(?:[^\\\n${d}]|\\[^\n])*`
const letters = (d: string) => String.raw`(?:[^\[\\\n${d}]|\\[^\n])*`

const DELIMITERS = ['\\/', '|', '#', ',', ':', '@', '_', '!', '%', '+', '~']
const either = (make: (d: string) => string) => `(?:${DELIMITERS.map(d => make(d)).join('|')})`
const outside = (d: string) => (/[|+]/.test(d) ? `\\${d}` : d)

const ADDRESS = `(?:\\d+(?:~\\d+)?|\\$|\\/${pattern('\\/')}\\/[IM]?)`
const SUBSTITUTE = `s${either(d => [outside(d), pattern(d), outside(d), replacement(d), outside(d)].join(''))}[gpiIM\\d]*`
const TRANSLATE = `y${either(d => [outside(d), letters(d), outside(d), letters(d), outside(d)].join(''))}`
const COMMAND = `(?:[pdqQ=gGhHxnNDPlzF]|${SUBSTITUTE}|${TRANSLATE})`
const SED = new RegExp(
  `^\\s*(?:(?:${ADDRESS}(?:,[+~]?${ADDRESS})?\\s*!?\\s*)?(?:\\{\\s*|${COMMAND}\\s*(?:;\\s*|$|(?=\\}))|\\}\\s*;?\\s*))+$`,
)

export const sed: Reader = {
  flags: 'nErsuz',
  valued: 'e',
  long: ['quiet', 'silent', 'regexp-extended', 'sandbox', 'posix', 'debug', 'null-data', 'separate'],
  longValued: ['expression'],
  operands: { after: 1, unless: ['e', 'expression'] },
  /** `e`, `w`, `r` and their kin, and -i, run programs, write and read files. */
  code: scripts =>
    scripts.length > 0 && scripts.every(script => SED.test(script))
      ? undefined
      : said('permission.only_reads_sed', { script: scripts.join(' ') }),
}
