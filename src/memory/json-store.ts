/**
 * A `Memory` in a JSON file of gopi's cache, shared with other running gopis: what they wrote meanwhile is kept. A
 * damaged file counts as empty, and a disk that cannot be written is no reason to say anything.
 */

import { readFileSync } from 'node:fs'
import type { Memory } from '../protocol/memory.ts'
import { parseRecord } from '../text/record.ts'
import { replaceOwn } from './own-file.ts'

const defaultEntries = 200
const defaultBytes = 262_144
/**
 * Milliseconds after a change until it is written, so that a run's changes are few writes: each takes some milliseconds
 * of everybody's.
 */
const writeDelay = 10_000

export interface JsonStore extends Memory {
  /** What was kept is on disk afterwards, or could not be written. Call it before the process ends. */
  flush(): void
}

export interface JsonStoreOptions {
  /** How many entries the file holds, the last kept ones. */
  entries?: number
  /** How large it may become. */
  bytes?: number
}

/** Nothing is read before the first `recall`. The file is 0600, its directory 0700. */
export function openJsonStore(
  file: string,
  { entries = defaultEntries, bytes = defaultBytes }: JsonStoreOptions = {},
): JsonStore {
  let known: Map<string, unknown> | undefined
  const unwritten = new Map<string, unknown>()
  let timer: NodeJS.Timeout | undefined

  function recall(key: string): unknown {
    known ??= parse(readOrNothing(file), bytes)
    return unwritten.get(key) ?? known.get(key)
  }

  function keep(key: string, value: object): void {
    unwritten.delete(key)
    unwritten.set(key, value)
    timer ??= setTimeout(flush, writeDelay).unref()
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (unwritten.size === 0) return
    const all = parse(readOrNothing(file), bytes)
    for (const [key, value] of unwritten) {
      // The last kept stand last: what is dropped for room is the oldest.
      all.delete(key)
      all.set(key, value)
    }
    unwritten.clear()
    known = all
    replaceOwn(file, Buffer.from(fit(all, { entries, bytes })))
  }

  return { recall, keep, flush }
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function parse(text: string, bytes: number): Map<string, unknown> {
  if (text.length > bytes) return new Map()
  return new Map(Object.entries(parseRecord(text) ?? {}))
}

/** The file's text, without the oldest entries if it would become too large. */
function fit(all: Map<string, unknown>, limits: { entries: number; bytes: number }): string {
  for (;;) {
    const text = `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`
    const excess = Math.max(
      all.size - limits.entries,
      text.length > limits.bytes ? Math.ceil(all.size / 4) : 0,
    )
    if (excess <= 0) return text
    for (const key of [...all.keys()].slice(0, excess)) all.delete(key)
  }
}
