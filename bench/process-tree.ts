/** The memory of a process and of everything that it started. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Bytes. */
export interface Memory {
  /** The resident pages of each process, summed up: what they share is counted several times. */
  rss: number
  /** The same with what is shared, also with others on the machine, counted in parts. Linux only. */
  pss?: number
}

/** Now. */
export function treeMemory(root: number): Memory {
  const processes = list()
  const members = new Set([root])
  // A child may stand before its parent: go on until nobody is added.
  for (let size = 0; size < members.size; ) {
    size = members.size
    for (const { pid, parent } of processes) if (members.has(parent)) members.add(pid)
  }
  const tree = processes.filter(({ pid }) => members.has(pid))
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
  return {
    rss: sum(tree.map(({ rss }) => rss)),
    ...(process.platform === 'linux' && { pss: sum(tree.map(({ pid }) => pss(pid))) }),
  }
}

function list(): { pid: number; parent: number; rss: number }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map(line => {
    const [pid = 0, parent = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number)
    return { pid, parent, rss: kilobytes * 1024 }
  })
}

function pss(pid: number): number {
  try {
    const found = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
    return Number(found?.[1] ?? 0) * 1024
  } catch {
    // It has ended since the list was made.
    return 0
  }
}
