/** A block of Markdown, or as much of a long one as can be drawn by itself. */
export type Block =
  | { type: 'markdown'; source: string }
  | CodeBlock
  /** Items that go on with a numbered list. */
  | { type: 'items'; source: string; start: number }
  /** Rows that go on with a table; `head` is its beginning, by which the columns are made. */
  | { type: 'rows'; source: string; head: string }

/** What is in a fence, or a part of it. */
export interface CodeBlock {
  type: 'code'
  language: string
  text: string
  /** The part before this one. */
  before?: CodeBlock
}

export interface Piece {
  block: Block
  /** It goes on with the block before: there is no blank line between them. */
  joined: boolean
}

/** The rows of a table by which its columns are made: those of its first part. */
export const TABLE_ROWS = 16
