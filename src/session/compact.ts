/**
 * Makes the compaction of a history: asks the model for a summary with the very prefix that it has already read, and
 * falls back on what gopi knows for certain when that fails.
 */
import { chatRequest } from '../agent/request.ts'
import type { ChatRequest } from '../backends/backend.ts'
import {
  applyCompaction,
  compactedText,
  cutResults,
  keptMessages,
  summaryPrompt,
} from '../context/compaction.ts'
import type { CompactionEntry } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'
import type { Conversation } from './conversation.ts'

/** Tokens that a summary or an answer must have room for. */
const smallestReserve = 2_048
const reserveShare = 0.1
/** Tokens below which a summary would only be cut. */
const smallestSummary = 400
/** A summary that leaves more than this share of what was there saved too little. */
const savesTooLittle = 0.8

export interface Compacted {
  entry: CompactionEntry
  /** The summary is the model's; otherwise the certain facts had to do. */
  byModel: boolean
  /** Hardly anything was saved: another try would be in vain. */
  inVain: boolean
}

/** Room for a summary or an answer (tokens). */
export const reserveOf = (limit: number): number => Math.max(smallestReserve, Math.ceil(limit * reserveShare))

/** Whether there are messages that a summary would replace. */
export const hasOld = ({ history, limits }: Conversation): boolean =>
  keptMessages(history, limits.keepRecent).length < history.length

/**
 * → undefined when nothing can be saved. Where everything is recent enough to be kept, only long tool results are cut.
 * `refused`: the server has refused this history as too long, so that asking for its summary would be refused too.
 * Rejects with the signal's reason when it fires; every other failure ends in a compaction without the model.
 */
export async function compact(
  talk: Conversation,
  { signal, hint, refused = false }: { signal: AbortSignal; hint?: string; refused?: boolean },
): Promise<Compacted | undefined> {
  const summary = hasOld(talk) && !refused ? await summarise(talk, { signal, hint }) : undefined
  signal.throwIfAborted()
  return compactWith(summary, talk, { refused })
}

/** The compaction of the history as it is now, with a summary that may be a moment older. → as `compact`. */
export function compactWith(
  summary: string | undefined,
  talk: Conversation,
  { refused = false }: { refused?: boolean } = {},
): Compacted | undefined {
  const before = [...talk.history]
  const kept = keptMessages(before, talk.limits.keepRecent)
  const drops = kept.length < before.length
  const base: CompactionEntry = {
    type: 'compaction',
    id: talk.newId(),
    summary: drops ? compactedText(summary, before) : '',
    token_before: talk.tokens(before),
    token_after: 0,
    kept: kept.map(({ id }) => id),
  }
  const after = (cut: Readonly<Record<string, string>>) =>
    talk.tokens(applyCompaction(before, { ...base, cut }))
  const half = refused ? base.token_before / 2 : Number.POSITIVE_INFINITY
  const cut = cutResults(kept, tried => after(tried) <= Math.min(wanted(talk), half))
  const token_after = after(cut)
  if (token_after >= base.token_before) return undefined
  return {
    entry: { ...base, token_after, ...(Object.keys(cut).length > 0 && { cut }) },
    byModel: summary !== undefined || !drops,
    inVain: token_after > base.token_before * savesTooLittle,
  }
}

/** The history without a last reply whose calls have no results yet: no server takes that as a conversation. */
export function settled(history: readonly Message[]): readonly Message[] {
  const at = history.findLastIndex(message => message.role === 'assistant')
  const last = history[at]
  const calls = last?.role === 'assistant' ? (last.tool_calls?.length ?? 0) : 0
  const results = history.slice(at + 1).filter(({ role }) => role === 'tool').length
  return results < calls ? history.slice(0, at) : history
}

/** Half the threshold: the next compaction should be far away. */
const wanted = (talk: Conversation): number => (talk.known().limit * talk.limits.threshold) / 2

/**
 * The model's summary, or undefined when it gave none, or when there is no room for one any more. Calls that still run
 * are left out of what it is asked about. Rejects with the signal's reason.
 */
export async function summarise(
  talk: Conversation,
  { signal, hint }: { signal: AbortSignal; hint?: string | undefined },
): Promise<string | undefined> {
  const setup = talk.known()
  const { dialect, wireTools, limit } = setup
  const asked: Message[] = [...settled(talk.history), { id: '', role: 'user', content: summaryPrompt(hint) }]
  const room = Math.min(reserveOf(limit), limit - talk.tokens(asked))
  if (room < smallestSummary) return undefined
  const request: ChatRequest = chatRequest(setup, asked)
  const parser = dialect.parser(wireTools)
  try {
    for await (const event of talk.chat({ ...request, most: room }, { signal })) {
      if (event.type === 'end') break
      if (event.type !== 'notice') parser.push(event)
    }
    const { text } = parser.finish('stop')
    return text.trim() || undefined
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
