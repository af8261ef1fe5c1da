/** awk: programs that pick, count and print are known by their tokens; what can read, write or run something is not among them. */
import { said } from '../../../words/sayings/said.ts'
import { readOptions } from '../options.ts'
import type { Reading } from '../reading.ts'

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
export function judgeAwk(name: string, words: readonly string[]): Reading {
  const options = readOptions(words, { valued: 'Fv', ordered: true })
  if (typeof options === 'string')
    return { changes: said('permission.not_only_reads', { what: `\`${name} ${options}\`` }) }
  const [program, ...files] = options.operands
  // `x=1` among the files sets a variable, and so may what looks like a file.
  if (program === undefined || !onlyPrints(program) || files.some(file => /^\w+=/.test(file)))
    return { changes: said('permission.only_reads_program', { name }) }
  return { reads: files }
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
