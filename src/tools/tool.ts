/** What a tool is, for everybody who calls one. `define.ts` makes one. */
import type { ToolKind } from '../protocol/events.ts'
import type { ParameterSchema, WireTool } from '../protocol/wire.ts'
import type { Shell } from '../shell/shell.ts'
import { head, size } from '../text/truncate.ts'
import type { KnownFiles } from './ledger.ts'

/** Two faces: `output` is text for the model, `details` typed data for screen and journal. */
export interface ToolResult {
  output: string
  details?: unknown
  /** True: the model is told that it failed (a command's exit code, a file that is not there). */
  is_error?: boolean
}

/** What the person is shown before saying yes. */
export type Preview =
  | { type: 'command'; command: string }
  | { type: 'diff'; path: string; diff: string; added: number; removed: number }
  | { type: 'text'; text: string }

export interface ToolLimits {
  bash_timeout_ms: number
  bash_max_output: number
  read_max_lines: number
  grep_max_matches: number
}

export interface ToolContext {
  /** The session's directory, a real path. Relative paths of file tools mean it, wherever the shell has gone. */
  cwd: string
  signal: AbortSignal
  /** Live output for the screen. May be called at any time until the result is there. */
  onOutput(text: string): void
  shell: Shell
  limits: ToolLimits
  /** Bytes that the output may take: half of the free context, shared by the calls of one turn. */
  budget: number
  /** What the model knows of files. */
  files: KnownFiles
  /**
   * The file that the permission room decided upon: a path that means another one by now is refused. undefined: it
   * decided upon none.
   */
  target?: DecidedFile | undefined
  /** Whether a file (a real path) may hold secrets: what a search finds there is not shown. */
  isSecret(real: string): boolean
  /** The session's own directory for spilled output, made (0700) when it is first asked for. */
  spillDir(): Promise<string>
}

/** A file as a decision saw it. */
export interface DecidedFile {
  /** The real path. */
  real: string
  /** Device and inode; undefined where there was nothing. */
  id: string | undefined
}

export type Checked = { ok: true; args: Record<string, unknown> } | { ok: false; problem: string }

export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: ParameterSchema
  readonly kind: ToolKind
  /** Arguments from a model are unknown until this has named every problem, for the model to mend. */
  check(args: unknown): Checked
  /** Calls of one turn with the same lane run one after the other, in call order. */
  lane?(args: Record<string, unknown>, cwd: string): string | undefined
  /** What a call would do, for the approval. Throws `ToolError` when it cannot succeed. */
  preview?(args: Record<string, unknown>, context: ToolContext): Promise<Preview>
  /** Runs a checked call. Throws `ToolError` for what the model should hear, `signal.reason` when cancelled. */
  execute(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult>
}

/** The tool as the model is told about it; the same tool gives the same bytes. */
export function toWire({ name, description, parameters }: Tool): WireTool {
  return { type: 'function', function: { name, description, parameters } }
}

/** At most `budget` bytes of an output; where something is missing `narrow` says what the model can do. */
export function cut(output: string, budget: number, narrow = 'Ask for less.'): string {
  const bytes = Buffer.byteLength(output)
  if (bytes <= budget) return output
  const notice = `Cut: the context has no room for all of ${size(bytes)}. ${narrow}`
  const kept = head(output, budget - notice.length - 1)
  return kept === '' || kept.endsWith('\n') ? kept + notice : `${kept}\n${notice}`
}
