/** A block of the reply: drawn as Markdown once that is loaded, until then as it was written. */
import type { Line } from '../line.ts'
import type { Block } from '../markdown/blocks.ts'
import type { Look } from './cell.ts'
import { textLines } from './text.ts'

export function replyLines(
  { block, open = false }: { block: Block; open?: boolean },
  width: number,
  { markdown }: Look,
): Line[] {
  if (markdown) return markdown.lines(block, width, { open })
  if (block.type === 'code') {
    return textLines(block.text, width, { style: 'code', first: { text: '  ', style: 'plain' } })
  }
  return textLines(block.source, width, { style: 'plain' })
}
