/**
 * Two kinds of failure. A `ToolError` is told to the model and the run goes on. Everything else ends the run
 * with one sentence for the person: what was expected, what came, what to do.
 */

import type { Said, Told } from './sayings.ts'

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
  | 'hook'
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
 * `malformed_call` with a note, `elsewhere` goes on from what was said: another server will answer.
 */
export type Remedy = 'no_tools' | 'no_thinking' | 'malformed_call' | 'elsewhere'

export interface RunErrorOptions {
  remedy?: Remedy | undefined
  cause?: unknown
}

/**
 * The model server failed, or something else that ends the run. The message is one sentence for the person: in English
 * here, in the face's language from `code` and `facts`.
 */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly code: ErrorCode
  readonly facts: Said['facts'] | undefined
  readonly remedy: Remedy | undefined
  /** `new RunError(told('no_server.refused', { … }), { cause })`. */
  constructor(told: Told & { code: ErrorCode }, options?: RunErrorOptions)
  /** A sentence that the catalogues do not have yet. */
  constructor(code: ErrorCode, message: string, options?: RunErrorOptions)
  constructor(
    what: ErrorCode | (Told & { code: ErrorCode }),
    message?: string | RunErrorOptions,
    options?: RunErrorOptions,
  ) {
    const {
      code,
      facts,
      message: sentence,
    } = typeof what === 'string' ? { code: what, facts: undefined, message: String(message) } : what
    const { remedy, cause } = (typeof message === 'object' ? message : options) ?? {}
    super(sentence, cause === undefined ? undefined : { cause })
    this.code = code
    this.facts = facts
    this.remedy = remedy
  }

  /** What events and results carry of it. */
  get told(): { code: ErrorCode; facts?: Said['facts']; message: string } {
    return { code: this.code, ...(this.facts && { facts: this.facts }), message: this.message }
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
