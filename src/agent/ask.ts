/**
 * One request to the model and its reply: streamed, parsed, cut when the user's words arrive, and asked again where
 * the server's refusal can be mended.
 */
import type { Reply, Shown, Unreadable } from '../dialect/dialect.ts'
import { RunError } from '../protocol/errors.ts'
import type { AssistantMessage, StopReason, ToolCall } from '../protocol/messages.ts'
import type { EndReason, Metrics } from '../protocol/wire.ts'
import type { Ahead } from './ahead.ts'
import { CallTaker } from './calls.ts'
import { chatRequest } from './request.ts'
import type { RunEvent, RunParts } from './run.ts'
import { malformedNote, note } from './words.ts'

export interface Answer {
  /** undefined when nothing was said: an empty assistant message is never kept. */
  message: AssistantMessage | undefined
  /** The answer as a person reads it. */
  text: string
  calls: ToolCall[]
  /** What of the calls runs already. */
  ahead: Ahead
  unreadable: Unreadable | undefined
  ended: EndReason | 'steer' | 'aborted'
  /** The reply broke off, or never came: what was said is kept, and the run ends. */
  failure: RunError | undefined
}

/** A reply without text and calls, though the server generated something: a call that it could not place. */
const empty: Unreadable = {
  kind: 'swallowed',
  detail: 'It was empty, or a tool call that was not understood.',
}

/** Re-asks after a 500 that the model caused by a malformed call. */
const maxMalformed = 2

/** Asks until a reply came, or a failure that cannot be mended. Throws only for bugs of ours. */
export async function* ask(parts: RunParts, signal: AbortSignal): AsyncGenerator<RunEvent, Answer> {
  const tried: Tried = { malformed: 0, room: false }
  for (;;) {
    const reply = parts.steering.duringReply(signal)
    let answer: Answer
    try {
      answer = yield* askOnce(parts, reply.controller.signal, signal)
    } finally {
      parts.steering.over(reply)
    }
    if (!answer.failure || !(yield* mend(answer.failure, { parts, tried, signal }))) return answer
  }
}

/** What was done already to be answered. */
interface Tried {
  malformed: number
  room: boolean
}

/** Does what can be done about a refusal. → whether to ask again. */
async function* mend(
  failure: RunError,
  { parts, tried, signal }: { parts: RunParts; tried: Tried; signal: AbortSignal },
): AsyncGenerator<RunEvent, boolean> {
  if (failure.code === 'context' && !tried.room) {
    tried.room = true
    return yield* parts.makeRoom(signal, { refused: true })
  }
  if (failure.remedy === 'malformed_call') {
    if (++tried.malformed > maxMalformed) return false
    yield { type: 'notice', code: 'malformed_call', message: failure.message }
    yield note(parts, malformedNote(parts))
    return true
  }
  const changes = failure.remedy && parts.fallBack(failure)
  if (!changes) return false
  yield* changes
  return true
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
  const calls = new CallTaker(parts)
  let end: { reason: EndReason; metrics: Metrics } | undefined
  let failure: RunError | undefined

  const request = chatRequest(setup, parts.history)
  yield parts.expectation(request)
  try {
    for await (const event of parts.chat.chat(request, { signal })) {
      if (event.type === 'notice') {
        yield event
      } else if (event.type === 'end') {
        end = event
      } else {
        yield* show(parser.push(event))
        calls.take(parser.calls)
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
  if (whole) calls.take(reply.calls)
  else calls.ahead.stop(signal.reason)
  const said = keep({
    id,
    reply,
    // Calls of a broken stream are dropped: nobody knows whether they are whole.
    calls: failure ? [] : calls.withIds(reply.calls),
    stop: failure ? 'error' : ended,
  })
  const usage = parts.measure(request, { ...(end && { metrics: end.metrics }), ...(said && { reply: said }) })
  const message = said && { ...said, ...(usage && { usage }) }
  if (message) yield { type: 'message', ...message }
  return {
    message,
    text: reply.text,
    calls: message?.tool_calls ?? [],
    ahead: calls.ahead,
    unreadable: whole ? (reply.unreadable ?? (message ? undefined : empty)) : undefined,
    ended,
    failure,
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
  calls: ToolCall[]
  stop: EndReason | Extract<StopReason, 'steer' | 'aborted' | 'error'>
}

/** The message for the history, or nothing when nothing was said. */
function keep({ id, reply, calls, stop }: Keep): AssistantMessage | undefined {
  if (reply.content.trim() === '' && calls.length === 0) return undefined
  return {
    id,
    role: 'assistant',
    content: reply.content,
    ...(reply.thinking && { thinking: reply.thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(calls.length > 0 && reply.textCalls && { text_calls: true as const }),
    stop_reason: stop === 'stop' && calls.length > 0 ? 'calls' : stop,
  }
}
