/**
 * One process writes a session's journal: a link next to it, `lock`, points to that process's name. A link comes into
 * being with what it says, so nobody ever reads half of it, and it is replaced in one step.
 */
import { mkdirSync, readFileSync, readlinkSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { isRunning, ownName } from './process.ts'
import type { SessionPlace } from './store.ts'

/** Others are waited for a millisecond at a time: what they do here takes less. */
const mostTries = 200

export type Locked = { release: () => void } | { heldBy: number }

/**
 * Takes the session for this process, so that two do not write one journal. Returns the other process's id when it is
 * taken; this process's own where it holds the session already. A lock whose process is gone is taken over. Where
 * nothing can be written there is nothing to protect.
 */
export function lock({ directory }: SessionPlace): Locked {
  const file = path.join(directory, 'lock')
  const own = ownName()
  try {
    const owner = acquire(file, own, () => mkdirSync(directory, { recursive: true, mode: 0o700 }))
    return owner === undefined ? { release: () => unlock(file, own) } : { heldBy: Number.parseInt(owner, 10) }
  } catch {
    return { release: () => {} }
  }
}

/**
 * → who holds it already; undefined: now this process (`own`) does. Only one process takes over from a dead one, the one
 * that holds a lock for doing that: who comes late finds another owner and leaves it alone. `prepare` makes the directory,
 * which an owner that goes takes along.
 */
function acquire(file: string, own: string, prepare: () => void): string | undefined {
  let owner: string | undefined
  for (let tries = 0; tries < mostTries; tries++) {
    prepare()
    const refused = refusal(() => symlinkSync(own, file))
    if (refused === undefined) return undefined
    if (refused !== 'EEXIST' && refused !== 'ENOENT') break
    owner = ownerOf(file)
    if (owner === undefined) continue
    if (isRunning(owner)) return owner
    const claim = `${file}.${owner.replace(/[^\d-]/g, '').slice(0, 40)}`
    if (acquire(claim, own, prepare) !== undefined) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    } else if (ownerOf(file) === owner) {
      renameSync(claim, file)
      return undefined
    } else {
      rmSync(claim, { force: true })
    }
  }
  if (owner !== undefined) return owner
  throw new Error('nothing can be written there')
}

function refusal(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

/** undefined: there is no lock. An older gopi's is a file. */
function ownerOf(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return readFileSync(file, 'utf8')
  }
}

/** A directory that holds nothing else is removed with its lock. One that cannot be removed is taken over some day. */
function unlock(file: string, own: string): void {
  try {
    if (ownerOf(file) === own) rmSync(file, { force: true })
    rmdirSync(path.dirname(file))
  } catch {}
}
