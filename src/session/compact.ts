/**
 * Makes the compaction of a history: asks the model for a summary with the very prefix that it has read already, and
 * falls back on what gopi knows for certain when that fails.
 */
import { chatRequest } from '../agent/request.ts'
import type { Setup } from '../agent/run.ts'
import {
  applyCompaction,
  compactedText,
  cutResults,
  keptMessages,
  summaryPrompt,
} from '../context/compaction.ts'
import type { ChatModel, ChatRequest } from '../model/model.ts'
import type { CompactionEntry } from '../protocol/events.ts'
import type { Message } from '../protocol/messages.ts'

/** Tokens that a summary or an answer must have room for. */
const smallestReserve = 2_048
const reserveShare = 0.1
/** Tokens below which a summary would only be cut. */
const smallestSummary = 400
/** A summary that leaves more than this share of what was there saved too little. */
const savesTooLittle = 0.8

export interface CompactParts {
  chat: ChatModel
  setup(): Setup
  history(): readonly Message[]
  newId(): string
  keepRecent: number
  /** Share of the limit at which old history is summarised. */
  threshold: number
  /** Tokens that a history takes as a request. */
  tokens(history: readonly Message[]): number
}

export interface Compacted {
  entry: CompactionEntry
  /** The summary is the model's; otherwise the certain facts had to do. */
  byModel: boolean
  /** Hardly anything was saved: another try would be in vain. */
  inVain: boolean
}

/** Room for a summary or an answer (tokens). */
export const reserveOf = (limit: number): number => Math.max(smallestReserve, Math.ceil(limit * reserveShare))

/** Whether there are messages that a summary would take the place of. */
export const hasOld = ({ history, keepRecent }: Pick<CompactParts, 'history' | 'keepRecent'>): boolean =>
  keptMessages(history(), keepRecent).length < history().length

/**
 * → undefined when nothing can be saved. Where everything is recent enough to be kept, only long tool results are cut.
 * `refused`: the server has refused this history as too long, so that asking for its summary would be refused too.
 * Rejects with the signal's reason when it fires; every other failure ends in a compaction without the model.
 */
export async function compact(
  parts: CompactParts,
  { signal, hint, refused = false }: { signal: AbortSignal; hint?: string; refused?: boolean },
): Promise<Compacted | undefined> {
  const { history, newId, keepRecent, tokens } = parts
  const before = [...history()]
  const kept = keptMessages(before, keepRecent)
  const drops = kept.length < before.length
  const summary = drops && !refused ? await summarise(parts, { signal, ...(hint && { hint }) }) : undefined
  signal.throwIfAborted()

  const base: CompactionEntry = {
    type: 'compaction',
    id: newId(),
    summary: drops ? compactedText(summary, before) : '',
    token_before: tokens(before),
    token_after: 0,
    kept: kept.map(({ id }) => id),
  }
  const after = (cut: Readonly<Record<string, string>>) => tokens(applyCompaction(before, { ...base, cut }))
  const half = refused ? base.token_before / 2 : Number.POSITIVE_INFINITY
  const cut = cutResults(kept, tried => after(tried) <= Math.min(wanted(parts), half))
  const token_after = after(cut)
  if (token_after >= base.token_before) return undefined
  return {
    entry: { ...base, token_after, ...(Object.keys(cut).length > 0 && { cut }) },
    byModel: summary !== undefined || !drops,
    inVain: token_after > base.token_before * savesTooLittle,
  }
}

/** Half the threshold: the next compaction should be far away. */
const wanted = ({ setup, threshold }: CompactParts): number => (setup().limit * threshold) / 2

/** The model's summary, or undefined when it gave none, or when there is no room for one any more. */
async function summarise(
  { chat, setup, history, tokens }: CompactParts,
  { signal, hint }: { signal: AbortSignal; hint?: string },
): Promise<string | undefined> {
  const { dialect, wireTools, limit } = setup()
  const asked: Message[] = [...history(), { id: '', role: 'user', content: summaryPrompt(hint) }]
  const room = Math.min(reserveOf(limit), limit - tokens(asked))
  if (room < smallestSummary) return undefined
  const request: ChatRequest = chatRequest(setup(), asked)
  const options = { ...request.options, num_predict: room }
  const parser = dialect.parser(wireTools)
  try {
    for await (const event of chat.chat({ ...request, options }, { signal })) {
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
