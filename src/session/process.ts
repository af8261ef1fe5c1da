/** Which process is which: an id is given anew once its process is gone, the time of its start is not. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Linux counts a start in ticks since the boot, whatever is done to the clock. Elsewhere a process is asked about with
 * `ps`, and its own start (seconds since 1970) it knows itself.
 */
const ownStart = (): number => ticksOf(process.pid) ?? Math.floor(Date.now() / 1000 - process.uptime())

/** What names this process for good: `pid-start`. */
export const ownName = (): string => `${process.pid}-${ownStart()}`

/** Whether the process that called itself so still runs. Without a start, one with its id must do. */
export function isRunning(name: string): boolean {
  const [, id, start] = /^(\d+)(?:-(\d+))?$/.exec(name) ?? []
  const pid = Number(id)
  if (!(pid > 0) || !isAlive(pid)) return false
  if (start === undefined) return true
  const ticks = ticksOf(pid)
  if (ticks !== undefined) return ticks === Number(start)
  const began = pid === process.pid ? ownStart() : toldStart(pid)
  // It is another one if it began after the one that is meant; ps tells whole seconds.
  return began === undefined || began <= Number(start) + 2
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The 22nd field of its `stat`; the second one is a name in parentheses, with anything in it. NaN: it has ended, and nobody asked how. */
function ticksOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? Number.NaN : Number(fields[18])
  } catch {
    return undefined
  }
}

function toldStart(pid: number): number | undefined {
  if (process.platform === 'linux') return undefined
  try {
    const env = { ...process.env, LC_ALL: 'C' }
    const text = execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env,
      timeout: 2_000,
    })
    return Date.parse(text.trim()) / 1000 || undefined
  } catch {
    return undefined
  }
}
