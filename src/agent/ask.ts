/**
 * One request to the model and its reply: streamed, parsed, cut when the user's words arrive, and asked again where
 * the server's refusal can be mended.
 */
import type { ParsedCall, Reply, Shown, Unreadable } from '../dialect/dialect.ts'
import type { ChatRequest } from '../model/model.ts'
import { RunError } from '../protocol/errors.ts'
import type { AssistantMessage, Message, StopReason, ToolCall, Usage } from '../protocol/messages.ts'
import type { EndReason, Metrics } from '../protocol/wire.ts'
import type { RunEvent, RunParts, Setup } from './run.ts'
import { malformedNote, note } from './words.ts'

export interface Answer {
  /** undefined when nothing was said: an empty assistant message is never kept. */
  message: AssistantMessage | undefined
  /** The answer as a person reads it. */
  text: string
  calls: ToolCall[]
  unreadable: Unreadable | undefined
  ended: EndReason | 'steer' | 'aborted'
}

/** A reply without text and calls, though the server generated something: a call that it could not place. */
const empty: Unreadable = {
  kind: 'swallowed',
  detail: 'It was empty, or a tool call that was not understood.',
}

/** Re-asks after a 500 that the model caused by a malformed call. */
const maxMalformed = 2

/** Asks until a reply came or the run must end. Throws `RunError`; what was said before an error is kept. */
export async function* ask(parts: RunParts, signal: AbortSignal): AsyncGenerator<RunEvent, Answer> {
  for (let malformed = 0; ; ) {
    try {
      return yield* parts.steering.duringReply(signal, replySignal => askOnce(parts, replySignal, signal))
    } catch (error) {
      if (!(error instanceof RunError) || !error.remedy) throw error
      if (error.remedy === 'malformed_call') {
        if (++malformed > maxMalformed) throw error
        yield { type: 'notice', code: 'malformed_call', message: error.message }
        yield note(parts, malformedNote(parts))
        continue
      }
      const changes = parts.fallBack(error)
      if (!changes) throw error
      yield* changes
    }
  }
}

async function* askOnce(
  parts: RunParts,
  signal: AbortSignal,
  runSignal: AbortSignal,
): AsyncGenerator<RunEvent, Answer> {
  const setup = parts.setup()
  const parser = setup.dialect.parser(setup.wireTools)
  const id = parts.newId()
  const show = shower(id)
  let end: { reason: EndReason; metrics: Metrics } | undefined
  let failure: RunError | undefined

  yield { type: 'phase', phase: 'waiting' }
  try {
    for await (const event of parts.chat.chat(buildRequest(setup, parts), { signal })) {
      if (event.type === 'notice') {
        yield event
      } else if (event.type === 'end') {
        end = event
      } else {
        yield* show(parser.push(event))
        if (parser.done) break
      }
    }
  } catch (error) {
    if (!signal.aborted) {
      if (!(error instanceof RunError)) throw error
      failure = error
    }
  }

  const ended = runSignal.aborted ? 'aborted' : signal.aborted ? 'steer' : (end?.reason ?? 'stop')
  const whole = !failure && !signal.aborted
  const reply = parser.finish(whole ? (end?.reason ?? 'stop') : 'cut')
  yield* show(reply.shown)
  const message = keep({ id, reply, parts, end, stop: failure ? 'error' : ended })
  if (message) yield { type: 'message', ...message }
  if (failure) throw failure
  const unreadable = whole ? (reply.unreadable ?? (message ? undefined : empty)) : undefined
  return { message, text: reply.text, calls: message?.tool_calls ?? [], unreadable, ended }
}

function buildRequest(setup: Setup, parts: RunParts): ChatRequest {
  const { stop, ...shape } = setup.dialect.request(setup.wireTools)
  return {
    model: setup.model,
    messages: [{ role: 'system', content: setup.system }, ...setup.dialect.encode(parts.history)],
    ...shape,
    think: setup.think,
    options: { num_ctx: setup.num_ctx, ...setup.options, ...(stop && { stop }) },
    keep_alive: setup.keep_alive,
  }
}

/** Turns what the parser shows into events, and announces the message and its phases when they begin. */
function shower(id: string) {
  let phase: 'thinking' | 'writing' | undefined
  return function* (shown: Shown[]): Generator<RunEvent> {
    for (const { type, text } of shown) {
      if (text === '') continue
      if (!phase) yield { type: 'message_start', id, role: 'assistant' }
      const now = type === 'thinking' ? 'thinking' : 'writing'
      if (phase !== now) yield { type: 'phase', phase: (phase = now) }
      yield { type: type === 'thinking' ? 'thinking_delta' : 'message_delta', message_id: id, text }
    }
  }
}

interface Keep {
  id: string
  reply: Reply
  parts: RunParts
  end: { metrics: Metrics } | undefined
  stop: EndReason | Extract<StopReason, 'steer' | 'aborted' | 'error'>
}

/**
 * The message for the history, or nothing when nothing was said. Calls of a broken stream are dropped: nobody knows
 * whether they are whole.
 */
function keep({ id, reply, parts, end, stop }: Keep): AssistantMessage | undefined {
  const calls = stop === 'error' ? [] : withIds(reply.calls, parts)
  if (reply.content.trim() === '' && calls.length === 0) return undefined
  return {
    id,
    role: 'assistant',
    content: reply.content,
    ...(reply.thinking && { thinking: reply.thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(calls.length > 0 && reply.textCalls && { text_calls: true as const }),
    stop_reason: stop === 'stop' && calls.length > 0 ? 'calls' : stop,
    ...(end && { usage: usage(end.metrics, parts.history) }),
  }
}

/** Every call gets an id that the session has not seen: some servers give none, or the same ones each time. */
function withIds(calls: readonly ParsedCall[], parts: RunParts): ToolCall[] {
  const seen = new Set(
    parts.history.flatMap(message => (message.role === 'tool' ? [message.tool_call_id] : [])),
  )
  return calls.map(({ id, name, arguments: args }) => {
    const unique = id !== undefined && !seen.has(id) ? id : `call_${parts.newId()}`
    seen.add(unique)
    return { id: unique, name, arguments: args }
  })
}

/**
 * Ollama does not tell what it had cached. The history only grows, so what stood in the context after the last reply
 * should still be there: that is the estimate.
 */
function usage(metrics: Metrics, history: readonly Message[]): Usage {
  const { prompt_tokens, completion_tokens, load_ms, prefill_ms, decode_ms } = metrics
  const before = history.findLast(message => message.role === 'assistant' && message.usage !== undefined)
  const known = before?.role === 'assistant' ? (before.usage?.context_tokens ?? 0) : 0
  const reused_tokens = Math.max(0, Math.min(known, prompt_tokens - 1))
  return {
    prompt_tokens,
    completion_tokens,
    context_tokens: prompt_tokens + completion_tokens,
    read_tokens: prompt_tokens - reused_tokens,
    reused_tokens,
    estimated: true,
    load_ms,
    prefill_ms,
    decode_ms,
  }
}
