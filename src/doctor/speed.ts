/** How fast the model reads and writes here: one short real request. */
import type { Backend, Met } from '../backends/backend.ts'
import type { Config } from '../config/config.ts'
import { type Finding, finding } from './finding.ts'

/** Words that no server has read before. */
const WORDS = 400
/** Tokens to be written, and milliseconds for all of it. */
const MOST = 32
const PATIENCE = 120_000
/** Tokens a second that are slow to wait for. */
const SLOW = { prefill: 100, decode: 5 }

/** Rejects with `RunError`. */
export async function measured(
  backend: Backend,
  { model, context }: Met & { model: string },
  { ollama }: Config,
): Promise<Finding> {
  const text = Array.from({ length: WORDS }, () => Math.random().toString(36).slice(2, 6)).join(' ')
  const messages = [{ role: 'user' as const, content: `${text}\n\nCount from one to twenty in words.` }]
  const request = { model, messages, think: false, context, most: MOST, keep_alive: ollama.keep_alive }
  const signal = AbortSignal.timeout(PATIENCE)
  let speeds = { prefill: 0, decode: 0 }
  for await (const event of backend.chat(request, { signal })) {
    if (event.type !== 'end' || event.metrics === undefined) continue
    const { prompt_tokens, prefill_ms, completion_tokens, decode_ms } = event.metrics
    speeds = {
      prefill: perSecond(prompt_tokens, prefill_ms),
      decode: perSecond(completion_tokens, decode_ms),
    }
  }
  const isSlow = speeds.prefill < SLOW.prefill || speeds.decode < SLOW.decode
  return finding(isSlow ? 'warn' : 'ok', 'speed', isSlow ? 'speed.slow' : 'speed.measured', speeds)
}

const perSecond = (tokens: number, ms: number): number => (ms > 0 ? Math.round((tokens * 1000) / ms) : 0)
