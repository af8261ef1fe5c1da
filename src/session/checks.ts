/** What checks a session's work: commands by patterns of the files that a run changes. */
import type { Check, Checks } from '../agent/run.ts'
import type { Notice } from './connection.ts'

/** Glob, relative to the session's directory → commands. */
export type CheckTable = Readonly<
  Record<string, readonly string[] | { run: readonly string[]; timeout?: number | null | undefined }>
>

export interface ProjectChecksOptions {
  cwd: string
  /** `auto`: what the project says of itself is offered. */
  table: CheckTable | 'auto'
  /** Real paths. */
  changedSince(since: number, signal: AbortSignal): Promise<{ paths: readonly string[] }>
  matches(glob: string, file: string): Promise<boolean>
  notice(notice: Notice): void
}

/** Milliseconds by which the clock of files may be behind. */
const behind = 20

export class ProjectChecks {
  #options: ProjectChecksOptions
  #table: CheckTable
  #isOff = false
  #isOffered = false

  constructor(options: ProjectChecksOptions) {
    this.#options = options
    this.#table = options.table === 'auto' ? {} : options.table
  }

  get table(): CheckTable {
    return this.#isOff ? {} : this.#table
  }

  /** From the next run's end on, for this session. Empty: nothing is checked. */
  set(table: CheckTable): void {
    this.#isOff = false
    this.#table = table
  }

  off(): void {
    this.#isOff = true
  }

  /** Of a run that begins now. undefined: there is nothing to check, and nothing to offer. */
  ofRun(): Checks | undefined {
    if (this.#isOff) return undefined
    const since = Date.now() - behind
    const isOffer = Object.keys(this.#table).length === 0
    if (isOffer && (this.#options.table !== 'auto' || this.#isOffered)) return undefined
    return { due: signal => this.#due(since, signal) }
  }

  async #due(since: number, signal: AbortSignal): Promise<Check[]> {
    const { changedSince, matches } = this.#options
    const { paths } = await changedSince(since, signal)
    if (paths.length > 0) await this.#offer()
    const due: Check[] = []
    for (const [glob, check] of Object.entries(this.#table)) {
      const matched = await Promise.all(paths.map(file => matches(glob, file)))
      if (matched.includes(true)) due.push(...checksOf(check))
    }
    return due.filter(({ command }, at) => due.findIndex(other => other.command === command) === at)
  }

  /** Once, and only where nothing is configured. */
  async #offer(): Promise<void> {
    const { cwd, table, notice } = this.#options
    if (table !== 'auto' || this.#isOffered || Object.keys(this.#table).length > 0) return
    this.#isOffered = true
    const [{ foundChecks }, { told }] = await Promise.all([
      import('./found-checks.ts'),
      import('../words/sayings/told.ts'),
    ])
    const commands = Object.values(foundChecks(cwd)).flat()
    if (commands.length > 0) notice(told('verify.offer', { commands }))
  }
}

const checksOf = (check: CheckTable[string]): Check[] => {
  const { run, timeout } = 'run' in check ? check : { run: check, timeout: undefined }
  return run.map(command => ({ command, ...(timeout != null && { timeout }) }))
}
