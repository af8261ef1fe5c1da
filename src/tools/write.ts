import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { diffLines } from '../text/diff.ts'
import { plural, size } from '../text/truncate.ts'
import { defineTool } from './define.ts'
import { pathParameter, realTarget, resolvePath } from './path.ts'
import { decodeUtf8 } from './plain-text.ts'
import { findTarget, save, type Target } from './save.ts'

/** What write and edit changed. */
export interface ChangeDetails {
  path: string
  added: number
  removed: number
  /** Unified, without file headers; empty when the old content was no text or too big to show. */
  diff: string
  created?: boolean
}

/** Bigger files are replaced without showing what was in them. */
const maxShown = 8 * 1024 * 1024

export const write = defineTool({
  name: 'write',
  kind: 'edit',
  parameters: z.object({ path: pathParameter(), content: z.string() }),
  description: 'Create a file, or replace all of it. To change a part, use edit.',

  lane: ({ path }, cwd) => realTarget(resolvePath(path, cwd).absolute),

  async preview({ path, content }, { cwd }) {
    const target = await findTarget(path, cwd)
    return { type: 'diff', path: target.shown, ...diffLines((await oldText(target)) ?? '', content) }
  },

  async execute({ path, content }, { cwd, signal }) {
    const target = await findTarget(path, cwd)
    const before = await oldText(target)
    const created = target.stats === undefined
    const change =
      before === undefined ? { added: lineCount(content), removed: 0, diff: '' } : diffLines(before, content)
    const details: ChangeDetails = { path: target.shown, ...change, ...(created && { created }) }
    if (before === content && !created)
      return { output: `${target.shown} has this content already.`, details }
    await save(target, content, signal)
    const verb = created ? 'Created' : 'Replaced'
    const what = `${plural(lineCount(content), 'line')}, ${size(Buffer.byteLength(content))}`
    const note =
      before?.includes('\r\n') && !content.includes('\r\n') ? ' Its line ends were CRLF and are LF now.' : ''
    return { output: `${verb} ${target.shown}: ${what}.${note}`, details }
  },
})

/** Empty for a file that is not there yet, undefined for what cannot be shown. */
async function oldText({ real, stats }: Target): Promise<string | undefined> {
  if (!stats) return ''
  return stats.size > maxShown ? undefined : decodeUtf8(await readFile(real))
}

function lineCount(text: string): number {
  const lines = text.split('\n').length
  return text === '' || text.endsWith('\n') ? lines - 1 : lines
}
