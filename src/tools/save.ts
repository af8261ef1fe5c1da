/**
 * Writing a file whole or not at all: a temporary file beside it, then a rename. A link is written through: its real
 * target is replaced, the link stays. An existing file keeps its mode and owner, a new one follows the umask.
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
import { ToolError } from '../protocol/errors.ts'
import { holdsMask } from '../text/secrets.ts'
import { errorCode } from './failure.ts'
import { identify, idOf, notFollowing, notWaiting, refuseChanged, refuseOthers, type Where } from './open.ts'
import { realTarget, resolvePath, type ToolPath } from './path.ts'

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
  if (target && !(await isLink(real))) refuseChanged(target, { real, id }, shown)
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
 * the end, or when something else has come to stand there.
 */
export async function save(target: Target, text: string, signal: AbortSignal): Promise<Stats> {
  const { real, stats, id, shown } = target
  const directory = path.dirname(real)
  await mkdir(directory, { recursive: true })
  const refuseOther = async () => {
    const now = path.join(await realpath(directory), path.basename(real))
    refuseChanged({ real, id }, { real: now, id: await identify(real) }, shown)
  }
  await refuseOther()
  if (stats && stats.nlink > 1) return overwrite(target, text)
  const temporary = path.join(
    directory,
    `.${path.basename(real).slice(0, 100)}.${randomBytes(6).toString('hex')}`,
  )
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: stats ? 0o600 : 0o666, signal })
    if (stats) await takeOver(temporary, stats)
    signal.throwIfAborted()
    await refuseOther()
    await rename(temporary, real)
  } catch (error) {
    await rm(temporary, { force: true })
    if (stats && cannotReplace(error)) return overwrite(target, text)
    // Nobody but us knows the temporary name.
    throw error instanceof Error && 'path' in error ? Object.assign(error, { path: real }) : error
  }
  return lstat(real)
}

/** A rename would cut hard links, change the owner, or need rights to the directory: then the old file is filled anew. */
async function overwrite({ real, id, shown }: Target, text: string): Promise<Stats> {
  const handle = await open(real, constants.O_WRONLY | notWaiting | notFollowing)
  try {
    refuseChanged({ real, id }, { real, id: idOf(await handle.stat({ bigint: true })) }, shown)
    await handle.truncate()
    await handle.writeFile(text)
    return await handle.stat()
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
