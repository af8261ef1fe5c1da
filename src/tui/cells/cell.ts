/**
 * What the transcript is made of. A cell is a value and never changes: what still grows (the end of a reply, a running
 * tool) is replaced by another cell.
 */
import type { FinishedTool } from '../../text/tool-line.ts'
import type { Notice } from './text.ts'
import type { RunningTool } from './tool.ts'

export type Cell = (
  | ({ type: 'welcome' } & Welcome)
  /** What the person said. */
  | { type: 'user'; text: string }
  /** A block of the reply's Markdown; `open` while it is still being written. */
  | { type: 'reply'; block: string; open?: boolean }
  /** `ms` once it has ended; `since` (of performance.now()) while it goes on. */
  | { type: 'thinking'; text: string; ms?: number; since?: number }
  | { type: 'running'; tool: RunningTool; since: number }
  | { type: 'tool'; tool: FinishedTool; ms: number }
  | ({ type: 'notice' } & Notice)
  /** Old history was replaced by a summary. */
  | { type: 'compaction'; summary: string; tokenBefore: number; tokenAfter: number }
) & {
  /** It belongs to the cell before: no blank line between them. */
  joined?: boolean
}

export interface Welcome {
  version: string
  model: string
  dialect: string
  directory: string
  trusted: boolean
  /** Files whose text the model is told, with their tokens. */
  instructions: readonly { path: string; tokens: number }[]
  /** Keys to know, as they are printed, with what they do. */
  keys: readonly { key: string; does: string }[]
}
