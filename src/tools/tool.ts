/** What a tool is, for everybody who calls one. `define.ts` makes one. */
import type { Access, BoundFile, Where } from '../protocol/access.ts'
import type { ParameterSchema, WireTool } from '../protocol/wire.ts'
import type { Background } from '../shell/background.ts'
import type { Shell } from '../shell/shell.ts'
import { head, size } from '../text/truncate.ts'
import type { Buffers } from './buffers.ts'
import type { KnownFiles } from './ledger.ts'

/** It wanted to write, what is hidden from it, or the network. */
export type Stopped = 'written' | 'hidden' | 'network'

/** Two faces: `output` is text for the model, `details` typed data for screen and journal. */
export interface ToolResult {
  output: string
  details?: unknown
  /** What a sandbox kept it from: the same call may be wanted outside. */
  stopped?: Stopped
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

/** Hears of what is about to change, so that it can be undone. */
export interface FileChanges {
  /** A file (a real path); `held`: as an editor has it. → to be called with what it holds then. */
  beforeWrite(real: string, held?: string): Promise<(after: string) => void>
  /** A command that may change anything. → to be called when it has ended. */
  beforeCommand(): () => Promise<void>
}

/** Has agents work. */
export interface Tasks {
  /** Throws `ToolError`. `changed`: real paths. */
  run(task: { agent: string; prompt: string }, context: ToolContext): Promise<ToolResult>
  /** Nobody works any more. */
  close(): void
}

/** What the calls of a session have in common. */
export interface ToolSurroundings {
  /** The session's directory, a real path. Relative paths of file tools mean it, wherever the shell has gone. */
  cwd: string
  shell: Shell
  limits: ToolLimits
  /** What the model knows of files. */
  files: KnownFiles
  /** Files as the person's editor has them. undefined: there is none, the disk is what counts. */
  buffers?: Buffers | undefined
  /** Keeps what files hold before calls change them. undefined: nobody wants it back. */
  changes?: FileChanges
  /** Commands that go on while the conversation does. */
  background: Background
  /** undefined: whoever calls has nobody to work for them. */
  tasks?: Tasks | undefined
  /** Whether a file (a real path) may hold secrets: what a search finds there is not shown. */
  isSecret(real: string): boolean
  /** Takes out of a text what nobody is told, whatever may be read. Default: nothing is. */
  mask?: ((text: string) => string) | undefined
  /** The session's own directory for spilled output, made (0700) when it is first asked for. */
  spillDir(): Promise<string>
}

export interface ToolContext extends ToolSurroundings {
  /** Of the call. */
  id?: string
  signal: AbortSignal
  /** Live output for the screen. May be called at any time until the result is there. Resolves when it was taken. */
  onOutput(text: string): Promise<void> | void
  /** A command begins, or is given more time: milliseconds that it has from its beginning. */
  onLimit?(ms: number): void
  /** Bytes that the output may take: half of the free context, shared by the calls of one turn. */
  budget: number
  /**
   * The file that the permission room decided upon: a path that means another one by now is refused. undefined: it
   * decided upon none.
   */
  target?: DecidedFile | undefined
  /**
   * Of a command that the permission room understood in full and that only reads: what is to run in its place. undefined: the
   * command as it stands.
   */
  runs?: string | undefined
  /** The files that the redirects of a command line write: into others they must not. undefined: nothing is known of it. */
  writes?: readonly BoundFile[] | undefined
  /** Where a command line was allowed to run. undefined: in the persistent bash. */
  where?: Where | undefined
}

/** A file as a decision saw it. */
export interface DecidedFile {
  /** The real path. */
  real: string
  /** Device and inode; undefined where there was nothing. */
  id: string | undefined
}

/** `note`: what was mended, for the model to hear along with the result. */
export type Checked =
  | { ok: true; args: Record<string, unknown>; note?: string }
  | { ok: false; problem: string }

export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: ParameterSchema
  /**
   * Arguments from a model are unknown until this has named every problem, for the model to mend. With `cwd`, the session's
   * directory, a path that leads nowhere becomes the one that was meant, where that is certain.
   */
  check(args: unknown, cwd?: string): Checked
  /** Whose rules hold for a checked call, where that is another tool. Default: `name`. */
  ruledAs?(args: Record<string, unknown>): string
  /** What a checked call touches. A call that names nothing asks. */
  access(args: Record<string, unknown>, cwd: string): Access[]
  /** What a call would do, for the approval. Throws `ToolError` when it cannot succeed. */
  preview?(args: Record<string, unknown>, context: ToolContext): Promise<Preview>
  /**
   * Calls of one reply on one file, one after the other, without doing anything. → what is wrong with each, in call order:
   * undefined where it can be done. Throws `ToolError` when none can.
   */
  rehearse?(calls: readonly Record<string, unknown>[], context: ToolContext): Promise<(string | undefined)[]>
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
