/**
 * Processes as the system lists them, which of them belong to a command, and their end: TERM, then KILL.
 *
 * All commands share bash's process group. Groups of their own (`set -m`) would change what commands see, and
 * would not stop bash from going on with the next step of a list once the first is killed. So a command's
 * processes are found by their parents, their session and their age, while bash itself is stopped.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Process, PS_ARGUMENTS, parsePs, parseStat } from './process-lines.ts'

/**
 * The processes that run now (zombies do not). Linux reads /proc, which is there also where `ps` is not. None where nobody
 * can look, with no file descriptor left: what ends then is the shells' groups, which are known.
 */
export async function listProcesses(): Promise<Process[]> {
  try {
    if (process.platform === 'linux') return listProc()
    const { stdout } = await promisify(execFile)('/bin/ps', PS_ARGUMENTS, { maxBuffer: 64 * 1024 * 1024 })
    return parsePs(stdout)
  } catch {
    return []
  }
}

function listProc(): Process[] {
  const uptime = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 1000
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return parseStat(stat, { uptime, command })
    } catch {
      return [] // It has ended meanwhile.
    }
  })
}

/** The descendants of a process, parents first. */
export function descendants(processes: readonly Process[], root: number): Process[] {
  const found: Process[] = []
  for (let parents = new Set([root]); parents.size > 0; ) {
    const children = processes.filter(({ parent, pid }) => parents.has(parent) && pid !== root)
    found.push(...children)
    parents = new Set(children.map(({ pid }) => pid))
  }
  return found
}

/**
 * What a command of a shell has started: the shell's descendants, also those in groups of their own, and orphans
 * in its session, if they are not older than the command. Parents first: a script that lost its child before its
 * own TERM would go on to its next line.
 */
export function startedBy(processes: readonly Process[], shell: number, age: number): Process[] {
  const tree = descendants(processes, shell)
  const inTree = new Set(tree.map(({ pid }) => pid))
  const orphans = processes.filter(
    ({ pid, session }) => session === shell && pid !== shell && !inTree.has(pid),
  )
  return [...tree, ...orphans].filter(process => process.age <= age)
}

/** Signals a process, or with a negative number a group. False when there is none. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

/** Milliseconds between two looks while processes end: nobody tells about grandchildren. */
const LOOK_MS = 10
/** Milliseconds that KILL may take until a process counts as one that cannot be killed. */
export const KILL_MS = 1000

/**
 * Ends the processes that `choose` finds, also those that appear meanwhile: TERM, and KILL for what is there
 * after `grace` ms.
 */
export async function endProcesses(
  choose: (processes: Process[]) => Process[],
  { grace }: { grace: number },
): Promise<void> {
  const told = new Set<number>()
  for (const start = performance.now(); ; await sleep(LOOK_MS)) {
    const processes = await listProcesses()
    const chosen = new Set(choose(processes))
    // An orphan in a group of its own is found no more by its parent.
    const alive = [...chosen, ...processes.filter(one => told.has(one.pid) && !chosen.has(one))]
    const waited = performance.now() - start
    if (alive.length === 0 || waited > grace + KILL_MS) return
    for (const { pid } of alive) {
      if (waited >= grace) signal(pid, 'SIGKILL')
      else if (!told.has(pid)) signal(pid, 'SIGTERM') && signal(pid, 'SIGCONT')
      told.add(pid)
    }
  }
}

/** The processes that carry just `NAME=value` in the environment they were started with, as far as we may look. */
export async function markedProcesses(processes: readonly Process[], mark: string): Promise<Process[]> {
  if (process.platform === 'linux')
    return processes.filter(({ pid }) => environment(pid).split('\0').includes(mark))
  const { stdout } = await promisify(execFile)('/bin/ps', ['-E', ...PS_ARGUMENTS], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const marked = new Set(
    parsePs(stdout).flatMap(one => (one.command.split(' ').includes(mark) ? [one.pid] : [])),
  )
  return processes.filter(({ pid }) => marked.has(pid))
}

function environment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
