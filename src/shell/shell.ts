/**
 * The session's one bash. `cd`, variables, functions and options persist from command to command.
 *
 * `framing.ts` is the talk with bash, `bash.ts` one process with its pipes (`channel.ts`), `lineage.ts` what
 * passes from one process to the next, `persistent.ts` the life of a command, `output.ts` what it wrote.
 */
import { findBash } from './environment.ts'
import { Lineage } from './lineage.ts'
import { PersistentShell } from './persistent.ts'

export interface CommandOptions {
  signal: AbortSignal
  /** Milliseconds until the command's whole process tree is ended. */
  timeout: number
  /** Live output as it comes, decoded; may be many megabytes in all. */
  onOutput?(text: string): void
  /** Bytes of output that the result carries: more than that keeps head and tail. */
  maxOutput: number
  /** Where output over `maxOutput` is kept whole (a file, 0600). Asked for only then. */
  spillDir(): Promise<string>
}

export interface CommandResult {
  /** Standard output and error as they came, mixed; head and tail with a notice between when cut. */
  output: string
  /** undefined when the command did not end by itself, or the shell went with it. */
  exit_code: number | undefined
  /** The shell's directory after the command. */
  cwd: string
  duration_ms: number
  /** Bytes of output in all. */
  total_bytes: number
  /** The file with the whole output, when it was cut. */
  spill?: string
  ended: 'exit' | 'timeout' | 'aborted'
  /** Sentences for the model about what else happened: the shell was replaced, background children go on, … */
  notes: string[]
}

export interface CloseReport {
  /** Processes that left the shell's groups (setsid) and still run: named, not killed. */
  escaped: { pid: number; command: string }[]
}

export interface Shell {
  readonly cwd: string
  /** Starts the process if it is not there yet; nothing waits for it. */
  warm(): void
  /** Commands run one at a time, in the order in which they were asked for. Never rejects for what a command does. */
  run(command: string, options: CommandOptions): Promise<CommandResult>
  /** Ends everything of the shell's own process groups. Idempotent. */
  close(): Promise<CloseReport>
}

export interface ShellOptions {
  /** Where the first command runs. */
  cwd: string
  /** What commands find in their environment, with a few non-interactive settings over it. Default: gopi's own. */
  env?: NodeJS.ProcessEnv
  /** Absolute path of bash. Default: the system's, or else the first on PATH. */
  bash?: string
}

/**
 * A shell; its process starts with the first command or with `warm`. Should gopi end without `close`, whatever
 * the way, a watchdog ends the shell's processes within about a second.
 */
export function createShell({ cwd, env = process.env, bash = findBash(env) }: ShellOptions): Shell {
  return new PersistentShell(cwd, bash === undefined ? undefined : new Lineage({ cwd, env, program: bash }))
}
