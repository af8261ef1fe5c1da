/** Files as the person's editor has them: what it has not saved yet is what the model sees and changes. */
import type { Stats } from 'node:fs'
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeTemporary } from '../paths/temporary.ts'
import { maxHashed } from './ledger.ts'

export interface Buffers {
  /** The text of a file (a real path). undefined: the editor does not tell, so the disk is what counts. */
  read(real: string): Promise<string | undefined>
  /**
   * → false: it is none of the editor's, and is to be written to the disk. Throws a `ToolError` where the editor refuses it.
   */
  write(real: string, text: string): Promise<boolean>
}

/** What an editor has of a file, opened as a file; undefined: what is on disk, as far as text goes. */
export async function unsaved(
  { real, handle, stats }: { real: string; handle: FileHandle; stats: Stats },
  buffers: Buffers | undefined,
): Promise<{ handle: FileHandle; stats: Stats } | undefined> {
  if (!buffers || stats.size > maxHashed) return undefined
  const held = await buffers.read(real)
  if (held === undefined || isSame(held, await contentOf(handle, stats.size))) return undefined
  const directory = makeTemporary('output')
  try {
    const file = path.join(directory, path.basename(real).slice(-100))
    await writeFile(file, held, { mode: 0o600 })
    const own = await open(file)
    return { handle: own, stats: await own.stat() }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Editors do without what ends lines, and without a mark at the beginning. */
const isSame = (held: string, saved: string): boolean => bare(held) === bare(saved)
const bare = (text: string): string =>
  text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .replace(/\n$/, '')

/** From its beginning, wherever it will be read from next. */
async function contentOf(handle: FileHandle, size: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0)
  return buffer.toString('utf8', 0, bytesRead)
}
