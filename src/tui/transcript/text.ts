/** The conversation as plain text: for the clipboard, and for the normal screen when gopi is left. */
import type { Words } from '../../words/words.ts'
import type { Cell } from '../cells/cell.ts'
import type { Line } from '../line.ts'
import type { Block } from '../markdown/block.ts'
import type { Transcript } from './transcript.ts'

type ReplyCell = Extract<Cell, { type: 'reply' }>

/** The Markdown of the last reply, as it was written; undefined where there is none. */
export function lastReply(transcript: Transcript): string | undefined {
  const cells: ReplyCell[] = []
  for (const cell of transcript.newestFirst()) {
    if (cell.type === 'reply') cells.unshift(cell)
    else if (cells.length > 0) break
  }
  return cells.length === 0 ? undefined : markdownOf(cells)
}

/** Parts of one block are put together again. */
function markdownOf(cells: readonly ReplyCell[]): string {
  return cells
    .map(({ block, joined = false }, index) => {
      const text = block.type === 'code' ? codeMarkdown(block, cells[index + 1]?.block) : block.source
      return `${index === 0 ? '' : joined ? '\n' : '\n\n'}${text}`
    })
    .join('')
}

function codeMarkdown(block: Extract<Block, { type: 'code' }>, next: Block | undefined): string {
  const goesOn = next?.type === 'code' && next.before === block
  const head = block.before ? '' : `\`\`\`${block.language}\n`
  return `${head}${block.text}${goesOn ? '' : '\n```'}`
}

export interface Farewell {
  width: number
  words: Words
  /** Rows. */
  most?: number
}

/** The last part of the conversation. The transcript is left at its end. */
export function farewellLines(
  transcript: Transcript,
  { width, words, most = 40 }: Farewell,
): readonly Line[] {
  transcript.find('')
  transcript.toEnd()
  const look = { unfolded: false, words, now: performance.now() }
  return transcript.view({ width, height: most, look }).lines
}
