/**
 * awk: a program that picks, counts and prints. It is not read as awk would read it: a program in which no word and no sign
 * stands, whatever it may mean there, that reaches for a file or a program cannot do so.
 */
import type { Said } from '../../../protocol/sayings.ts'
import { said } from '../../../words/sayings/said.ts'
import type { Reader } from './reader.ts'

const LONGEST = 2_000

/** What may stand before a parenthesis. */
const CALLED: ReadonlySet<string> = new Set(
  `length substr split gsub sub match index tolower toupper sprintf int sqrt exp log sin cos atan2 rand srand if while for
  print printf in`.split(/\s+/),
)
/** A line that goes on in the next one is read differently by each awk: a word may stand there. */
const REACHING = /\\\n|getline|system|fflush|close|func|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARG[VC]|[@`]/

/** A pipe, and a `>` that writes a file. */
const REDIRECTS = /\||print[\s\S]*>/

/** The pattern that a program begins with: there a slash can be nothing else. */
const FIRST_PATTERN = /^\s*!?\/[^/\\[\n]*\//
/** No program at all: somebody left it out. */
const FILE_NAME = /^[\w./-]*\.[\w./-]*$/
const STRINGS = /"(?:[^"\\\n]|\\[^\n])*"/g

function onlyPrints(program: string): boolean {
  if (program.length > LONGEST || REACHING.test(program)) return false
  const rest = program.replace(FIRST_PATTERN, '')
  const code = rest.replaceAll(STRINGS, ' ')
  // Where a pattern, a comment or half a string may stand, nobody knows where a string begins.
  const bare = (/[/#]/.test(rest) || code.includes('"') ? rest : code).replaceAll('||', ' ')
  const called = [...bare.matchAll(/([A-Za-z_]\w*)\s*\(/g)].map(([, name = '']) => name)
  return !FILE_NAME.test(rest) && !REDIRECTS.test(bare) && called.every(name => CALLED.has(name))
}

const awk = (name: string): Reader => ({
  valued: 'Fv',
  ordered: true,
  operands: { after: 1 },
  // `x=1` among the files sets a variable, and so may what looks like a file.
  code: ([program], files): Said | undefined =>
    program === undefined || !onlyPrints(program) || files.some(file => /^\w+=/.test(file))
      ? said('permission.only_reads_program', { name })
      : undefined,
})

export const awks: Readonly<Record<string, Reader>> = {
  awk: awk('awk'),
  gawk: awk('gawk'),
  mawk: awk('mawk'),
}
