/** What the system writes about processes: lines of /proc on Linux, those of `ps` elsewhere. Pure. */

export interface Process {
  pid: number
  parent: number
  /** The session, which jobs of `set -m` do not leave; the group where the system does not tell. */
  session: number
  /** Milliseconds since it was started: at least; whole seconds where the system says no more. */
  age: number
  command: string
}

/** Clock ticks a second in /proc: the kernel's USER_HZ, 100 everywhere. */
const TICK_MS = 10

/** A line of /proc/PID/stat. The name in parentheses may hold anything, so fields count from the last `)`. */
export function parseStat(stat: string, { uptime, command }: { uptime: number; command: string }): Process[] {
  const [state, parent, , session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return []
  const age = uptime - Number(rest[15]) * TICK_MS
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  return [
    {
      pid: Number.parseInt(stat, 10),
      parent: Number(parent),
      session: Number(session),
      // Both clocks round down.
      age: age - 2 * TICK_MS,
      command: command === '' ? name : command,
    },
  ]
}

/** The columns that `parsePs` reads. */
export const PS_ARGUMENTS = ['-axww', '-o', 'pid=,ppid=,pgid=,stat=,etime=,command=']

/** What `ps` says with our columns; etime is [[days-]hours:]minutes:seconds. */
export function parsePs(text: string): Process[] {
  return text.split('\n').flatMap(line => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)\s+(.*)$/.exec(line)
    if (match === null || match[4]!.startsWith('Z')) return []
    const [pid, parent, group, , days = 0, hours = 0, minutes, seconds] = match.slice(1)
    const age = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)
    const numbers = { pid: Number(pid), parent: Number(parent), session: Number(group), age: age * 1000 }
    return [{ ...numbers, command: match[9]! }]
  })
}
