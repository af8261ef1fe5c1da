/**
 * Writing a file whole or not at all: a temporary file beside it, then a rename; where that cannot be, it is filled anew.
 * A link is written through: its real target is replaced, the link stays. An existing file keeps its mode and owner, a new
 * one follows the umask. Meanwhile a note in the session's directory names the file that may be left, for the next start.
 */
import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import {
  access,
  chmod,
  chown,
  constants,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { realTarget } from '../paths/real.ts'
import { forRefill, refill } from '../paths/refill.ts'
import { ToolError } from '../protocol/errors.ts'
import { holdsMask } from '../text/secrets.ts'
import { errorCode } from './failure.ts'
import { identify, idOf, refuseChanged, refuseOthers, type Where } from './open.ts'
import { resolvePath, type ToolPath } from './path.ts'
import type { ToolContext } from './tool.ts'

/** What is known of a file that was written. */
export type Saved = Pick<Stats, 'size' | 'mtimeMs'>

export interface Target extends ToolPath {
  /** The path with all links resolved. */
  real: string
  /** undefined when there is no such file yet. */
  stats: Stats | undefined
  /** Device and inode; undefined when there is no such file yet. */
  id: string | undefined
}

/** What a write to `given` would meet. Throws a `ToolError` when it cannot be a file. */
export async function findTarget(given: string, { cwd, target }: Where): Promise<Target> {
  const { absolute, shown } = resolvePath(given, cwd)
  const real = realTarget(absolute)
  const id = await identify(real)
  if (target) refuseChanged(target, { real, id }, shown)
  const stats = await stat(real).catch(error => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (stats) {
    refuseOthers(stats, shown)
    await access(real, constants.W_OK)
  } else if (await isLink(absolute)) {
    throw new ToolError(`${shown} is a link to a file that does not exist; write to its target or remove it.`)
  } else if (/[\\/]$/.test(given)) {
    throw new ToolError(`${shown} names a directory; a file name is needed.`)
  }
  return { absolute, shown, real, stats, id }
}

/** Throws where a text holds the mark of a secret that the model was not shown: writing it would lose the secret. */
export function refuseMasks(text: string, before: string | undefined): void {
  if (!holdsMask(text) || (before !== undefined && holdsMask(before))) return
  throw new ToolError(
    'The text holds "[masked: …]", which stands for a secret that you were not shown. Leave those lines as they are: edit around them.',
  )
}

/**
 * Puts `text` there, making parent directories. → the file as it is then. Nothing is changed when the signal fires before
 * the end, or when something else is there by then.
 */
export async function save(
  target: Target,
  text: string,
  { changes, ...context }: Pick<ToolContext, 'signal' | 'spillDir' | 'changes' | 'buffers'>,
): Promise<Saved> {
  const changed = await changes?.beforeWrite(target.real, await context.buffers?.read(target.real))
  const stats = await put(target, text, context)
  changed?.(text)
  return stats
}

async function put(
  target: Target,
  text: string,
  { signal, spillDir, buffers }: Pick<ToolContext, 'signal' | 'spillDir' | 'buffers'>,
): Promise<Saved> {
  const { real, stats, id, shown } = target
  const directory = path.dirname(real)
  await mkdir(directory, { recursive: true })
  const refuseOther = async () => {
    const now = path.join(await realpath(directory), path.basename(real))
    refuseChanged({ real, id }, { real: now, id: await identify(real) }, shown)
  }
  await refuseOther()
  // An editor may keep it unsaved: then the disk has nothing of it.
  if (await buffers?.write(real, text))
    return lstat(real).catch(() => ({ size: Buffer.byteLength(text), mtimeMs: Date.now() }))
  const mark = randomBytes(6).toString('hex')
  const overwriteIt = async () => {
    const noted = await note(`filling-${mark}`, real, spillDir)
    try {
      return await overwrite(target, text, path.join(await spillDir(), `before-${mark}`))
    } finally {
      await noted.remove()
    }
  }
  if (stats && stats.nlink > 1) return overwriteIt()
  const temporary = path.join(directory, `.${path.basename(real).slice(0, 100)}.${mark}`)
  const noted = await note(`writing-${mark}`, temporary, spillDir)
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: stats ? 0o600 : 0o666, signal })
    if (stats) await takeOver(temporary, stats)
    signal.throwIfAborted()
    await refuseOther()
    await rename(temporary, real)
  } catch (error) {
    await rm(temporary, { force: true })
    if (stats && cannotReplace(error)) return await overwriteIt()
    // Nobody but us knows the temporary name.
    throw error instanceof Error && 'path' in error ? Object.assign(error, { path: real }) : error
  } finally {
    await noted.remove()
  }
  return lstat(real)
}

/** Notes a file's name in the session's directory. A session that cannot keep anything writes all the same. */
async function note(
  name: string,
  file: string,
  spillDir: ToolContext['spillDir'],
): Promise<{ remove(): Promise<void> }> {
  try {
    const place = path.join(await spillDir(), name)
    await writeFile(place, file, { mode: 0o600 })
    return { remove: () => rm(place, { force: true }) }
  } catch {
    return { remove: async () => {} }
  }
}

/** A rename would cut hard links, change the owner, or need rights to the directory: then the old file is filled anew. */
async function overwrite({ real, id, shown }: Target, text: string, copy: string): Promise<Stats> {
  const handle = await open(real, forRefill)
  try {
    refuseChanged({ real, id }, { real, id: idOf(await handle.stat({ bigint: true })) }, shown)
    refill(handle.fd, Buffer.from(text), copy)
    return await handle.stat()
  } catch (error) {
    throw error instanceof Error && 'path' in error ? Object.assign(error, { path: real }) : error
  } finally {
    await handle.close()
  }
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
