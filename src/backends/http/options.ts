/** What the client of every kind of server can be told. */
import type { Memory } from '../../protocol/memory.ts'
import type { RetryOptions } from './retry.ts'

export interface ClientOptions {
  /** ms for connecting and for small questions. A chat request is never cut: after this long a notice says so. */
  timeout: number
  /** What is remembered of models and servers between starts. Default: nothing. */
  memory?: Memory
  /** Default: as long as a server usually takes to start, or to have room again. */
  retry?: RetryOptions
  /** Longest line of an answer in bytes. */
  lineBound?: number
  /** How a wait between two attempts is spent: rejects with the signal's reason when it fires. */
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}
