/**
 * What the transcript is made of. A cell is a value and never changes: what still grows (the end of a reply, a running
 * tool) is replaced by another cell.
 */
import type { Told } from '../../protocol/sayings.ts'
import type { FinishedTool } from '../../text/tool-line.ts'
import type { Words } from '../../words/words.ts'
import type { Block } from '../markdown/block.ts'
import type { Markdown } from '../markdown/markdown.ts'

export type Cell = (
  | ({ type: 'welcome' } & Welcome)
  /** What the person said. */
  | { type: 'user'; text: string }
  /** A block of the reply's Markdown; `open` while it is still being written. */
  | { type: 'reply'; block: Block; open?: boolean }
  /** `ms` once it has ended; `since` (of performance.now()) while it goes on. */
  | ({ type: 'thinking' } & Thinking)
  /** `isWaiting`: for its leave; no time counts yet. `limitMs`: how long it may run. */
  | { type: 'running'; tool: RunningTool; since: number; isWaiting?: true; limitMs?: number }
  | { type: 'tool'; tool: FinishedTool; ms?: number }
  | ({ type: 'notice' } & Notice)
  | ({ type: 'compaction' } & Compaction)
  | ({ type: 'took' } & Took)
) & {
  /** It belongs to the cell before: no blank line between them. */
  joined?: boolean
}

export interface Welcome {
  version: string
  /** Empty while nothing is known of it. */
  model: string
  dialect: string
  directory: string
  trusted: boolean
  /** Files whose text the model is told, with their tokens. */
  instructions: readonly { path: string; tokens: number }[]
  /** Names of what was added to gopi here. */
  loaded: Readonly<Record<'skills' | 'servers' | 'extensions', readonly string[]>>
  /** The session before, and the key that goes on with it. */
  last?: { first: string; ago: string; key: string }
  /** Keys to know, as they are printed, with what they do. */
  keys: readonly { key: string; does: string }[]
}

export interface Thinking {
  text: string
  ms?: number
  since?: number
}

export interface RunningTool {
  name: string
  arguments: Record<string, unknown>
  /** What it said so far. */
  output: string
}

export interface Notice {
  level: 'note' | 'warning' | 'error'
  message: string
}

/** Old history was replaced by a summary. */
export interface Compaction {
  summary: string
  tokenBefore: number
  /** How long a run waited for it. */
  waitedMs?: number
  tokenAfter: number
}

/** What a run has cost, in milliseconds and tokens. */
export interface Took {
  ms: number
  /** The person has ended it. */
  isStopped?: boolean
  reused: number
  read: number
  /** The server does not tell `reused` and `read`. */
  isEstimated: boolean
  /** Tokens a second. */
  rate?: number
  /** Why something was read in vain. */
  miss?: { code: string; message: string; facts?: Told['facts'] }
}

/** How cells are to be drawn. */
export interface Look {
  /** Everything is shown. */
  unfolded: boolean
  words: Words
  /** The key that unfolds, as it is printed. Default: it is not named. */
  unfoldKey?: string
  /** Tokens are told. Default: they are. */
  showTokens?: boolean
  /** performance.now(), for what is still going on. */
  now: number
  /** Absent until it is loaded: Markdown is shown as it was written. */
  markdown?: Markdown | undefined
}

/** They are drawn the same. */
export function isSameCell(one: Cell, other: Cell): boolean {
  if (one === other) return true
  if (one.type !== 'reply' || other.type !== 'reply') return false
  return one.block === other.block && one.open === other.open && one.joined === other.joined
}
