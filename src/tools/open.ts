/**
 * Opening a file so that nothing but a regular file is ever opened, for a FIFO or a device could hang or act, and nothing
 * but the file that was decided upon, whatever happens to links meanwhile.
 */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises'
import { ToolError } from '../protocol/errors.ts'
import { unsaved } from './buffers.ts'
import { errorCode } from './failure.ts'
import { missing } from './missing.ts'
import { resolvePath, type ToolPath } from './path.ts'
import type { DecidedFile, ToolContext } from './tool.ts'

export interface OpenFile extends ToolPath {
  handle: FileHandle
  stats: Stats
  /** The path with all links resolved. */
  real: string
  /** Device and inode. */
  id: string
}

/** What of a context opening needs. */
export type Where = Pick<ToolContext, 'cwd' | 'target' | 'buffers'>

/** What is at a path; a `ToolError` with near names when nothing does. */
export async function examine(
  given: string,
  { cwd, target }: Where,
): Promise<ToolPath & { stats: Stats; real: string }> {
  const path = resolvePath(given, cwd)
  try {
    const real = await realpath(path.absolute)
    if (target) refuseChanged(target, { real, id: await identify(real) }, path.shown)
    return { ...path, real, stats: await stat(real) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') throw await missing(path, cwd)
    throw error
  }
}

/**
 * Opens a regular file for reading; the caller closes the handle. Links are resolved first, then not followed; what was
 * opened is looked at once more, so that a link swapped in between, also for a directory on the way, is refused. What an
 * editor has and has not saved is what is read.
 */
export async function openRegular(given: string, where: Where): Promise<OpenFile> {
  const { absolute, shown, real, stats: seen } = await examine(given, where)
  refuseOthers(seen, shown)
  const handle = await open(real, constants.O_RDONLY | notWaiting | notFollowing)
  try {
    const stats = await handle.stat()
    refuseOthers(stats, shown)
    const id = idOf(await handle.stat({ bigint: true }))
    refuseChanged({ real, id }, { real: await realpath(real), id: await identify(real) }, shown)
    if (where.target) refuseChanged(where.target, { real, id }, shown)
    const held = await unsaved({ real, handle, stats }, where.buffers)
    if (held) await handle.close()
    return { absolute, shown, real, id, handle, stats, ...held }
  } catch (error) {
    await handle.close()
    throw error
  }
}

const notWaiting = constants.O_NONBLOCK ?? 0
const notFollowing = constants.O_NOFOLLOW ?? 0

/** Throws where a path means something else than before. */
export function refuseChanged(before: DecidedFile, now: DecidedFile, shown: string): void {
  if (before.real === now.real && before.id === now.id) return
  throw new ToolError(
    `${shown} is not the file any more that was decided about: it changed in between, so nothing was done. Try again.`,
  )
}

/** Device and inode of what is at a real path; undefined: nothing. */
export async function identify(real: string): Promise<string | undefined> {
  return lstat(real, { bigint: true }).then(idOf, () => undefined)
}

export const idOf = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`

/** Throws a sentence for everything that is no regular file. */
export function refuseOthers(stats: Stats, shown: string): void {
  if (stats.isFile()) return
  if (stats.isDirectory()) throw new ToolError(`${shown} is a directory; use ls.`)
  throw new ToolError(`${shown} is ${kindOf(stats)}, not a file.`)
}

/** For a sentence: what a path that is no file and no directory is. */
export function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}
