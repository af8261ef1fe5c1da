/** What replies cost. */
import type { AssistantMessage } from '../protocol/messages.ts'
import type { Price } from '../protocol/wire.ts'
import type { Recorder } from './recorder.ts'

/** In the money of the price; undefined where there is none. What a server only seems to have had still is paid in full. */
export function costOf(
  replies: readonly Pick<AssistantMessage, 'usage'>[],
  price: Price | undefined,
): number | undefined {
  if (!price) return undefined
  const { input, output, cached = input } = price
  const millionths = replies.reduce((sum, { usage }) => {
    if (!usage) return sum
    const reused = usage.estimated ? 0 : usage.reused_tokens
    return sum + (usage.prompt_tokens - reused) * input + reused * cached + usage.completion_tokens * output
  }, 0)
  return millionths / 1e6
}

/** Adds up what side conversations cost from now on. → ends that; undefined where none of their models has a price. */
export function costBeside(session: {
  subscribe: Recorder['subscribe']
  priceOf(model: string): Price | undefined
}): () => number | undefined {
  const models = new Map<string, string>()
  let sum: number | undefined
  const end = session.subscribe(
    event => {
      const { thread } = event
      if (thread === undefined) return
      if (event.type === 'model_change') models.set(thread, event.model)
      if (event.type !== 'message' || event.role !== 'assistant') return
      const cost = costOf([event], session.priceOf(models.get(thread) ?? ''))
      if (cost !== undefined) sum = (sum ?? 0) + cost
    },
    { threads: true },
  )
  return () => {
    end()
    return sum
  }
}
