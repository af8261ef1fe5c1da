/** The column beside the conversation, where the screen is wide enough for both. */
export interface Side {
  /** The latest first. */
  files: readonly SideFile[]
  /** The model's list of things to do, a line each. */
  todo: readonly string[]
  /** What fills the context, by part: its name and tokens. */
  parts: readonly (readonly [name: string, tokens: number])[]
  /** Commands that go on in the background. */
  running: readonly string[]
  /** The MCP servers, each with how it is. */
  servers: readonly { name: string; state: string }[]
  /** Bytes that the model takes, and how many of them on a GPU; absent where nobody can tell. */
  memory?: { size: number; gpu: number }
}

/** A file that the session read or changed. */
export interface SideFile {
  /** As seen from the session's directory. */
  path: string
  added: number
  removed: number
  /** What was changed, one change after the other; empty: it was only read. */
  diffs: readonly string[]
}

export const COLUMNS_FOR_SIDE = 140

interface Room {
  columns: number
  wantsSide?: boolean
}

/** Columns of it with its edge; 0: it is not there. */
export function sideWidth({ columns, side, wantsSide }: Room & { side?: Side }): number {
  return side && wantsSide && columns >= COLUMNS_FOR_SIDE ? Math.min(46, Math.floor(columns * 0.27)) : 0
}

/** It is looked after only then. */
export const hasSide = ({ columns, wantsSide }: Room): boolean =>
  wantsSide === true && columns >= COLUMNS_FOR_SIDE
