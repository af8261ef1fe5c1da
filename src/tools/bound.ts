/**
 * Redirects of a command line write into the files that were judged, whatever links are made before bash comes to them: it
 * is given those files opened, by their descriptors in gopi. Where the system has no such names, or there is no directory
 * yet that the file could lie in, the line stays as it is.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, realpath, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { BoundFile } from '../protocol/access.ts'
import { shellWord } from '../text/shell-word.ts'
import { errorCode } from './failure.ts'
import { identify, idOf, refuseChanged } from './open.ts'

interface Opened {
  real: string
  handle: FileHandle
  /** What stands for the file in the line. */
  name: string
  /** Of a file that was made for it: when that was. */
  made: bigint | undefined
}

export interface Bound {
  /** As it is to run. */
  command: string
  /** It has ended: what was made and never written is taken away again. */
  end(): Promise<void>
}

/** Throws `ToolError` where a path means another file by now. */
export async function bindWrites(command: string, files: readonly BoundFile[] = []): Promise<Bound> {
  const opened: Opened[] = []
  const end = async () => {
    for (const one of opened.splice(0)) await close(one)
  }
  try {
    let line = command
    // From the last on, so that the places before it stay where they are.
    for (const file of process.platform === 'linux' ? files.toSorted((a, b) => b.pos - a.pos) : []) {
      const known = opened.find(({ real }) => real === file.real)
      const one = known ?? (await openBound(file))
      if (one === undefined) continue
      if (!known) opened.push(one)
      const before = line.slice(0, file.pos)
      // Under `set -C` bash takes the file that was made for it for one that was there.
      const operator = one.made === undefined ? before : before.replace(/(?<![<>&|\\])>([ \t]*)$/, '>|$1')
      line = operator + one.name + line.slice(file.end)
    }
    return { command: line, end }
  } catch (error) {
    await end()
    throw error
  }
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants

const nameOf = ({ fd }: FileHandle): string => `/proc/${process.pid}/fd/${fd}`

/** undefined: it cannot be opened, which bash will say in its own words. */
async function openBound({ real, id, first }: BoundFile): Promise<Opened | undefined> {
  // What runs before it may ask whether it is there: it is made when bash comes to it, in the directory that was judged.
  if (id === undefined && !first) return openDirectory(real)
  const how = id === undefined ? O_CREAT | O_EXCL : O_NONBLOCK
  let handle: FileHandle
  try {
    handle = await open(real, O_WRONLY | O_NOFOLLOW | how, 0o666)
  } catch (error) {
    if (/^(EEXIST|ELOOP)$/.test(errorCode(error) ?? '')) refuseChanged({ real, id }, await nowAt(real), real)
    return undefined
  }
  return verified(handle, async () => {
    const stats = await handle.stat({ bigint: true })
    if (id !== undefined) refuseChanged({ real, id }, { real, id: idOf(stats) }, real)
    refuseChanged({ real, id: idOf(stats) }, await nowAt(real), real)
    return { real, handle, name: nameOf(handle), made: id === undefined ? stats.ctimeNs : undefined }
  })
}

async function openDirectory(real: string): Promise<Opened | undefined> {
  const directory = path.dirname(real)
  const handle = await open(directory, O_DIRECTORY | O_NOFOLLOW).catch(() => undefined)
  if (handle === undefined) return undefined
  return verified(handle, async () => {
    const id = idOf(await handle.stat({ bigint: true }))
    refuseChanged({ real: directory, id }, await nowAt(directory), real)
    const name = `${nameOf(handle)}/${shellWord(path.basename(real))}`
    return { real, handle, name, made: undefined }
  })
}

const nowAt = async (real: string) => ({
  real: await realpath(real).catch(() => ''),
  id: await identify(real),
})

async function verified(handle: FileHandle, verify: () => Promise<Opened>): Promise<Opened> {
  try {
    return await verify()
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function close({ real, handle, made }: Opened): Promise<void> {
  const stats = await handle.stat({ bigint: true })
  await handle.close()
  const isUnused = stats.size === 0n && stats.ctimeNs === made
  if (isUnused && (await identify(real)) === idOf(stats)) await unlink(real)
}
