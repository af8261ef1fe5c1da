/** A block of the reply: drawn as Markdown once that is loaded, until then as it was written. */
import { cut } from '../../text/width.ts'
import type { Line } from '../line.ts'
import type { Block } from '../markdown/block.ts'
import type { Look } from './cell.ts'
import { textLines } from './text.ts'

export function replyLines(
  { block, open = false }: { block: Block; open?: boolean },
  width: number,
  look: Look,
): Line[] {
  return [...languageLine(block, width), ...blockLines({ block, open }, width, look)]
}

/** Code says in what it is written. */
function languageLine(block: Block, width: number): Line[] {
  if (block.type !== 'code' || block.before || block.language === '') return []
  return textLines(cut(block.language, width), width, { style: 'muted' }).slice(0, 1)
}

function blockLines(
  { block, open }: { block: Block; open: boolean },
  width: number,
  { markdown }: Look,
): Line[] {
  if (!markdown) return plainLines(block, width)
  try {
    return markdown.lines(block, width, { open })
  } catch (error) {
    // Markdown that is nested a thousand times over is too deep for its reader.
    if (error instanceof RangeError) return plainLines(block, width)
    throw error
  }
}

function plainLines(block: Block, width: number): Line[] {
  return textLines(block.type === 'code' ? block.text : block.source, width, { style: 'plain' })
}
