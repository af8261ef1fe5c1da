/** Programs with a language of their own: find, sed, test, printf, jq. Only what is certain to read is known. */
import type { ShellWord } from '../shell/line.ts'
import { readOptions } from './options.ts'
import type { Verdict } from './verdict.ts'

const FIND_TESTS: ReadonlySet<string> = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size
  -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -perm -user -group -links -samefile -inum
  -printf`.split(/\s+/),
)
const FIND_FLAGS: ReadonlySet<string> = new Set(
  `-L -H -P -E -s -x -d -empty -print -print0 -not ! -o -or -a -and ( ) , -prune -ls -quit -follow -xdev -mount
  -depth -true -false -readable -writable -executable -noleaf -nouser -nogroup -daystart`.split(/\s+/),
)
/** What another program is given to. */
export const FIND_RUNS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])

export function judgeFind(words: readonly ShellWord[]): Verdict {
  const starts: string[] = []
  let inStarts = true
  for (let n = 0; n < words.length; n++) {
    const { value, text } = words[n] as ShellWord
    if (value === undefined)
      return {
        changes: `gopi cannot tell what \`find ${text}\` does`,
        unclear: `gopi cannot tell what \`find ${text}\` does`,
      }
    if (FIND_RUNS.has(value)) return { changes: '', unclear: `\`find ${value}\` runs another program` }
    if (value === '-delete') return { changes: '', unclear: '`find -delete` deletes what it finds' }
    if (/^-f(ls|print|print0|printf)$|^-files0-from$/.test(value))
      return { changes: '', unclear: `\`find ${value}\` writes a file` }
    if (FIND_TESTS.has(value) || /^-newer[aBcmt]{2}$/.test(value)) n++
    else if (!FIND_FLAGS.has(value)) {
      if (value.startsWith('-') || !inStarts)
        return { changes: `\`find ${value}\` is not known to only read` }
      starts.push(value)
      continue
    }
    if (!/^-[LHPEsxd]$/.test(value)) inStarts = false
  }
  return { reads: starts, here: starts.length === 0 }
}

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

export function judgeTest(name: string, words: readonly ShellWord[]): Verdict {
  const args = name === '[' && words.at(-1)?.value === ']' ? words.slice(0, -1) : words
  const bad = args.find(
    ({ value, text }) => value === undefined || /^-[vR]$/.test(value) || text.includes('['),
  )
  if (bad === undefined) return {}
  const why = `\`${name} ${bad.text}\` may evaluate what it is given`
  return { changes: why, unclear: why }
}

export function judgePrintf([format, ...args]: readonly ShellWord[]): Verdict {
  if (format?.value === undefined || (format.value.startsWith('-') && format.value !== '--')) {
    const why = `\`printf ${format?.text ?? ''}\` may set a variable, and evaluates its subscript`
    return { changes: why, unclear: why }
  }
  return format.value === '--' ? judgePrintf(args) : {}
}

export function judgeJq(words: readonly ShellWord[]): Verdict {
  const options = readOptions(words, {
    flags: 'rcMCSsneja',
    long: [
      'raw-output',
      'compact-output',
      'slurp',
      'null-input',
      'exit-status',
      'sort-keys',
      'tab',
      'join-output',
    ],
  })
  if (typeof options === 'string') return { changes: `\`jq ${options}\` is not known to only read` }
  const [filter, ...files] = options.operands
  if (
    filter?.value === undefined ||
    /\benv\b|\$ENV|\$__|\b(include|import|input_filename|debug|get_search_list)\b/.test(filter.value)
  )
    return { changes: 'gopi cannot tell that the jq filter only reads its input' }
  return paths('jq', files)
}

function paths(name: string, words: readonly ShellWord[]): Verdict {
  const dynamic = words.find(({ value }) => value === undefined)
  if (dynamic) return { changes: `gopi cannot tell which file \`${name} ${dynamic.text}\` reads` }
  return { reads: words.map(({ value = '' }) => value) }
}
