/**
 * One request to the model and its reply: streamed, parsed, cut when the user's words arrive, and asked again where
 * the server's refusal can be mended.
 */
import type { Reply, Shown, Unreadable } from '../dialect/dialect.ts'
import { RunError } from '../protocol/errors.ts'
import type { AssistantMessage, StopReason, ToolCall } from '../protocol/messages.ts'
import type { EndReason, Metrics } from '../protocol/wire.ts'
import { told } from '../words/sayings/told.ts'
import type { Ahead } from './ahead.ts'
import { CallTaker } from './calls.ts'
import type { Echo, EchoGuard } from './echo.ts'
import { chatRequest } from './request.ts'
import type { Capabilities, Manner, RunEvent } from './run.ts'
import { goOnNote, malformedNote, note } from './words.ts'

export interface Answer {
  /** undefined when nothing was said: an empty assistant message is never kept. */
  message: AssistantMessage | undefined
  /** The answer as a person reads it. */
  text: string
  calls: ToolCall[]
  /** How they were written, by their ids. */
  manners: ReadonlyMap<string, Manner>
  /** The calls that are already running. */
  ahead: Ahead
  unreadable: Unreadable | undefined
  /** `enough`: a thought was cut, and nothing of it is kept. */
  ended: EndReason | 'steer' | 'aborted' | 'enough'
  /** The reply broke off, or never came: what was said is kept, and the run ends. */
  failure: RunError | undefined
  /** What it said again and again, alone or with the replies before. */
  echo: Echo | undefined
}

/** A reply without text or calls, though the server generated something: a call that it could not place. */
const empty: Unreadable = {
  kind: 'swallowed',
  detail: 'It was empty, or a tool call that was not understood.',
}

/** Of a thought; servers tell how many tokens it had only afterwards. */
const charactersPerToken = 4

/** Re-asks after a 500 that the model caused by a malformed call. */
const maxMalformed = 2

/** Servers after the first that a reply is gone on with when one after the other breaks it off. */
const maxMoves = 3

/** Asks until there is a reply, or a failure that cannot be mended. Throws only for bugs in gopi. */
export async function* ask(
  parts: Capabilities,
  signal: AbortSignal,
  echo: EchoGuard,
): AsyncGenerator<RunEvent, Answer> {
  const tried: Tried = { malformed: 0, room: false, moves: 0 }
  let thinks = true
  let broken = ''
  for (;;) {
    const reply = parts.context.steering.duringReply(signal)
    let answer: Answer
    try {
      answer = yield* askOnce(parts, reply.controller.signal, { runSignal: signal, guard: echo, thinks })
    } finally {
      parts.context.steering.over(reply)
    }
    if (answer.ended === 'enough') {
      thinks = false
      continue
    }
    const { failure, text, message } = answer
    if (!failure || !(yield* mend(failure, { parts, tried, signal, message })))
      return { ...answer, text: broken + text }
    if (message && failure.remedy === 'elsewhere') broken += `${text}\n\n`
  }
}

/** What has already been tried to get an answer. */
interface Tried {
  malformed: number
  room: boolean
  moves: number
}

interface Mending extends Pick<Answer, 'message'> {
  parts: Capabilities
  tried: Tried
  signal: AbortSignal
}

/** Does what can be done about a refusal. → whether to ask again. */
async function* mend(
  failure: RunError,
  { parts, tried, signal, message }: Mending,
): AsyncGenerator<RunEvent, boolean> {
  if (failure.code === 'context' && !tried.room) {
    tried.room = true
    return yield* parts.context.makeRoom(signal, { refused: true })
  }
  if (failure.remedy === 'malformed_call') {
    if (++tried.malformed > maxMalformed) return false
    const { code, facts, message } = failure
    yield { type: 'notice', ...told('malformed_call', { reason: facts ? { code, facts } : message }) }
    yield note(parts, malformedNote(parts))
    return true
  }
  if (failure.remedy === 'elsewhere') {
    if (signal.aborted || ++tried.moves > maxMoves) return false
    const { code, facts, message: sentence } = failure
    yield { type: 'notice', ...told('pool.midway', { reason: facts ? { code, facts } : sentence }) }
    if (message) yield note(parts, goOnNote())
    return true
  }
  const changes = failure.remedy && parts.model.fallBack(failure)
  if (!changes) return false
  yield* changes
  return true
}

async function* askOnce(
  parts: Capabilities,
  signal: AbortSignal,
  { runSignal, guard, thinks }: { runSignal: AbortSignal; guard: EchoGuard; thinks: boolean },
): AsyncGenerator<RunEvent, Answer> {
  const { model, context } = parts
  const { steering } = context
  const known = model.setup()
  const setup = thinks ? known : { ...known, think: false }
  const budget = (setup.thinkBudget ?? Number.POSITIVE_INFINITY) * charactersPerToken
  let thought = 0
  const parser = setup.dialect.parser(setup.wireTools)
  const id = context.newId()
  const show = shower(id)
  const calls = new CallTaker(parts)
  let end: { reason: EndReason; metrics?: Metrics } | undefined
  let failure: RunError | undefined
  let circling: Echo | undefined

  const request = chatRequest(setup, context.history)
  yield model.expectation(request)
  try {
    for await (const event of model.chat(request, { signal })) {
      if (event.type === 'notice') {
        yield event
      } else if (event.type === 'end') {
        end = event
      } else {
        const shown = parser.push(event)
        for (const { type, text } of shown) if (type === 'thinking') thought += text.length
        steering.thinking = shown.length > 0 ? shown.at(-1)?.type === 'thinking' : steering.thinking
        yield* show(shown)
        if (thinks && thought > budget) steering.enough()
        calls.take(parser.calls)
        for (const { type, text } of shown) if (type !== 'unsaid') circling ??= guard.push(type, text)
        if (parser.done || circling) break
      }
    }
  } catch (error) {
    if (!signal.aborted) {
      if (!(error instanceof RunError)) throw error
      failure = error
    }
  }

  const cut = signal.reason === 'enough' ? 'enough' : 'steer'
  const ended = runSignal.aborted ? 'aborted' : signal.aborted ? cut : (end?.reason ?? 'stop')
  const whole = !failure && !signal.aborted
  const reply = parser.finish(whole ? (end?.reason ?? 'stop') : 'cut')
  yield* show(reply.shown)
  for (const { type, text } of reply.shown) if (type !== 'unsaid') guard.push(type, text)
  const echo = guard.replied()
  if (whole) calls.take(reply.calls)
  else calls.ahead.stop(signal.reason)
  const stop = failure ? 'error' : ended
  const said =
    stop === 'enough'
      ? undefined
      : keep({
          id,
          reply,
          // Calls of a broken stream are dropped: nobody knows whether they are whole.
          calls: failure ? [] : calls.withIds(reply.calls),
          stop,
        })
  const usage = model.measure(request, {
    ...(end?.metrics && { metrics: end.metrics }),
    ...(said && { reply: said }),
  })
  const message = said && { ...said, ...(usage && { usage }) }
  if (message) yield { type: 'message', ...message }
  return {
    message,
    text: reply.text,
    calls: message?.tool_calls ?? [],
    manners: calls.manners,
    ahead: calls.ahead,
    unreadable: whole ? (reply.unreadable ?? (message ? undefined : empty)) : undefined,
    ended,
    failure,
    echo: circling ?? echo,
  }
}

/** Pieces that the parser may keep back before it is said that a call is being written. */
const keptBack = 3

/** Turns what the parser shows into events, and announces the message and its phases when they begin. */
function shower(id: string) {
  let phase: 'thinking' | 'writing' | 'call' | undefined
  let hasBegun = false
  let hidden = 0
  return function* (shown: Shown[]): Generator<RunEvent> {
    const visible = shown.filter(({ type, text }) => type === 'unsaid' || text !== '')
    hidden = visible.length > 0 ? 0 : hidden + 1
    if (hidden > keptBack && phase !== 'call')
      yield { type: 'phase', phase: 'writing', what: (phase = 'call') }
    for (const { type, text } of visible) {
      if (type === 'unsaid') {
        // What comes now is the message, from its beginning.
        hasBegun = false
        continue
      }
      if (!hasBegun) yield { type: 'message_start', id, role: 'assistant' }
      hasBegun = true
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
