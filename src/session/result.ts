/** What a run comes to, for whoever asked for it. */
import type { RunEnd } from '../agent/run.ts'
import type { RunError } from '../protocol/errors.ts'
import type { RunReason } from '../protocol/events.ts'
import type { AssistantMessage } from '../protocol/messages.ts'
import type { Price } from '../protocol/wire.ts'
import { costOf } from './cost.ts'

export interface RunResult {
  /** The last reply, as a person reads it. */
  text: string
  reason: RunReason
  turns: number
  /** Tokens of all requests of the run together. */
  usage: { prompt_tokens: number; completion_tokens: number }
  /** Of those tokens, and of the agents that worked for it, where their models have a price. */
  cost?: number
  error?: RunError['told']
  /** A check that failed last, and was not mended. */
  unmended?: string
  /** Words that waited and were not sent, because the run was aborted or failed: they go back to the editor. */
  unsent: string[]
}

/** `replies`: those of the run; `unsent`: words that it did not take. */
export function resultOf(
  { text, reason, turns, error, unmended }: RunEnd,
  {
    replies,
    unsent,
    price,
    beside,
  }: {
    replies: readonly AssistantMessage[]
    unsent: string[]
    price: Price | undefined
    /** What agents cost that worked for it. */
    beside?: number | undefined
  },
): RunResult {
  const own = costOf(replies, price)
  const cost = own === undefined && beside === undefined ? undefined : (own ?? 0) + (beside ?? 0)
  return {
    text,
    reason,
    turns,
    usage: sumUsage(replies),
    ...(cost !== undefined && { cost }),
    ...(error && { error: error.told }),
    ...(unmended !== undefined && { unmended }),
    unsent,
  }
}

/** The same prompt may well get an answer once what has failed works again; without room, or a model, it never will. */
export const mayAskAgain = ({ reason, error }: RunResult): boolean =>
  reason === 'error' && error?.code !== 'context' && error?.code !== 'no_model'

/** For words that were taken back before a run began with them. */
export const neverRun: RunResult = {
  text: '',
  reason: 'aborted',
  turns: 0,
  usage: { prompt_tokens: 0, completion_tokens: 0 },
  unsent: [],
}

function sumUsage(replies: readonly AssistantMessage[]): RunResult['usage'] {
  const sum = { prompt_tokens: 0, completion_tokens: 0 }
  for (const { usage } of replies) {
    sum.prompt_tokens += usage?.prompt_tokens ?? 0
    sum.completion_tokens += usage?.completion_tokens ?? 0
  }
  return sum
}
