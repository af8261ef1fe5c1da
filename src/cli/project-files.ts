/** The project's files for the completion of `@`, without what is ignored. No program is run for it. */
import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { openIgnored } from '../tools/ignored.ts'

/** Files that are listed at most: who starts gopi in a home directory has millions. */
const MOST_FILES = 100_000
/** Milliseconds that are worked at a stretch: a key waits no longer. */
const STRETCH = 3
/** Entries that are read at once. */
const READ = 64

/**
 * Paths of regular files below `cwd` (a real path), relative to it, with `/`: those near the top first. Links are not
 * followed; directories that cannot be read are passed over.
 */
export async function* projectFiles(cwd: string, signal: AbortSignal): AsyncGenerator<string[]> {
  const ignored = openIgnored(cwd, cwd)
  const directories = ['']
  let files: string[] = []
  let listed = 0
  let begun = performance.now()
  // The list grows while it is being walked.
  for (const prefix of directories) {
    const directory = path.join(cwd, prefix)
    for await (const entry of entriesOf(directory)) {
      const isDirectory = entry.isDirectory()
      if ((isDirectory || entry.isFile()) && !ignored.has(directory, entry.name, isDirectory)) {
        if (isDirectory) directories.push(`${prefix}${entry.name}/`)
        else {
          files.push(prefix + entry.name)
          listed++
        }
      }
      if (performance.now() - begun < STRETCH) continue
      await breathe()
      if (signal.aborted) return
      yield files
      if (listed >= MOST_FILES) return
      files = []
      begun = performance.now()
    }
  }
  yield files
}

async function* entriesOf(directory: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(directory, { bufferSize: READ })
  } catch {
    // It may not be readable, or is gone.
  }
}
