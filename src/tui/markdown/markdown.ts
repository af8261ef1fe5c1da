/** Draws blocks of Markdown. Whoever shows them without it shows their text. */
import type { Line } from '../line.ts'
import type { Block } from './blocks.ts'

export interface Markdown {
  /** Another number whenever a block may be drawn differently from before (its code has got colours). */
  readonly version: number
  /** No line is wider than `width`. `open`: the block is still being written. */
  lines(block: Block, width: number, options: { open: boolean }): Line[]
}
