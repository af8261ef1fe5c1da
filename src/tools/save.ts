/**
 * Writing a file whole or not at all: a temporary file beside it, then a rename. A link is written through: its real
 * target is replaced, the link stays. An existing file keeps its mode and owner, a new one follows the umask.
 */
import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { access, chmod, chown, constants, lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ToolError } from '../protocol/errors.ts'
import { errorCode } from './failure.ts'
import { refuseOthers } from './open.ts'
import { realTarget, resolvePath, type ToolPath } from './path.ts'

export interface Target extends ToolPath {
  /** The path with all links resolved. */
  real: string
  /** undefined when there is no such file yet. */
  stats: Stats | undefined
}

/** What a write to `given` would meet. Throws a `ToolError` when it cannot be a file. */
export async function findTarget(given: string, cwd: string): Promise<Target> {
  const { absolute, shown } = resolvePath(given, cwd)
  const real = realTarget(absolute)
  const stats = await stat(real).catch(error => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (stats) {
    refuseOthers(stats, shown)
    await access(real, constants.W_OK)
  } else if (await isLink(real)) {
    throw new ToolError(`${shown} is a link to a file that does not exist; write to its target or remove it.`)
  } else if (/[\\/]$/.test(given)) {
    throw new ToolError(`${shown} names a directory; a file name is needed.`)
  }
  return { absolute, shown, real, stats }
}

/** Puts `text` there, making parent directories. Nothing is changed when the signal fires before the end. */
export async function save({ real, stats }: Target, text: string, signal: AbortSignal): Promise<void> {
  await mkdir(path.dirname(real), { recursive: true })
  if (stats && stats.nlink > 1) return overwrite(real, text)
  const temporary = path.join(
    path.dirname(real),
    `.${path.basename(real).slice(0, 100)}.${randomBytes(6).toString('hex')}`,
  )
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: stats ? 0o600 : 0o666, signal })
    if (stats) await takeOver(temporary, stats)
    signal.throwIfAborted()
    await rename(temporary, real)
  } catch (error) {
    await rm(temporary, { force: true })
    if (stats && cannotReplace(error)) return overwrite(real, text)
    // Nobody but us knows the temporary name.
    throw error instanceof Error && 'path' in error ? Object.assign(error, { path: real }) : error
  }
}

/** A rename would cut hard links, change the owner, or need rights to the directory: then the old file is filled anew. */
function overwrite(real: string, text: string): Promise<void> {
  return writeFile(real, text)
}

function cannotReplace(error: unknown): boolean {
  return errorCode(error) === 'EPERM' || errorCode(error) === 'EACCES'
}

async function takeOver(temporary: string, { mode, uid, gid }: Stats): Promise<void> {
  const { uid: ownUid, gid: ownGid } = await lstat(temporary)
  if (uid !== ownUid || gid !== ownGid) await chown(temporary, uid, gid)
  await chmod(temporary, mode & 0o7777)
}

async function isLink(file: string): Promise<boolean> {
  return lstat(file).then(
    stats => stats.isSymbolicLink(),
    () => false,
  )
}
