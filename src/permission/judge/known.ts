/** What one simple command is known to do, by its program and its words. */
import { evaluates, judgeRead } from '../commands/evaluators.ts'
import { judgeGit } from '../commands/git/git.ts'
import { judgeAwk } from '../commands/languages/awk.ts'
import { judgeFd, judgeFind } from '../commands/languages/find.ts'
import { judgeJq } from '../commands/languages/jq.ts'
import { judgeSed } from '../commands/languages/sed.ts'
import { judgePrintf, judgeTest } from '../commands/languages/test.ts'
import { readOptions } from '../commands/options.ts'
import type { Reader } from '../commands/readers/reader.ts'
import { readerOf, saysVersion } from '../commands/readers/readers.ts'
import type { Verdict } from '../commands/verdict.ts'
import type { Look } from '../look.ts'
import { plainWord, type ShellWord } from '../shell/line.ts'
import { programOf } from '../shell/programs.ts'
import type { Places } from './places.ts'
import { isOwnName, secretIn, setting } from './variables.ts'

interface Known {
  /** Assignments before it that matter. */
  set: readonly string[]
  places: Places
  look: Look
  /** Variables that the line gave values to. */
  variables: Set<string>
}

export function knownVerdict(words: readonly ShellWord[], known: Known): Verdict {
  const found = ofProgram(words, known)
  const verdict = found.changes === undefined ? { ...found, ...says(words, known) } : found
  return known.set.length === 0 ? verdict : { ...verdict, ...setting(known.set) }
}

function ofProgram(words: readonly ShellWord[], known: Known): Verdict {
  const name = programOf(words)
  const args = words.slice(1)
  const written = words[0]?.value ?? ''
  // A path names a file of somebody's, whatever it is called.
  if (written !== name && !/^\/(usr\/)?bin\/[a-z]\w*$/.test(written)) {
    const changes = `gopi does not know what ${words[0]?.text} does`
    const { hard, unclear, hides }: Verdict = name === 'git' ? judgeGit(args) : {}
    return { changes, ...(hard && { hard }), ...(unclear && { unclear }), ...(hides && { hides }) }
  }
  if (saysVersion(name, args)) return {}
  switch (name) {
    case 'git':
      return inRepository(judgeGit(args), known)
    case 'find':
      return judgeFind(args)
    case 'sed':
      return judgeSed(args)
    case 'awk':
    case 'gawk':
    case 'mawk':
      return judgeAwk(name, args)
    case 'test':
    case '[':
      return judgeTest(name, args)
    case 'printf':
      return judgePrintf(args) ?? {}
    case 'jq':
      return judgeJq(args)
    case 'read':
      return judgeRead(args, { variables: known.variables, isOwnName }) ?? evaluates(name, args)
    case 'cd':
      return {}
  }
  const running = /^fd(find)?$/.test(name) ? judgeFd(args) : undefined
  const reader = readerOf(name)
  if (running) return running
  return reader ? byReader(name, args, { reader }) : evaluates(name, args)
}

function byReader(name: string, args: readonly ShellWord[], { reader }: { reader: Reader }): Verdict {
  if (reader.literal) return {}
  const options = readOptions(args, reader)
  if (typeof options === 'string') {
    const changes = `\`${name} ${options}\` is not known to only read`
    // Nobody knows which file it is, so a rule for all files says nothing about it.
    const isVeiled = isFiles(reader) && args.some(({ value }) => value === undefined)
    return { changes, ...(isVeiled && { unclear: changes }) }
  }
  const { given, operands } = options
  // A glob may be many.
  if (reader.most !== undefined && (operands.length > reader.most || operands.some(({ glob }) => glob)))
    return { changes: `${name} writes its second file` }
  const odd = operands.find(({ value }) => reader.each && !reader.each.test(value ?? ''))
  if (odd || (reader.operands === 'none' && operands.length > 0))
    return { changes: `\`${name} ${(odd ?? operands[0])?.text}\` is not known to only read` }
  const problem = reader.unsafe?.(given)
  if (problem !== undefined) return { changes: `\`${name} ${problem}\` is not known to only read` }
  if (reader.operands === 'none' || reader.operands === 'text') return {}
  const { after, unless = [] } = reader.operands === 'paths' ? { after: 0 } : reader.operands
  const files = unless.some(option => given.has(option)) ? operands : operands.slice(after)
  const unknown = files.find(({ value }) => value === undefined)
  if (unknown) {
    const why =
      unknown.text === '…'
        ? `gopi cannot tell which files xargs gives to ${name}`
        : `gopi cannot tell which file \`${name} ${unknown.text}\` reads`
    // A secret, for all that a rule knows.
    return { changes: why, unclear: why }
  }
  const lists = (reader.paths ?? []).flatMap(option => given.get(option) ?? [])
  const deep = reader.deep?.(given)
  return {
    reads: [...files, ...lists.map(plainWord)],
    here: files.length === 0 && (reader.here === true || deep !== undefined),
    ...(deep !== undefined && { deep }),
    ...(reader.lists && { lists: true }),
  }
}

const isFiles = ({ operands }: Reader): boolean => operands !== 'none' && operands !== 'text'

/** What a variable holds may be a secret: programs say what they are given, if only in an error. */
function says(words: readonly ShellWord[], { variables }: Pick<Known, 'variables'>): Verdict {
  const name = programOf(words)
  // What these compare decides only how they end, but for a number that is none.
  const isQuiet =
    /^(test|\[)$/.test(name) && !words.some(({ value }) => /^-(eq|ne|lt|le|gt|ge)$/.test(value ?? ''))
  const veiled = words.find(
    ({ value, text }) => value === undefined && secretIn(text, variables) !== undefined,
  )
  return veiled && !isQuiet ? { changes: `\`${name} ${veiled.text}\` shows what a variable holds` } : {}
}

/** A call of git also runs what the configuration of the repository names. */
function inRepository(verdict: Verdict, { places, look }: Known): Verdict {
  if (verdict.here !== true) return verdict
  for (const place of places.absolute(verdict.goes ?? '.')) {
    const trouble = look.gitTrouble(look.real(place))
    if (trouble === undefined) continue
    const why = `git may run other programs here: ${trouble}`
    return {
      ...verdict,
      changes: verdict.changes ? `${verdict.changes}; ${why}` : why,
      named: Math.max(2, verdict.named ?? 1),
    }
  }
  return verdict.goes === undefined || verdict.changes !== undefined
    ? verdict
    : { ...verdict, reads: [...(verdict.reads ?? []), plainWord(verdict.goes)] }
}
