/** awk: programs that pick, count and print are known by their tokens; what can read, write or run something is not among them. */
import type { ShellWord } from '../../shell/line.ts'
import { readOptions } from '../options.ts'
import type { Verdict } from '../verdict.ts'
import { paths } from './paths.ts'

const LONGEST = 2_000

/** What may stand before a parenthesis. */
const CALLED: ReadonlySet<string> = new Set(
  `length substr split gsub sub match index tolower toupper sprintf int sqrt exp log sin cos atan2 rand srand if while for
  print printf in`.split(/\s+/),
)
/** Wherever they stand, quotes and patterns too: where those end is what implementations disagree about. */
const REACHING = /getline|system|fflush|close|func|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARG[VC]|[@`]/

const TOKEN = new RegExp(
  [
    String.raw`(?<blank>[ \t\n]+|#[^\n]*)`,
    String.raw`(?<string>"(?:[^"\\\n]|\\[^\n])*")`,
    // In brackets a slash may or may not end the pattern, so it must not stand there.
    String.raw`(?<pattern>\/(?:[^\/\\\n\[]|\\[^\n]|\[\^?\]?(?:\[:[a-z]+:\]|\\[^\n\]\/]|[^\[\]\\\n\/])*\])+\/)`,
    String.raw`(?<number>\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)`,
    String.raw`(?<name>[A-Za-z_]\w*)`,
    String.raw`(?<sign>\+\+|--|&&|\|\||[-+*%^]=|[=!<>]=|!~|[-+*%^=!<>~?:,;(){}[\]$])`,
  ].join('|'),
  'y',
)

/** Redirections, pipes, getline, system and files of variables make awk run, write and read anything. */
export function judgeAwk(name: string, words: readonly ShellWord[]): Verdict {
  const options = readOptions(words, { valued: 'Fv' })
  if (typeof options === 'string') return { changes: `\`${name} ${options}\` is not known to only read` }
  const [program, ...files] = options.operands
  const isKnown = words.every(({ value }, n) => value !== undefined || files.includes(words[n] as ShellWord))
  if (program?.value === undefined || !isKnown || !onlyPrints(program.value))
    return { changes: `gopi cannot tell that the ${name} program only reads` }
  return paths(name, files)
}

function onlyPrints(program: string): boolean {
  if (program.length > LONGEST || REACHING.test(program)) return false
  let before = ''
  /** In a print statement `>` writes a file. */
  let isPrinting = false
  for (let at = 0; at < program.length; ) {
    const { token, type } = tokenAt(program, { at, before })
    at += token.length
    if (type === undefined) return false
    if (type === 'blank') {
      if (token.includes('\n')) before = ''
      continue
    }
    if (type === 'name' && /^\s*\(/.test(program.slice(at)) && !CALLED.has(token)) return false
    if (/^printf?$/.test(token)) isPrinting = true
    else if (/^[;}]$/.test(token)) isPrinting = false
    else if (isPrinting && token === '>') return false
    before = EXPECTING.has(token) ? '' : token
  }
  return true
}

/** After these begins a value, so that a slash begins a pattern. */
const EXPECTING: ReadonlySet<string> = new Set(
  `BEGIN END BEGINFILE ENDFILE print printf in if else do while for return exit case default delete next nextfile break
  continue switch`.split(/\s+/),
)

/** After a value a slash divides; after some tokens nobody knows. No type: not a token that is known here. */
function tokenAt(
  program: string,
  { at, before }: { at: number; before: string },
): { token: string; type: string | undefined } {
  if (program[at] === '/') {
    if (/^(\)|\+\+|--|\$|length)$/.test(before)) return { token: '/', type: undefined }
    if (/[\w\]"]$/.test(before)) return { token: '/', type: 'sign' }
  }
  TOKEN.lastIndex = at
  const { 0: token = ' ', groups = {} } = TOKEN.exec(program) ?? {}
  return { token, type: Object.keys(groups).find(name => groups[name] !== undefined) }
}
