/**
 * What good config files said, so that yaml and zod load only after a change. A file is known by its place on the disk,
 * its size and its times; the check by the build that made it. What is wrong with a file is never kept.
 */
import { statSync } from 'node:fs'
import path from 'node:path'
import { readOwn, replaceOwn } from '../memory/own-file.ts'

/** Files of so many projects are remembered, the last ones. */
const MOST_FILES = 50
/** Milliseconds. A file may be changed again in the same tick of its disk's clock, the coarsest of which is FAT's. */
const UNSETTLED = 2_000

export interface ConfigCache {
  /** What the file said when it was last checked; undefined when it is not known as it is now. */
  recall(file: string): object | undefined
  /** `stamp` is the file's from before it was read. */
  keep(file: string, stamp: Stamp, values: object): void
}

/** Tells one state of a file from all others. */
export interface Stamp {
  identity: string
  /** Milliseconds since 1970. */
  changed: number
}

interface Known {
  identity: string
  values: object
}

/** `directory` is gopi's cache. Nothing is read before a file is asked for that is there. */
export function openConfigCache(directory: string): ConfigCache {
  const cacheFile = path.join(directory, 'config.json')
  const read = () => parse(readOwn(cacheFile)?.toString('utf8') ?? '')
  return {
    recall(file) {
      const stamp = stampOf(file)
      const known = stamp && read().get(file)
      return known?.identity === stamp?.identity ? known?.values : undefined
    },

    keep(file, { identity, changed }, values) {
      if (Date.now() - changed < UNSETTLED) return
      const files = read()
      files.delete(file)
      files.set(file, { identity, values })
      const kept = Object.fromEntries([...files].slice(-MOST_FILES))
      replaceOwn(cacheFile, Buffer.from(JSON.stringify({ build: process.env.GOPI_BUILD, files: kept })))
    },
  }
}

/** undefined: there is no such regular file. */
export function stampOf(file: string): Stamp | undefined {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
    if (!stat?.isFile()) return undefined
    const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs } = stat
    return { identity: [dev, ino, size, mtimeNs, ctimeNs].join(' '), changed: Number(mtimeMs) }
  } catch {
    return undefined
  }
}

/** Another build may check otherwise: what it kept is nothing. So is what cannot be read. */
function parse(text: string): Map<string, Known> {
  try {
    const { build, files } = JSON.parse(text) as { build?: string; files: Record<string, Known> }
    return new Map(build === process.env.GOPI_BUILD ? Object.entries(files) : [])
  } catch {
    return new Map()
  }
}
