/**
 * What files held before something changed them: `old/` in the session's directory, a file (0600) for each content, named
 * by its SHA-256. It goes with the session.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Bytes; what is bigger cannot be brought back. */
const mostBytes = 32 * 1024 * 1024

export const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** A file as it is. undefined: it is no regular file at this very path, or too big, or cannot be read. null: there is none. */
export async function present(
  real: string,
): Promise<{ content: Buffer; hash: string; mode: number } | null | undefined> {
  try {
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = await handle.stat()
      if (!stats.isFile() || stats.size > mostBytes) return undefined
      const content = await handle.readFile()
      return { content, hash: hashOf(content), mode: stats.mode & 0o7777 }
    } finally {
      await handle.close()
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined
  }
}

export class OldContents {
  #directory: () => Promise<string>
  #kept = new Set<string>()

  /** `directory`: the session's, made when it is first asked for. */
  constructor(directory: () => Promise<string>) {
    this.#directory = directory
  }

  /** → false: it could not be kept. */
  async keep(hash: string, content: Uint8Array): Promise<boolean> {
    if (this.#kept.has(hash)) return true
    try {
      const file = await this.#fileOf(hash)
      const fresh = `${file}.${process.pid}`
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      await writeFile(fresh, content, { mode: 0o600 })
      await rename(fresh, file).catch(async error => {
        await rm(fresh, { force: true })
        throw error
      })
      this.#kept.add(hash)
      return true
    } catch {
      return false
    }
  }

  /** undefined: it is not there, or not what it was. */
  async read(hash: string): Promise<Buffer | undefined> {
    const content = await readFile(await this.#fileOf(hash)).catch(() => undefined)
    return content && hashOf(content) === hash ? content : undefined
  }

  async #fileOf(hash: string): Promise<string> {
    return path.join(await this.#directory(), 'old', hash)
  }
}
