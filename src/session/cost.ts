/** What replies cost. */
import type { AssistantMessage } from '../protocol/messages.ts'
import type { Price } from '../protocol/wire.ts'

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
