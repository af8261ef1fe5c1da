/** Walks through a reply as a model generates it: token by token, with its limit, its stop sequences, its pace. */
import { randomBytes } from 'node:crypto'
import type { Reply, ScriptCall, Step } from './reply.ts'
import { stepsOf } from './reply.ts'
import { renderThinking, renderWrittenCall } from './template.ts'
import { type Pace, settle } from './wait.ts'

export interface SentCall {
  id: string
  function: { index: number; name: string; arguments: Record<string, unknown> }
}

export type Chunk =
  | { type: 'content'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'call'; call: SentCall }
  | { type: 'line'; bytes: string | Uint8Array }

/** How it ended; `gone`: the client went away. */
export type Ending =
  | { type: 'done'; reason: 'stop' | 'length'; calls: SentCall[] }
  | { type: 'no-done' }
  | { type: 'error'; message: string }
  | { type: 'cut' }
  | { type: 'gone' }

/** What has been generated so far. */
export interface Progress {
  thinking: string
  text: string
  tokens: number
}

export interface DecodeOptions {
  think: boolean
  /** Tokens, Infinity for no limit. */
  limit: number
  stop: readonly string[]
  signal: AbortSignal
  pace: Pace
  /** Tokens of a text. */
  count(text: string): number
  progress: Progress
}

/** Yields what the server sends and returns how it ended. */
export async function* decode(reply: Reply, options: DecodeOptions): AsyncGenerator<Chunk, Ending> {
  const { progress, signal } = options
  const shape = typeof reply === 'string' || Array.isArray(reply) ? {} : reply
  const filter = stopFilter(options.stop)
  const atEnd: SentCall[] = []
  let index = 0
  const generate = async (tokens: number) => {
    await options.pace.tokens(tokens)
    progress.tokens += tokens
    return signal.aborted
  }
  const done = (reason: 'stop' | 'length'): Ending => ({ type: 'done', reason, calls: atEnd })

  for (const step of stepsOf(reply)) {
    if (signal.aborted) return { type: 'gone' }
    const kind = readStep(step)
    switch (kind.type) {
      case 'text': {
        if (await generate(1)) return { type: 'gone' }
        progress.text += kind.text
        const { text, stopped } = filter.push(kind.text)
        if (text) yield { type: 'content', text }
        if (stopped) return done('stop')
        break
      }
      case 'thinking':
        if (!options.think) break
        if (await generate(1)) return { type: 'gone' }
        progress.thinking += kind.text
        yield { type: 'thinking', text: kind.text }
        break
      case 'call': {
        const written = renderWrittenCall(kind.call)
        if (await generate(kind.call.tokens ?? options.count(written))) return { type: 'gone' }
        if (progress.tokens > options.limit) break
        progress.text += (progress.text ? '\n' : '') + written
        const call = sentCall(kind.call, index++)
        if (shape.callsAtEnd) atEnd.push(call)
        else yield { type: 'call', call }
        break
      }
      case 'hidden':
        if (await generate(1)) return { type: 'gone' }
        progress.text += kind.text
        break
      case 'wait':
        await settle(kind.until, signal)
        break
      case 'line':
        yield { type: 'line', bytes: kind.bytes }
        break
      case 'end':
        return kind.ending
      default:
        kind satisfies never
    }
    if (progress.tokens >= options.limit) {
      progress.tokens = options.limit
      const rest = filter.flush()
      if (rest) yield { type: 'content', text: rest }
      return done('length')
    }
  }
  if (signal.aborted) return { type: 'gone' }
  const rest = filter.flush()
  if (rest) yield { type: 'content', text: rest }
  if (shape.end === 'no-done') return { type: 'no-done' }
  // The end of turn is a token too.
  progress.tokens++
  return done(shape.done_reason ?? 'stop')
}

/** The reply as the prompt of the next turn would hold it. */
export function written(progress: Progress): string {
  return (progress.thinking && renderThinking(progress.thinking)) + progress.text
}

type ReadStep =
  | { type: 'text' | 'thinking' | 'hidden'; text: string }
  | { type: 'call'; call: ScriptCall }
  | { type: 'wait'; until: Promise<unknown> }
  | { type: 'line'; bytes: string | Uint8Array }
  | { type: 'end'; ending: Ending }

function readStep(step: Step): ReadStep {
  if (typeof step === 'string') return { type: 'text', text: step }
  if ('text' in step) return { type: 'text', text: step.text }
  if ('thinking' in step) return { type: 'thinking', text: step.thinking }
  if ('hidden' in step) return { type: 'hidden', text: step.hidden }
  if ('call' in step) return { type: 'call', call: step.call }
  if ('line' in step) return { type: 'line', bytes: step.line }
  if ('error' in step) return { type: 'end', ending: { type: 'error', message: step.error } }
  if ('cut' in step) return { type: 'end', ending: { type: 'cut' } }
  if ('hang' in step) return { type: 'wait', until: new Promise(() => {}) }
  step.gate.reach()
  return { type: 'wait', until: step.gate.opened }
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
