import path from 'node:path'
import * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import { plural } from '../text/truncate.ts'
import { boundBraces } from './braces.ts'
import { defineTool } from './define.ts'
import { openIgnored } from './ignored.ts'
import { examine, kindOf } from './open.ts'
import { searchByOurselves } from './own-search.ts'
import { pathParameter, showPath } from './path.ts'
import { findProgram } from './program.ts'
import { searchWithRg } from './rg.ts'
import type { Match, Query } from './search.ts'

export interface GrepDetails {
  pattern: string
  path: string
  matches: number
  files: number
}

/** Lines as `path:line: text`. By ripgrep where there is one, by ourselves where not or where it declines. */
export const grep = defineTool({
  name: 'grep',
  mends: 'places',
  parameters: z.object({
    pattern: z.string().check(z.minLength(1), z.describe('regular expression')),
    path: z.optional(pathParameter()),
    glob: z.optional(z.string().check(z.describe('files, e.g. *.ts'))),
    literal: z.optional(z.boolean().check(z.describe('pattern is plain text'))),
    ignore_case: z.optional(z.boolean()),
  }),
  description: 'Search file contents.',
  narrow: 'Narrow it with pattern, path or glob.',

  access: ({ path = '.' }) => [{ read: path }],

  async execute({ pattern, path: given = '.', glob, literal = false, ignore_case = false }, context) {
    const { cwd, signal, limits, isSecret } = context
    if (glob !== undefined) boundBraces(glob, 'grep: "glob"')
    const { real: start, shown, stats } = await examine(given, context)
    const isDirectory = stats.isDirectory()
    if (!isDirectory && !stats.isFile()) throw new ToolError(`${shown} is ${kindOf(stats)}, not a file.`)
    const limit = limits.grep_max_matches
    const query: Query = { pattern, literal, ignoreCase: ignore_case, glob, start, isDirectory, cwd, limit }

    const program = findProgram('rg', { path: process.env.PATH, cwd })
    const ignored = openIgnored(isDirectory ? start : path.dirname(start), cwd)
    const byRg = program === undefined ? undefined : await searchWithRg(program, query, { ignored, signal })
    const { matches: found, more, stopped } = byRg ?? (await searchByOurselves(query, signal))
    // Who names such a file was asked about it; a search of the tree meets it by chance.
    const matches = isSecret(start) ? found : found.filter(({ file }) => !isSecret(file))

    const lines = matches.map(({ file, line, text }) => `${showPath(file, cwd)}:${line}: ${text}`)
    if (matches.length < found.length)
      lines.push(
        hidden(
          found.filter(match => !matches.includes(match)),
          cwd,
        ),
      )
    if (more) lines.push(`Showing the first ${limit} matches; there are more. Narrow pattern, path or glob.`)
    if (stopped)
      lines.push('Stopped before all files were searched: it took too long. Narrow pattern, path or glob.')
    const files = new Set(matches.map(({ file }) => file)).size
    const details: GrepDetails = { pattern, path: shown, matches: matches.length, files }
    return { output: lines.length === 0 ? 'No matches.' : lines.join('\n'), details }
  },
})

function hidden(matches: readonly Match[], cwd: string): string {
  const files = [...new Set(matches.map(({ file }) => showPath(file, cwd)))].join(', ')
  return `Not shown: ${plural(matches.length, 'match', 'matches')} in ${files}, which may hold secrets. Reading it asks the user.`
}
