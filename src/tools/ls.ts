import type { Dirent } from 'node:fs'
import { opendir, readlink } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import { count } from '../text/truncate.ts'
import { defineTool } from './define.ts'
import { examine, kindOf } from './open.ts'
import { pathParameter } from './path.ts'

export interface ListDetails {
  path: string
  entries: number
}

const maxEntries = 500
/** Entries of a directory that are looked at; what comes after them is not even counted. */
const maxCounted = 100_000

/** One entry a line: `name`, `directory/`, `link -> target`. Hidden ones too, but not .git. */
export const ls = defineTool({
  name: 'ls',
  mends: 'places',
  parameters: z.object({ path: z.optional(pathParameter()) }),
  description: 'List a directory.',
  narrow: 'List a subdirectory, or use find.',

  access: ({ path = '.' }) => [{ read: path }],

  async execute({ path: given = '.' }, context) {
    const { signal } = context
    const { real, shown, stats } = await examine(given, context)
    if (stats.isFile()) throw new ToolError(`${shown} is a file; use read.`)
    if (!stats.isDirectory()) throw new ToolError(`${shown} is ${kindOf(stats)}, not a directory.`)
    const entries = await readEntries(real, signal)
    const details: ListDetails = { path: shown, entries: entries.length }
    if (entries.length === 0) return { output: `${shown} is empty.`, details }
    const lines = await Promise.all(entries.slice(0, maxEntries).map(entry => print(real, entry)))
    if (entries.length > maxEntries) {
      const all = entries.length < maxCounted ? count(entries.length) : `more than ${count(maxCounted)}`
      lines.push(`Showing ${maxEntries} of ${all} entries. Use find with a pattern.`)
    }
    return { output: lines.join('\n'), details }
  },
})

async function readEntries(directory: string, signal: AbortSignal): Promise<Dirent[]> {
  const entries: Dirent[] = []
  for await (const entry of await opendir(directory, { bufferSize: 1024 })) {
    signal.throwIfAborted()
    if (entry.name !== '.git') entries.push(entry)
    if (entries.length === maxCounted) break
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function print(directory: string, entry: Dirent): Promise<string> {
  if (entry.isDirectory()) return `${entry.name}/`
  if (!entry.isSymbolicLink()) return entry.name
  const target = await readlink(path.join(directory, entry.name)).catch(() => '?')
  return `${entry.name} -> ${target}`
}
