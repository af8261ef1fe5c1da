/** What a run comes to, for whoever asked for it. */
import type { RunEnd } from '../agent/run.ts'
import type { RunReason } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'

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

/** `messages`: those of the run; `unsent`: words that it did not take. */
export function resultOf(
  { text, reason, turns, error }: RunEnd,
  { messages, unsent }: { messages: readonly Message[]; unsent: string[] },
): RunResult {
  return {
    text,
    reason,
    turns,
    usage: sumUsage(messages),
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

function sumUsage(messages: readonly Message[]): RunResult['usage'] {
  const sum = { prompt_tokens: 0, completion_tokens: 0 }
  for (const message of messages) {
    if (message.role !== 'assistant' || !message.usage) continue
    sum.prompt_tokens += message.usage.prompt_tokens
    sum.completion_tokens += message.usage.completion_tokens
  }
  return sum
}
