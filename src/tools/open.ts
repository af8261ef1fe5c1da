/** Opening a file so that nothing but a regular file is ever opened: a FIFO or a device could hang or act. */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { ToolError } from '../protocol/errors.ts'
import { errorCode } from './failure.ts'
import { missing } from './missing.ts'
import { resolvePath, type ToolPath } from './path.ts'

export interface OpenFile extends ToolPath {
  handle: FileHandle
  stats: Stats
  /** The path with all links resolved. */
  real: string
}

/** What stands at a path; a `ToolError` with near names when nothing does. */
export async function examine(given: string, cwd: string): Promise<ToolPath & { stats: Stats }> {
  const path = resolvePath(given, cwd)
  try {
    return { ...path, stats: await stat(path.absolute) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') throw await missing(path, cwd)
    throw error
  }
}

/**
 * Opens a regular file for reading; the caller closes the handle. Links are resolved first, then not followed, so
 * that a link swapped in between is refused; what was opened is looked at once more.
 */
export async function openRegular(given: string, cwd: string): Promise<OpenFile> {
  const { absolute, shown, stats: seen } = await examine(given, cwd)
  refuseOthers(seen, shown)
  const real = await realpath(absolute)
  const handle = await open(
    real,
    constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
  )
  try {
    const stats = await handle.stat()
    refuseOthers(stats, shown)
    return { absolute, shown, real, handle, stats }
  } catch (error) {
    await handle.close()
    throw error
  }
}

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
