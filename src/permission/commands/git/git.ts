/**
 * git, by subcommand and options. A reading call still runs what the repository's configuration names, so the caller
 * looks at that too. What is on no list here (an alias, for all that gopi knows) no rule can speak for.
 */
import { plainWord, type ShellWord } from '../../shell/line.ts'
import { readOptions } from '../options.ts'
import type { Verdict } from '../verdict.ts'
import { READING, type ReadingCall } from './reading.ts'
import { hardCall, runningOption, steeringConfig } from './running.ts'

/** Subcommands that a rule for all of git speaks for: they change the repository and the working tree. */
const LOCAL: ReadonlySet<string> = new Set(
  `add commit checkout switch restore branch tag merge stash mv rm reset rebase cherry-pick revert apply am init clean
  notes worktree reflog format-patch update-index read-tree write-tree commit-tree gc prune fsck sparse-checkout
  remote`.split(/\s+/),
)
/** These talk to another machine: a rule has to name them. */
const REMOTE: ReadonlySet<string> = new Set(
  'fetch pull push clone ls-remote submodule archive bundle lfs'.split(' '),
)
const HARMLESS_GLOBALS: ReadonlySet<string> = new Set(
  '--no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects'.split(' '),
)

/** No rule speaks for it, and a rule that forbids cannot see what runs. */
const never = (why: string): Verdict => ({ changes: why, unclear: why, hides: why })

export function judgeGit(args: readonly ShellWord[]): Verdict {
  const rest = [...args]
  let goes: string | undefined
  for (let first = rest[0]; first !== undefined; first = rest[0]) {
    const { value } = first
    if (value === undefined) return never(`gopi cannot tell what \`git ${first.text}\` is`)
    if (!value.startsWith('-')) break
    rest.shift()
    if (value === '--version') return {}
    if (value === '-C') {
      const directory = rest.shift()?.value
      if (directory === undefined) return never('gopi cannot tell where git is sent by -C')
      goes = goes === undefined || directory.startsWith('/') ? directory : `${goes}/${directory}`
    } else if (!HARMLESS_GLOBALS.has(value)) {
      const hard = hardAfter(rest)
      return { ...never(`\`git ${value}\` can make git run another program`), ...(hard && { hard }) }
    }
  }
  const [first, ...words] = rest
  if (first?.value === undefined) return {}
  return { ...judgeSubcommand(first.value, words), ...(goes !== undefined && { goes }) }
}

/** Behind options that nobody reads here, any word may be the subcommand. */
function hardAfter(words: readonly ShellWord[]): string | undefined {
  return words
    .slice(0, 12)
    .map(({ value }, n) => (value === undefined ? undefined : hardCall(value, words.slice(n + 1))))
    .find(hard => hard !== undefined)
}

function judgeSubcommand(name: string, words: readonly ShellWord[]): Verdict {
  const call = `git ${name}`
  const hard = hardCall(name, words)
  if (hard !== undefined) return { changes: hard, hard }
  const running = runningOption(name, words)
  if (running !== undefined) return never(running)
  const reading = Object.hasOwn(READING, name) ? READING[name] : undefined
  const problem = reading && readingProblem(words, reading)
  if (problem !== undefined && 'reads' in problem) return { reads: problem.reads, here: true }
  if (reading?.steers) {
    const steering = steeringConfig(words)
    const changes = steering ?? `${call} changes what git does`
    return { changes, named: 2, here: true, ...(steering !== undefined && { hard: steering }) }
  }
  if (LOCAL.has(name) || reading) {
    const changes = problem
      ? `\`${call}${problem.option}\` is not known to only read`
      : `${call} changes the repository`
    return { changes, here: true, ...(LOCAL.has(name) && remoteTalk(words)) }
  }
  if (REMOTE.has(name)) return { changes: `${call} talks to another machine`, named: 2, here: true }
  return never(`\`${call}\` is no command of git that gopi knows`)
}

/** What a reading call reads, or the option that makes it no such call. */
function readingProblem(
  words: readonly ShellWord[],
  call: ReadingCall,
): { reads: ShellWord[] } | { option: string } {
  const options = readOptions(words, call)
  if (typeof options === 'string') return { option: ` ${options}` }
  const { operands, given } = options
  const values = operands.map(({ value = '' }) => value)
  if (operands.some(({ value }) => value === undefined) || call.where?.(values, given) === false)
    return { option: '' }
  // `HEAD:x`, `:(glob)x` and `-L1,5:x` are about the file x.
  const inside = [...values, ...(given.get('L')?.split('\0') ?? [])].flatMap(
    value => /:(?:\([^)]*\)|[!^/]+)?(.+)$/.exec(value)?.[1] ?? [],
  )
  return { reads: [...values, ...inside].flatMap(pathspec) }
}

/** Quoted or not, git takes them as patterns, and `*.env` for .env too. */
function pathspec(value: string): ShellWord[] {
  const bare = value.replaceAll(/[*?]+|\[[^\]]*\]/g, '')
  return bare === value ? [plainWord(value)] : [{ ...plainWord(value), glob: true }, plainWord(bare)]
}

/** `git remote show`, `update`, `prune` ask the other machine. */
const remoteTalk = (words: readonly ShellWord[]): Pick<Verdict, 'named'> =>
  /^(show|update|prune)$/.test(words.find(({ value }) => !value?.startsWith('-'))?.value ?? '')
    ? { named: 3 }
    : {}
