/**
 * Small files that gopi makes for itself, to be faster next time. They can be missing, and what cannot be written is
 * simply not there. And the way in which a small file of gopi's is replaced.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

/** The bytes of a regular file that is the user's, and that nobody else can write. */
export function readOwn(file: string): Buffer | undefined {
  let handle: number | undefined
  try {
    handle = openSync(file, 'r')
    const stats = fstatSync(handle)
    const isOurs = stats.uid === (process.getuid?.() ?? stats.uid) && (stats.mode & 0o022) === 0
    return isOurs && stats.isFile() ? readFileSync(handle) : undefined
  } catch {
    return undefined
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/** As `replaceWhole`; what cannot be written is not. */
export function replaceOwn(file: string, bytes: Uint8Array): void {
  try {
    replaceWhole(file, bytes)
  } catch {
    // It is made anew next time.
  }
}

/**
 * The file is 0600, its directory 0700. Who reads it meanwhile gets the old bytes or the new ones, never half of them.
 * What a process that was killed left beside it goes. Throws what the system says.
 */
export function replaceWhole(file: string, bytes: Uint8Array): void {
  const directory = path.dirname(file)
  const fresh = `${file}.${process.pid}`
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(directory))
    if (isLeft(name, path.basename(file))) rmSync(path.join(directory, name), { force: true })
  try {
    writeFileSync(fresh, bytes, { mode: 0o600, flag: 'wx' })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** A temporary file of this process, or of one that is gone. */
function isLeft(name: string, base: string): boolean {
  const pid = name.startsWith(`${base}.`) ? name.slice(base.length + 1) : ''
  if (!/^[1-9]\d{0,9}$/.test(pid)) return false
  try {
    return Number(pid) === process.pid || !process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
