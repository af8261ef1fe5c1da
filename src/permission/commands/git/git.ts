/**
 * git, by subcommand and options. A reading call still runs what the repository's configuration names, so the caller
 * looks at that too. What is on no list here (an alias, for all that gopi knows) no rule can speak for.
 */
import type { Said } from '../../../protocol/sayings.ts'
import { said } from '../../../words/sayings/said.ts'
import { READING } from '../../gate/programs/git.ts'
import { readGlobals } from '../../gate/programs/git-call.ts'
import type { Verdict } from '../../judge/judged.ts'
import { plainWord, type ShellWord } from '../../shell/line.ts'
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

/** No rule speaks for it, and a rule that forbids cannot see what runs. */
const never = (why: Said): Verdict => ({ changes: why, unclear: why, hides: why })

export function judgeGit(args: readonly ShellWord[]): Verdict {
  const { goes, at, odd } = readGlobals(args.map(({ value }) => value))
  const [first, ...words] = args.slice(at)
  if (first === undefined || first.value === '--version') return {}
  if (odd || first.value === undefined) {
    const hard = hardAfter(words)
    return { ...never(said('permission.git_runs', { what: `\`git ${first.text}\`` })), ...(hard && { hard }) }
  }
  return { ...judgeSubcommand(first.value, words), ...(goes !== undefined && { goes }) }
}

/** Behind options that nobody reads here, any word may be the subcommand, or an alias for one. */
function hardAfter(words: readonly ShellWord[]): Said | undefined {
  return words
    .slice(0, 12)
    .map(({ value = '' }, n) => {
      const [, alias] = /(?:^|=)alias\.[^=]+=(.*)$/is.exec(value) ?? []
      if (alias === undefined) return hardCall(value, words.slice(n + 1))
      return hardAfter(alias.trim().split(/\s+/).map(plainWord))
    })
    .find(hard => hard !== undefined)
}

function judgeSubcommand(name: string, words: readonly ShellWord[]): Verdict {
  const call = `git ${name}`
  const hard = hardCall(name, words)
  if (hard !== undefined) return { changes: hard, hard }
  const running = runningOption(name, words)
  if (running !== undefined) return never(running)
  if (name === 'config') {
    const steering = steeringConfig(words)
    const changes = steering ?? said('permission.git_changes', { what: call })
    return { changes, named: 2, here: true, ...(steering !== undefined && { hard: steering }) }
  }
  if (LOCAL.has(name) || Object.hasOwn(READING, name)) {
    const changes = said('permission.git_repository', { what: call })
    return { changes, here: true, ...(LOCAL.has(name) && remoteTalk(words)) }
  }
  if (REMOTE.has(name)) return { changes: said('permission.git_talks', { what: call }), named: 2, here: true }
  return never(said('permission.git_unknown', { what: `\`${call}\`` }))
}

/** `git remote show`, `update`, `prune` ask the other machine. */
const remoteTalk = (words: readonly ShellWord[]): Pick<Verdict, 'named'> =>
  /^(show|update|prune)$/.test(words.find(({ value }) => !value?.startsWith('-'))?.value ?? '')
    ? { named: 3 }
    : {}
