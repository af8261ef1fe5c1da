/**
 * Two kinds of failure. A `ToolError` is told to the model and the run goes on. Everything else ends the run
 * with one sentence for the person: what was expected, what came, what to do.
 */

/** Codes of `error` entries in the journal and in `-p --output-format json`. */
export type ErrorCode =
  | 'no_server'
  | 'no_model'
  | 'no_tools'
  | 'busy'
  | 'context'
  | 'stream'
  | 'memory'
  | 'disk'
  | 'internal'

/** A failure that the model is told about; its message is written for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  /** Typed data for the screen, as in a tool result. */
  readonly details: unknown
  constructor(message: string, details?: unknown) {
    super(message)
    this.details = details
  }
}

/**
 * What the loop can mend by itself: `no_tools` asks again in another dialect, `no_thinking` without thinking,
 * `malformed_call` with a note.
 */
export type Remedy = 'no_tools' | 'no_thinking' | 'malformed_call'

/** The model server failed, or something else that ends the run. The message is one sentence for the person. */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly code: ErrorCode
  readonly remedy: Remedy | undefined
  constructor(code: ErrorCode, message: string, options: { remedy?: Remedy; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.remedy = options.remedy
  }
}

/** Bad command line or configuration: exit code 2. `problems` are whole sentences, one each. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[] | string) {
    const list = typeof problems === 'string' ? [problems] : problems
    super(list.join('\n'))
    this.problems = list
  }
}
