/** Walks through a reply as a model generates it: token by token, with its limit, its stop sequences, its pace. */
import { randomBytes } from 'node:crypto'
import { type Live, type Progress, type Reply, type ScriptCall, stepsOf } from './reply.ts'
import { renderThinking, renderWrittenCall } from './template.ts'

export interface SentCall {
  id: string
  function: { index: number; name: string; arguments: Record<string, unknown> }
}

export type Chunk =
  | { type: 'content'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'call'; call: SentCall }

/** How it ended; undefined: without a last word, as when the client went away. */
export type Ending = { reason: 'stop' | 'length'; calls: SentCall[] } | undefined

export interface DecodeOptions {
  think: boolean
  /** Tokens, Infinity for no limit. */
  limit: number
  stop: readonly string[]
  /** Tokens of a text. */
  count(text: string): number
  live: Live
}

/** Yields what the server sends and returns how it ended. */
export async function* decode(reply: Reply, options: DecodeOptions): AsyncGenerator<Chunk, Ending> {
  const { pace, progress, signal } = options.live
  const shape = typeof reply === 'string' || Array.isArray(reply) ? {} : reply
  const filter = stopFilter(options.stop)
  const atEnd: SentCall[] = []
  let index = 0
  const generate = async (tokens: number) => {
    await pace.tokens(tokens)
    progress.tokens += tokens
    return signal.aborted
  }
  const done = (reason: 'stop' | 'length'): Ending => ({ reason, calls: atEnd })

  for (const step of stepsOf(reply)) {
    if (signal.aborted) return undefined
    if (typeof step === 'string') {
      if (await generate(1)) return undefined
      progress.text += step
      const { text, stopped } = filter.push(step)
      if (text) yield { type: 'content', text }
      if (stopped) return done('stop')
    } else if (typeof step !== 'function' && 'thinking' in step) {
      if (!options.think) continue
      if (await generate(1)) return undefined
      progress.thinking += step.thinking
      yield { type: 'thinking', text: step.thinking }
    } else if (typeof step !== 'function') {
      const written = renderWrittenCall(step.call)
      if (await generate(step.call.tokens ?? options.count(written))) return undefined
      if (progress.tokens <= options.limit) {
        progress.text += (progress.text ? '\n' : '') + written
        const call = sentCall(step.call, index++)
        if (shape.callsAtEnd) atEnd.push(call)
        else yield { type: 'call', call }
      }
    } else if (!(await step(options.live))) return undefined
    if (progress.tokens >= options.limit) {
      progress.tokens = options.limit
      const rest = filter.flush()
      if (rest) yield { type: 'content', text: rest }
      return done('length')
    }
  }
  if (signal.aborted) return undefined
  const rest = filter.flush()
  if (rest) yield { type: 'content', text: rest }
  // The end of turn is a token too.
  progress.tokens++
  return done('stop')
}

/** The reply as the prompt of the next turn would hold it. */
export function written(progress: Progress): string {
  return (progress.thinking && renderThinking(progress.thinking)) + progress.text
}

function sentCall(call: ScriptCall, index: number): SentCall {
  return { id: call.id ?? callId(), function: { index, name: call.name, arguments: call.arguments } }
}

function callId(): string {
  const signs = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return `call_${[...randomBytes(8)].map(byte => signs[byte % signs.length]).join('')}`
}

/** Ends the text before a stop sequence; what may be the beginning of one is held back. */
function stopFilter(stop: readonly string[]): {
  push(text: string): { text: string; stopped: boolean }
  flush(): string
} {
  let held = ''
  return {
    push(text) {
      held += text
      const found = stop.map(word => held.indexOf(word)).filter(at => at >= 0)
      if (found.length > 0) return { text: held.slice(0, Math.min(...found)), stopped: true }
      const keep = Math.max(0, ...stop.map(word => overlap(held, word)))
      const out = held.slice(0, held.length - keep)
      held = held.slice(held.length - keep)
      return { text: out, stopped: false }
    },
    flush: () => held,
  }
}

/** Characters at the end of `text` that `word` begins with. */
function overlap(text: string, word: string): number {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(word.slice(0, length))) return length
  }
  return 0
}
