/** sed: a script that only prints and replaces is known, any other is not. */
import type { ShellWord } from '../../shell/line.ts'
import { readOptions } from '../options.ts'
import type { Verdict } from '../verdict.ts'
import { paths } from './paths.ts'

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:[^\/\\\n]|\\[^\n])+\/I?)`
const SUBSTITUTE = String.raw`s(?:\/(?:[^\/\\\n]|\\[^\n])*\/(?:[^\/\\\n]|\\[^\n])*\/|\|(?:[^|\\\n]|\\[^\n])*\|(?:[^|\\\n]|\\[^\n])*\||#(?:[^#\\\n]|\\[^\n])*#(?:[^#\\\n]|\\[^\n])*#|,(?:[^,\\\n]|\\[^\n])*,(?:[^,\\\n]|\\[^\n])*,)[gpiI\d]*`
const SED = new RegExp(
  `^\\s*(?:(?:${ADDRESS}(?:,[+~]?${ADDRESS})?\\s*!?\\s*)?(?:[pdqQ=]|${SUBSTITUTE})\\s*(?:;\\s*|$))+$`,
)

/** \`e\`, \`w\`, \`r\` and their kin, and -i, run programs, write and read files. */
export function judgeSed(words: readonly ShellWord[]): Verdict {
  const options = readOptions(words, {
    flags: 'nErsu',
    valued: 'e',
    long: ['quiet', 'silent', 'regexp-extended', 'sandbox', 'posix', 'debug'],
    longValued: ['expression'],
  })
  if (typeof options === 'string') return { changes: `\`sed ${options}\` is not known to only read` }
  const { given, operands } = options
  const scripts = ['e', 'expression'].filter(name => given.has(name))
  const files = scripts.length > 0 ? operands : operands.slice(1)
  const script = scripts.length > 0 ? given.get(scripts[0] ?? '') : operands[0]?.value
  const occurrences = words.filter(({ value }) => /^(-[nErsu]*e|--expression)/.test(value ?? '')).length
  if (script === undefined || occurrences > 1 || scripts.length > 1 || !SED.test(script))
    return { changes: `gopi cannot tell that the sed script ${script ?? ''} only reads` }
  return paths('sed', files)
}
