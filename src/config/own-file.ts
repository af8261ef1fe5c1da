/**
 * Small files that gopi makes for itself, to be faster next time. They can be missing, and what cannot be written is
 * simply not there: nothing here throws.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
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

/** The file is 0600, its directory 0700. Who reads it meanwhile gets the old bytes or the new ones, never half of them. */
export function replaceOwn(file: string, bytes: Uint8Array): void {
  const fresh = `${file}.${process.pid}`
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    rmSync(fresh, { force: true })
    writeFileSync(fresh, bytes, { mode: 0o600, flag: 'wx' })
    renameSync(fresh, file)
  } catch {
    removeQuietly(fresh)
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // It was never there, or the directory cannot be written at all.
  }
}
