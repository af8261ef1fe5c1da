/**
 * Directories in the system's place for temporary files. Each bears the id of the process that made it, so that what a
 * process that was killed left behind is known for what it is.
 */
import { mkdtempSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A new directory (0700). Whoever makes it removes it. */
export const makeTemporary = (
  purpose: 'clipboard' | 'net' | 'output' | 'prompt' | 'proof' | 'shell',
): string => mkdtempSync(path.join(tmpdir(), `gopi-${purpose}-${process.pid}-`))

const ours = /^gopi-(?:clipboard|net|output|prompt|proof|shell)-([1-9]\d{0,9})-\w{6}$/

/** Removes this user's directories whose process is gone. What cannot be removed stays; never rejects. */
export async function removeForgotten(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names) {
    const pid = Number(ours.exec(name)?.[1])
    if (!isGone(pid)) continue
    const directory = path.join(tmpdir(), name)
    try {
      const stats = await lstat(directory)
      if (stats.isDirectory() && stats.uid === process.getuid?.())
        await rm(directory, { recursive: true, force: true })
    } catch {
      // Somebody else was faster.
    }
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
