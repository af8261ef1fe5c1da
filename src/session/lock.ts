/** One process writes a session's journal: a file beside it, `lock`, holds that process's id. */
import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import path from 'node:path'
import type { SessionPlace } from './store.ts'

/** Milliseconds by which the time of boot may be wrong. */
const slack = 5_000

export type Locked = { release: () => void } | { heldBy: number }

/**
 * Takes the session for this process, so that two do not write one journal. Returns the other process's id when it is
 * taken; this process's own where it holds the session already. A lock whose process is gone is taken over. Where
 * nothing can be written there is nothing to protect.
 */
export function lock({ directory }: SessionPlace): Locked {
  const file = path.join(directory, 'lock')
  for (let tries = 0; tries < 3; tries++) {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      create(file)
      return { release: () => unlock(file) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return { release: () => {} }
      const pid = ownerOf(file)
      if (pid !== undefined) return { heldBy: pid }
      rmSync(file, { force: true })
    }
  }
  return { release: () => {} }
}

/** The lock is there with its process's id at once: nobody reads an empty one. Throws EEXIST when there is one. */
function create(file: string): void {
  const own = `${file}.${process.pid}`
  writeFileSync(own, String(process.pid), { mode: 0o600 })
  try {
    linkSync(own, file)
  } finally {
    rmSync(own, { force: true })
  }
}

/** A directory in which nothing else came to lie goes with its lock. */
function unlock(file: string): void {
  rmSync(file, { force: true })
  try {
    rmdirSync(path.dirname(file))
  } catch {}
}

/** The living process that holds a lock. One that has got the id of a process of before the boot, or of before us, has not. */
function ownerOf(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined
    const { mtimeMs } = statSync(file)
    const begun = pid === process.pid ? performance.timeOrigin : Date.now() - uptime() * 1000 - slack
    return mtimeMs < begun ? undefined : pid
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
