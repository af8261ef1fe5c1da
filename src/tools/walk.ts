/** The project's files in the order of their paths, without what is ignored. Links are not followed. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { openIgnored } from './ignored.ts'

export interface WalkOptions {
  /** The session's directory: see `openIgnored`. */
  cwd: string
  signal?: AbortSignal
}

/**
 * Regular files below `start` (a real path), relative to it, with `/`. Sorted like strings, so that who needs only the
 * first ones may stop early. Directories that cannot be read are passed over.
 */
export async function* walk(start: string, { cwd, signal }: WalkOptions): AsyncGenerator<string> {
  const ignored = openIgnored(start, cwd)

  async function* below(directory: string, prefix: string): AsyncGenerator<string> {
    signal?.throwIfAborted()
    const entries = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => [])
    for (const [key, entry] of entries.map(entry => [sortKey(entry), entry] as const).sort(byKey)) {
      const isDirectory = entry.isDirectory()
      if (!isDirectory && !entry.isFile()) continue
      if (ignored.has(directory, entry.name, isDirectory)) continue
      if (isDirectory) yield* below(path.join(directory, entry.name), prefix + key)
      else yield prefix + entry.name
    }
  }
  yield* below(start, '')
}

/** With its slash a directory sorts where the paths of its files belong. */
function sortKey(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name
}

function byKey([a]: readonly [string, Dirent], [b]: readonly [string, Dirent]): number {
  return a < b ? -1 : 1
}
