import * as z from 'zod/mini'
import { ToolError } from '../protocol/errors.ts'
import type { SeenFile } from '../protocol/messages.ts'
import { diffLines } from '../text/diff.ts'
import { count, plural, size } from '../text/truncate.ts'
import { defineTool } from './define.ts'
import { maxHashed } from './ledger.ts'
import { openRegular } from './open.ts'
import { pathParameter } from './path.ts'
import { decodeUtf8 } from './plain-text.ts'
import { findTarget, refuseMasks, save, type Target } from './save.ts'
import { cleaned, foreignSigns } from './suspect.ts'
import { sayBroken } from './syntax/check.ts'
import type { ToolContext } from './tool.ts'

/** What write and edit changed. */
export interface ChangeDetails {
  path: string
  added: number
  removed: number
  /** Unified, without file headers; empty when the old content was no text or too big to show. */
  diff: string
  created?: boolean
  seen: SeenFile
}

export const write = defineTool({
  name: 'write',
  mends: 'targets',
  parameters: z.object({ path: pathParameter(), content: z.string() }),
  description: 'Create a file, or replace all of it. To change a part, use edit.',

  access: ({ path }) => [{ write: path }],

  async preview(args, context) {
    const { target, before, content } = await plan(args, context)
    return { type: 'diff', path: target.shown, ...diffLines(before ?? '', content) }
  },

  async execute(args, context) {
    const { target, before, content, notes } = await plan(args, context)
    const { real, shown } = target
    const created = target.stats === undefined
    const change =
      before === undefined ? { added: lineCount(content), removed: 0, diff: '' } : diffLines(before, content)
    const stats = before === content && target.stats ? target.stats : await save(target, content, context)
    const written = stats !== target.stats
    const seen = context.files.saw({ real, stats, content }, { written })
    const details: ChangeDetails = { path: shown, ...change, ...(created && { created }), seen }
    if (!written) return { output: `${shown} has this content already.`, details }
    const lines = plural(lineCount(content), 'line')
    const bytes = size(Buffer.byteLength(content))
    const done =
      created || !before
        ? `${created ? 'Created' : 'Replaced'} ${shown}: ${lines}, ${bytes}.`
        : `Replaced ${shown}: ${lines} (${count(lineCount(before))} before), ${bytes}.${sayGone(before, change)}`
    const broken = await sayBroken(shown, { before: created ? undefined : (before ?? ''), after: content })
    return { output: [done, ...notes].join(' ') + broken, details }
  },
})

interface Plan {
  target: Target
  /** Empty for a file that is not there yet, undefined for what cannot be shown. */
  before: string | undefined
  /** What is to be in the file. */
  content: string
  /** Whole sentences for the model. */
  notes: string[]
}

async function plan(
  { path, content: sent }: { path: string; content: string },
  context: ToolContext,
): Promise<Plan> {
  const target = await findTarget(path, context)
  const { real, shown, stats } = target
  const old = stats && (await oldContent(path, stats.size, { ...context, target }))
  const before = stats ? old && decodeUtf8(old) : ''
  if (stats && before !== sent) context.files.mustKnow({ real, shown, stats, content: old })
  refuseMasks(sent, before)
  if (before === sent) return { target, before, content: sent, notes: [] }
  if (sent.trim() === '' && before?.trim()) {
    throw new ToolError(
      `write: "content" is empty, and ${shown} has ${plural(lineCount(before), 'line')}: nothing was written. To empty a file on purpose, or to remove it, use bash.`,
    )
  }
  const about = { name: 'content', file: shown, before: stats ? before : undefined }
  const clean = cleaned({ ...about, text: sent, line: 1 })
  if (!clean.ok) throw new ToolError(`write: ${clean.problem} Nothing was written.`)
  const { text: content, kept } = keepForm(clean.text, before ?? '')
  const strange = foreignSigns(about, content, { start: 0, end: content.length })
  if (strange.problem) throw new ToolError(`write: ${strange.problem} Nothing was written.`)
  return { target, before, content, notes: [...clean.notes, ...kept, ...strange.notes] }
}

/** A file keeps its line ends and its byte-order mark, which no model sends. */
function keepForm(sent: string, before: string): { text: string; kept: string[] } {
  const kept: string[] = []
  let text = sent
  if (before.includes('\r\n') && !/(?<!\r)\n/.test(before) && !text.includes('\r\n') && text.includes('\n')) {
    text = text.replaceAll('\n', '\r\n')
    kept.push('Its CRLF line ends were kept.')
  }
  if (before.startsWith('\ufeff') && !text.startsWith('\ufeff')) {
    text = `\ufeff${text}`
    kept.push('Its byte-order mark was kept.')
  }
  return { text, kept }
}

/** Small models often send a part of a file as if it were the whole. */
function sayGone(before: string, { added, removed }: { added: number; removed: number }): string {
  const lines = lineCount(before)
  if (lines < 4 || removed * 2 <= lines || added >= removed) return ''
  return ` Warning: ${count(removed)} of the ${count(lines)} lines that it had are gone. If that was not meant, put them back.`
}

/** Bigger files are replaced without showing what was in them. */
async function oldContent(path: string, bytes: number, context: ToolContext): Promise<Buffer | undefined> {
  if (bytes > maxHashed) return undefined
  const { handle } = await openRegular(path, context)
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

function lineCount(text: string): number {
  const lines = text.split('\n').length
  return text === '' || text.endsWith('\n') ? lines - 1 : lines
}
