/** What a run comes to, for whoever asked for it. */
import type { RunEnd } from '../agent/run.ts'
import type { RunReason } from '../protocol/events.ts'
import type { AssistantMessage } from '../protocol/messages.ts'

export interface RunResult {
  /** The last reply, as a person reads it. */
  text: string
  reason: RunReason
  turns: number
  /** Tokens of all requests of the run together. */
  usage: { prompt_tokens: number; completion_tokens: number }
  error?: { code: string; message: string }
  /** Words that waited and were not sent, because the run was aborted or failed: they go back to the editor. */
  unsent: string[]
}

/** `replies`: those of the run; `unsent`: words that it did not take. */
export function resultOf(
  { text, reason, turns, error }: RunEnd,
  { replies, unsent }: { replies: readonly AssistantMessage[]; unsent: string[] },
): RunResult {
  return {
    text,
    reason,
    turns,
    usage: sumUsage(replies),
    ...(error && { error: { code: error.code, message: error.message } }),
    unsent,
  }
}

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
