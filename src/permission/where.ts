/** Where an allowed command line runs: the one place that decides it. */
import path from 'node:path'
import { isInside } from '../paths/inside.ts'
import type { Walled } from '../protocol/access.ts'
import type { PermissionMode } from '../protocol/events.ts'
import type { Said } from '../protocol/sayings.ts'
import { speaksOfAll } from '../rules/match.ts'
import { told } from '../words/sayings/told.ts'
import type { Judged } from './judge/judged.ts'
import type { Decision, PermissionFacts } from './permission.ts'

/** The sandbox as decisions see it. */
export interface Wall {
  /** Without it, what would run in it is refused. */
  required: boolean
  /** Mode ask runs commands unasked where they can change the project. */
  works: boolean
  /** Why it does not hold here; undefined: it does. */
  problem(where: Walled): Promise<string | undefined>
  /** Hosts that what can change the project reaches; `*`: all. */
  network: readonly string[]
  /** It would have been used, and does not hold. */
  missed(why: string): void
}

/** What only reads, and nobody was asked about, runs where it could do nothing else. */
export function whereToRun({
  decision,
  by,
  why,
}: Pick<Decision, 'decision' | 'by'> & { why: Said }): Pick<Decision, 'where'> {
  const onlyReads = decision === 'allow' && by === 'mode' && why.facts.case === 'line_only_reads'
  return onlyReads ? { where: 'harmless' } : {}
}

/** The decision about a command line where there may be a wall: what would only be asked about because of the mode runs behind it. */
export async function behindWall(decision: Decision, facts: PermissionFacts, wall: Wall): Promise<Decision> {
  const where = walledFor(decision, facts, wall)
  if (where === undefined) return decision
  const problem = await wall.problem(where)
  // What is allowed as it is writes where it was judged, whatever links are made meanwhile.
  if (decision.decision === 'allow') return problem === undefined ? { ...decision, where } : decision
  if (problem === undefined) {
    const hosts = wall.network.length > 0 ? { hosts: wall.network.join(', ') } : {}
    const why =
      where === 'sandbox-work' ? told('permission.sandbox_work', hosts) : told('permission.sandbox_read', {})
    return { decision: 'allow', by: 'mode', why, where }
  }
  if (wall.required)
    return { decision: 'deny', by: 'mode', why: told('permission.sandbox_required', { why: problem }) }
  wall.missed(problem)
  return decision
}

function walledFor(
  { decision, by, why }: Decision,
  { mode, subjects, rules, base }: PermissionFacts,
  { works, network }: Wall,
): Walled | undefined {
  const isEdit = decision === 'allow' && why.facts.case === 'auto_edit'
  const isUnderstoodByNobody = by === 'mode' && (isEdit || decision === (mode === 'plan' ? 'deny' : 'ask'))
  if (subjects.some(subject => subject.type === 'command' && subject.stays)) return undefined
  const lines = subjects.flatMap(subject => (subject.type === 'command' ? [subject.judged] : []))
  if (!isUnderstoodByNobody || lines.length !== subjects.length || lines.some(isGrave)) return undefined
  const isFutile = lines.some(line => changes(line, mode === 'plan' ? WRITERS : MORE))
  const reading = isFutile ? undefined : 'sandbox-read'
  // Who works in the home has all there that runs by itself.
  const working = isInside(base.home, base.cwd) ? reading : 'sandbox-work'
  const profiles: Record<PermissionMode, Walled | undefined> = {
    plan: reading,
    ask: works ? working : reading,
    'auto-edit': working,
    yolo: undefined,
  }
  const profile = profiles[mode]
  // Who names a host did not say yes to what everybody gets from there.
  if (profile === 'sandbox-work' && network.length > 0 && lines.some(sends)) return undefined
  // Rules about files cannot be checked on what nobody understands.
  const speaksOfFiles = [...rules.deny, ...rules.ask].some(
    rule => speaksOfAll(rule, 'read') || (profile === 'sandbox-work' && speaksOfAll(rule, 'write')),
  )
  return speaksOfFiles ? undefined : profile
}

/** What asks in every mode does so in front of a wall, too. */
const isGrave = ({ hard, refused, outside, protected: guarded }: Judged): boolean =>
  hard.length + refused.length + outside.length + guarded.length > 0

/** A line that is known to want more than to read: the sandbox would only stop it. */
const changes = ({ writes, parts }: Judged, writers: ReadonlySet<string>): boolean =>
  writes.length > 0 ||
  parts.some(({ words, assignments }) => {
    const [program, ...args] = words.slice(assignments)
    const name = path.basename(program ?? '')
    if (name === 'git' && gitReads.test(args.find(word => !word?.startsWith('-')) ?? '')) return false
    return writers.has(name) || isWriter(name, args)
  })

/** A line that is known to publish something. Where no host is named it fails in a sandbox, and is asked about then. */
const sends = ({ parts }: Judged): boolean =>
  parts.some(({ words, assignments }) => {
    const [program, ...args] = words.slice(assignments)
    const name = path.basename(program ?? '')
    return SENDERS[name]?.some(command => args.includes(command)) && !args.includes('stash')
  })

const SENDERS: Readonly<Record<string, readonly string[]>> = {
  ...{ git: ['push', 'send-email'], docker: ['push'], podman: ['push'], gem: ['push'], twine: ['upload'] },
  ...Object.fromEntries(
    ['npm', 'pnpm', 'yarn', 'bun', 'cargo', 'poetry', 'uv'].map(name => [name, ['publish', 'unpublish']]),
  ),
}

/** It writes, whatever it is told, or is told to. */
export const isWriter = (name: string, args: readonly (string | undefined)[]): boolean =>
  WRITERS.has(name) || (name === 'sed' && args.some(word => /^(-\w*i|--in-place)/.test(word ?? '')))

/** What git reads: whatever its repository has it run as well can do nothing there. */
export const gitReads =
  /^(log|show|diff|status|blame|grep|ls-files|ls-tree|rev-parse|rev-list|describe|shortlog|cat-file|for-each-ref|merge-base)$/

/** Programs that write, whatever they are told. */
const WRITERS: ReadonlySet<string> = new Set(
  'rm rmdir mv cp mkdir touch ln chmod chown chgrp install tee dd truncate shred rsync patch kill pkill killall'.split(
    ' ',
  ),
)

/** Programs that go out, whatever they are told. */
export const NETWORK: ReadonlySet<string> = new Set(
  `curl wget http https ssh scp sftp rsync ftp telnet nc ncat netcat socat ping traceroute dig nslookup host whois gh glab
  npx bunx pnpx uvx aws gcloud az`.split(/\s+/),
)

/** Those that write, fetch or serve as a rule, and builtins that change the shell which the next command runs in. */
const MORE: ReadonlySet<string> = new Set([
  ...WRITERS,
  ...NETWORK,
  ...`git hg svn npm pnpm yarn bun deno pip pip3 pipx poetry uv conda bundle gem cargo
  go make cmake ninja meson bazel mvn gradle gradlew mvnw dotnet docker podman kubectl helm terraform ansible brew apt apt-get
  dnf yum apk pacman systemctl service launchctl tar unzip zip gunzip gzip crontab at nohup mkfifo mktemp open xdg-open code
  vim vi nano emacs less more top htop watch psql mysql sqlite3 redis-cli
  export unset alias unalias source . set shopt declare typeset readonly trap exec eval ulimit umask pushd popd hash enable`.split(
    /\s+/,
  ),
])
