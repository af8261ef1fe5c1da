import * as z from 'zod/mini'
import { ToolError } from '../../protocol/errors.ts'
import { asForeign } from '../../text/foreign.ts'
import { count } from '../../text/truncate.ts'
import { defineTool } from '../define.ts'
import type { Tool } from '../tool.ts'
import type { Net } from './load.ts'
import { targetOf } from './target.ts'

export interface FetchDetails {
  url: string
  status: number
  /** Bytes, decompressed. */
  bytes: number
  title?: string
  from: number
  to: number
  total: number
  /** Whose text it is: from then on the permission room is wary. */
  foreign: string
}

/** ms, for all of it. */
const patience = 15_000

/** What loads a page is loaded with the first one. `net`: for tests, where the net is and how long it lasts. */
export const fetchTool = (net?: Net): Tool =>
  defineTool({
    name: 'fetch',
    parameters: z.object({
      url: z.string().check(z.minLength(1)),
      offset: z.optional(z.int().check(z.minimum(1), z.describe('first line'))),
    }),
    description: 'Read a public web page or text as Markdown. What it says was written by others.',
    narrow: 'Go on with offset.',

    access: ({ url }) => {
      try {
        return [{ reach: targetOf(url).host }]
      } catch {
        // It is refused before anything is reached.
        return [{ none: true }]
      }
    },

    preview: async ({ url }) => ({ type: 'text', text: targetOf(url).href }),

    async execute({ url, offset = 1 }, { signal, limits }) {
      const target = targetOf(url)
      const [{ load }, { decode }] = await Promise.all([import('./load.ts'), import('./decode.ts')])
      const timer = (net?.after ?? AbortSignal.timeout)(patience)
      const page = await load(target, {
        signal: AbortSignal.any([signal, timer]),
        ...(net && { net }),
      }).catch(error => {
        signal.throwIfAborted()
        if (timer.aborted) throw new ToolError(`fetch: ${target.host} took longer than ${patience / 1000} s.`)
        throw error
      })
      const { status, type, bytes, isCut } = page
      if (status >= 400 || status < 200)
        throw new ToolError(`fetch: ${page.url.href} answered with ${status}.`)
      const kind = type.split(';')[0]?.trim().toLowerCase() ?? ''
      const written = isText(kind) ? decode(bytes, { type, isCut }) : undefined
      if (written === undefined)
        throw new ToolError(
          `fetch: ${page.url.href} is ${kind || 'no text'} (${count(bytes.length)} bytes); only text is read.`,
        )
      const isPage = /html/.test(kind) || (kind === '' && /^\s*<(?:!doctype html|html)/i.test(written))
      const { title, text } = isPage
        ? (await import('./page.ts')).readable(written, page.url.href)
        : { title: '', text: written }
      const lines = text.split(/\r?\n/).map(line => shortened(line))
      if (offset > lines.length)
        throw new ToolError(`fetch: it has ${count(lines.length)} lines; offset is ${offset}.`)
      const to = Math.min(lines.length, offset - 1 + limits.read_max_lines)
      const details: FetchDetails = {
        url: page.url.href,
        status,
        bytes: bytes.length,
        ...(title !== '' && { title }),
        ...{ from: offset, to, total: lines.length },
        foreign: page.url.host,
      }
      return { output: marked(lines.slice(offset - 1, to).join('\n'), { ...details, isCut }), details }
    },
  })

const isText = (kind: string): boolean =>
  kind === '' ||
  /^text\/|[/+](?:json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-sh|sql)$|^application\/xhtml/.test(kind)

/** Characters of one line. */
const longest = 2_000
const shortened = (line: string): string =>
  line.length > longest ? `${line.slice(0, longest)} … (${count(line.length)} characters)` : line

function marked(
  text: string,
  { url, title, from, to, total, isCut }: FetchDetails & { isCut: boolean },
): string {
  const head = title === undefined ? [] : [title.replace(/\s+/g, ' ').slice(0, 200)]
  const notes = [
    ...(to < total ? [`Lines ${from}-${to} of ${count(total)}. Go on with offset=${to + 1}.`] : []),
    ...(isCut ? ['It was longer than 5 MB; the rest was not loaded.'] : []),
  ]
  return [asForeign([...head, text].join('\n'), { url }), ...notes].join('\n')
}
