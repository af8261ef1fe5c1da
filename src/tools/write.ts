import * as z from 'zod/mini'
import type { SeenFile } from '../protocol/messages.ts'
import { diffLines } from '../text/diff.ts'
import { plural, size } from '../text/truncate.ts'
import { defineTool } from './define.ts'
import { maxHashed } from './ledger.ts'
import { openRegular } from './open.ts'
import { pathParameter, realTarget, resolvePath } from './path.ts'
import { decodeUtf8 } from './plain-text.ts'
import { findTarget, refuseMasks, save, type Target } from './save.ts'
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
  kind: 'edit',
  parameters: z.object({ path: pathParameter(), content: z.string() }),
  description: 'Create a file, or replace all of it. To change a part, use edit.',

  lane: ({ path }, cwd) => realTarget(resolvePath(path, cwd).absolute),

  async preview(args, context) {
    const { target, before } = await plan(args, context)
    return { type: 'diff', path: target.shown, ...diffLines(before ?? '', args.content) }
  },

  async execute(args, context) {
    const { content } = args
    const { target, before } = await plan(args, context)
    const { real, shown } = target
    const created = target.stats === undefined
    const change =
      before === undefined ? { added: lineCount(content), removed: 0, diff: '' } : diffLines(before, content)
    const stats =
      before === content && target.stats ? target.stats : await save(target, content, context.signal)
    const written = stats !== target.stats
    const seen = context.files.saw({ real, stats, content }, { written })
    const details: ChangeDetails = { path: shown, ...change, ...(created && { created }), seen }
    if (!written) return { output: `${shown} has this content already.`, details }
    const verb = created ? 'Created' : 'Replaced'
    const what = `${plural(lineCount(content), 'line')}, ${size(Buffer.byteLength(content))}`
    const note =
      before?.includes('\r\n') && !content.includes('\r\n') ? ' Its line ends were CRLF and are LF now.' : ''
    return { output: `${verb} ${shown}: ${what}.${note}`, details }
  },
})

/** `before`: empty for a file that is not there yet, undefined for what cannot be shown. */
async function plan(
  { path, content }: { path: string; content: string },
  context: ToolContext,
): Promise<{ target: Target; before: string | undefined }> {
  const target = await findTarget(path, context)
  const { real, shown, stats } = target
  const old = stats && (await oldContent(path, stats.size, { ...context, target }))
  const before = stats ? old && decodeUtf8(old) : ''
  if (stats && before !== content) context.files.mustKnow({ real, shown, stats, content: old })
  refuseMasks(content, before)
  return { target, before }
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
