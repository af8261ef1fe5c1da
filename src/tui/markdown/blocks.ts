/**
 * Cuts a reply that streams in into blocks of Markdown. A block is closed as soon as nothing that may follow can change
 * it, and a long one in parts, each of which can be drawn by itself; only the open end is drawn again with every delta.
 * The work for a delta does not grow with the reply.
 *
 * Bounds that break the rule “in parts is drawn as in one”: a paragraph, quote or piece of HTML of more than 4,000
 * characters, a list item or a row of more than 16,000, a line of code of more than 4,000 is split where too long.
 * References (`[text][name]`) are not resolved across blocks.
 */
import type { Block, Piece } from './block.ts'
import { blockOf, close, NONE, type Rest, read } from './scan.ts'
import { fenceOf } from './syntax.ts'

/** A reply so far. A value: it never changes. */
export interface Blocks {
  /** The end that is still being written, as far as it can be shown. */
  readonly open: Block | undefined
  /** Whether `open` goes on with the last closed block. */
  readonly joined: boolean
  readonly rest: Rest
}

export const noBlocks: Blocks = {
  open: undefined,
  joined: false,
  rest: { text: '', at: 0, kind: NONE, joined: false },
}

export function pushText(blocks: Blocks, delta: string): { blocks: Blocks; closed: readonly Piece[] } {
  const { closed, ...rest } = read(blocks.rest, delta)
  const open = openBlock(rest)
  const isSame = closed.length === 0 && isSameBlock(open, blocks.open)
  return { blocks: { open: isSame ? blocks.open : open, joined: rest.joined, rest }, closed }
}

/** A row of a table that is not whole changes nothing of what is shown. */
function isSameBlock(one: Block | undefined, other: Block | undefined): boolean {
  if (one?.type !== other?.type) return false
  return textOf(one) === textOf(other)
}

const textOf = (block: Block | undefined): string | undefined =>
  block?.type === 'code' ? block.text : block?.source

/** What is left when no more text comes. */
export function finishText({ rest }: Blocks): readonly Piece[] {
  const work = read(rest, rest.text.endsWith('\n') ? '' : '\n')
  close(work, work.at)
  return work.closed
}

/** A whole text. */
export function blocksOf(text: string): readonly Piece[] {
  const { blocks, closed } = pushText(noBlocks, text)
  return [...closed, ...finishText(blocks)]
}

const mayBecomeAnything = /^[ \t]*(?:[-=*_#>+|~`]{0,9}|\d{1,9}[.)]?)[ \t]*$/

/** A line of nothing but marks may become anything, and a row of a table is shown when it is whole. */
function openBlock({ text, at, kind }: Rest): Block | undefined {
  const line = text.slice(at)
  const isUndecided =
    kind.type === 'fence'
      ? /^ {0,3}[`~]+$/.test(line)
      : kind.type === 'table' || mayBecomeAnything.test(line) || fenceOf(line) !== undefined
  return blockOf(kind, isUndecided ? text.slice(0, at) : text)
}
