/** What one simple command of a line that did not pass the gate is known to do: enough for rules, never to run unasked. */
import type { Said } from '../../protocol/sayings.ts'
import { said } from '../../words/sayings/said.ts'
import { evaluates } from '../commands/evaluators.ts'
import { judgeGit } from '../commands/git/git.ts'
import { type Around, known, repositoryRuns } from '../gate/known.ts'
import { takesFiles } from '../gate/programs/readers.ts'
import type { Look } from '../look.ts'
import type { ShellWord } from '../shell/line.ts'
import { programOf, wordsText } from '../shell/programs.ts'
import type { Verdict } from './judged.ts'
import { setting } from './names.ts'
import type { Places } from './places.ts'

interface Known {
  /** Assignments before it that matter. */
  set: readonly string[]
  places: Places
  look: Look
}

export function knownVerdict(words: readonly ShellWord[], { set, places, look }: Known): Verdict {
  const verdict = ofProgram(words, { places, look })
  return set.length === 0 ? verdict : { ...verdict, ...setting(set) }
}

function ofProgram(words: readonly ShellWord[], { places, look }: Omit<Known, 'set'>): Verdict {
  const name = programOf(words)
  const args = words.slice(1)
  const written = words[0]?.value ?? ''
  const isGit = name === 'git'
  // A path names a file of somebody's, whatever it is called.
  if (written !== name && !/^\/(usr\/)?bin\/[a-z]\w*$/.test(written)) {
    const changes = said('permission.unknown_program', { what: words[0]?.text ?? '' })
    const { hard, unclear, hides }: Verdict = isGit ? judgeGit(args) : {}
    return { changes, ...(hard && { hard }), ...(unclear && { unclear }), ...(hides && { hides }) }
  }
  if (name === 'cd') return {}
  const values = words.map(({ value, glob, text }) =>
    // How a command ended is a number.
    name === 'echo' && /^"?[^$`\\"']*\$\?[^$`\\"']*"?$/.test(text) ? '0' : glob ? undefined : value,
  )
  const isLiteral = values.every(value => value !== undefined)
  const around = { look, hardened: false, absolute: (...parts: string[]) => places.absolute(...parts) }
  const reading = isLiteral ? known([name, ...values.slice(1)], around) : undefined
  if (reading && reading.changes === undefined) return reading
  if (isGit) return changing(judgeGit(args), around, reading?.changes)
  // What these are told to do besides looking, no rule can say: run, delete, write, evaluate.
  if (/^(find|fd|fdfind|test|\[|printf)$/.test(name))
    return never(reading?.changes ?? said('permission.what_does', { what: `\`${wordsText(words)}\`` }))
  const veiled = args.find(({ value }) => value === undefined)
  // A secret, for all that a rule knows.
  if (veiled && takesFiles(name) && !/^(echo|printf|seq|sleep|date)$/.test(name))
    return never(said('permission.which_file_reads', { what: `\`${name} ${veiled.text}\`` }))
  const evaluated = evaluates(name, args)
  if (veiled && takesFiles(name) && evaluated.unclear === undefined)
    return { ...evaluated, changes: said('permission.what_does', { what: `\`${name} ${veiled.text}\`` }) }
  return reading?.changes ? { ...evaluated, changes: reading.changes } : evaluated
}

/** No rule speaks for it. */
const never = (why: Said): Verdict => ({ changes: why, unclear: why })

/** A call of git that is not known to only read. */
function changing(verdict: Verdict, around: Around, reading: Said | undefined): Verdict {
  const changes = verdict.changes ?? reading ?? said('permission.unknown_reader', { name: 'git' })
  const runs = verdict.here ? repositoryRuns(verdict, around) : undefined
  if (runs === undefined) return { ...verdict, changes }
  return {
    ...verdict,
    changes: verdict.changes ? said('permission.both', { why: verdict.changes, also: runs }) : runs,
    named: Math.max(2, verdict.named ?? 1),
  }
}
