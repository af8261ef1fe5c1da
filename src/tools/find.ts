import { type Dirent, readdir } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import { count } from '../text/truncate.ts'
import { boundBraces } from './braces.ts'
import { defineTool } from './define.ts'
import { openIgnored } from './ignored.ts'
import { examine } from './open.ts'
import { pathParameter, showPath } from './path.ts'

export interface FindDetails {
  path: string
  files: number
}

const maxFiles = 200
/** What is found beyond is not even counted. */
const maxCounted = 10_000

/** Files by glob, hidden ones too. What is left out is told in ignored.ts. */
export const find = defineTool({
  name: 'find',
  mends: 'places',
  parameters: z.object({
    pattern: z.string().check(z.minLength(1), z.describe('glob, e.g. *.ts or src/**/test_*.py')),
    path: z.optional(pathParameter()),
  }),
  description: 'Find files by name or path.',
  narrow: 'Use a narrower pattern or path.',

  access: ({ path = '.' }) => [{ read: path }],

  async execute({ pattern, path: given = '.' }, context) {
    const { cwd, signal } = context
    const { absolute, real: start, shown, stats } = await examine(given, context)
    if (!stats.isDirectory()) throw new ToolError(`${shown} is not a directory; find searches below one.`)
    const found = await glob(toGlob(pattern), { start, cwd, signal })
    const details: FindDetails = { path: shown, files: found.length }
    if (found.length === 0) return { output: 'No files found.', details }
    const lines = found.slice(0, maxFiles).map(file => showPath(path.join(absolute, file), cwd))
    if (found.length > maxFiles) {
      const all = found.length < maxCounted ? count(found.length) : `more than ${count(maxCounted)}`
      lines.push(`Showing ${maxFiles} of ${all} files. Use a narrower pattern or path.`)
    }
    return { output: lines.join('\n'), details }
  },
})

/** A pattern without a slash matches at any depth. */
function toGlob(pattern: string): string {
  boundBraces(pattern, 'find: "pattern"')
  const plain = pattern.replace(/^(\.\/)+/, '')
  if (plain.startsWith('/') || plain.split('/').includes('..')) {
    throw new ToolError('find: "pattern" is relative to "path"; put the directory into "path".')
  }
  const whole = plain.endsWith('/') ? `${plain}**` : plain
  return whole.includes('/') ? whole : `**/${whole}`
}

async function glob(
  pattern: string,
  { start, cwd, signal }: { start: string; cwd: string; signal: AbortSignal },
): Promise<string[]> {
  const { default: fastGlob } = await import('fast-glob')
  const stream = fastGlob.stream(pattern, {
    cwd: start,
    dot: true,
    extglob: false,
    followSymbolicLinks: false,
    suppressErrors: true,
    fs: { readdir: readdirWithoutIgnored(start, { cwd, signal }) as typeof readdir },
  })
  const found: string[] = []
  for await (const file of stream) {
    if (found.push(String(file)) === maxCounted) break
  }
  signal.throwIfAborted()
  return found.sort()
}

/** fast-glob reads directories through this, so that it never enters what is ignored. */
function readdirWithoutIgnored(start: string, { cwd, signal }: { cwd: string; signal: AbortSignal }) {
  const ignored = openIgnored(start, cwd)
  return (
    directory: string,
    options: { withFileTypes: true },
    done: (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void,
  ): void => {
    readdir(directory, options, (error, entries) => {
      if (error || signal.aborted) return done(error, [])
      done(
        null,
        entries.filter(entry => !ignored.has(directory, entry.name, entry.isDirectory())),
      )
    })
  }
}
