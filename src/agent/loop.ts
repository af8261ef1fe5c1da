/**
 * The loop: ask the model, read its reply, run what it asks for, again, until it answers without a call.
 * It yields everything that happens and goes on only when the consumer has taken it; the consumer appends the
 * `message` events to the history that the next request is made of.
 */
import type { Unreadable } from '../dialect/dialect.ts'
import { RunError } from '../protocol/errors.ts'
import type { Told } from '../protocol/sayings.ts'
import { ownFailure } from '../words/own-failure.ts'
import { told } from '../words/sayings/told.ts'
import { abortable } from './abortable.ts'
import { act, skip } from './act.ts'
import { type Answer, ask } from './ask.ts'
import { EchoGuard } from './echo.ts'
import { maxNudges, maxUnreadable, type Repeat, RepeatGuard } from './limits.ts'
import { isDenied, type Outcome } from './outcome.ts'
import { idleIn } from './promise.ts'
import type { Capabilities, RunContext, RunEnd, RunEvent } from './run.ts'
import { mayHaveChanged } from './touches.ts'
import type { Verified } from './verify.ts'
import { echoNote, idleNote, note, renamedNote, repeatedNote, talkNote, unreadableNote } from './words.ts'

/** Contract: always ends with `agent_end` and never throws; the history is valid afterwards. */
export async function* run(
  parts: Capabilities,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<RunEvent, RunEnd> {
  const state: RunState = {
    turns: 0,
    text: '',
    unreadable: 0,
    unasked: false,
    acted: false,
    nudges: 0,
    guard: new RepeatGuard(),
    echo: new EchoGuard(),
    verified: { failures: 0 },
  }
  let end: Omit<RunEnd, 'turns' | 'text'>
  try {
    end = { reason: yield* turns(parts, state, signal) }
  } catch (error) {
    const failure = asRunError(error)
    yield { type: 'error', ...failure.told }
    end = { reason: 'error', error: failure }
  }
  yield { type: 'agent_end', reason: end.reason, turns: state.turns }
  yield { type: 'phase', phase: 'idle' }
  const { unmended } = state.verified
  return { ...end, turns: state.turns, text: state.text, ...(unmended !== undefined && { unmended }) }
}

interface RunState {
  turns: number
  /** The text of the last reply. */
  text: string
  /** Replies in a row that could not be read. */
  unreadable: number
  /** A call was denied because nobody could be asked. */
  unasked: boolean
  /** A call was made. */
  acted: boolean
  /** Times that the model was told that it left undone what it spoke of. */
  nudges: number
  /** What was said before the last of them, where it may be the answer after all. */
  before?: string | undefined
  guard: RepeatGuard
  echo: EchoGuard
  verified: Verified
  /** A step has let it not end. */
  heldUp?: boolean
}

async function* turns(
  parts: Capabilities,
  state: RunState,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, RunEnd['reason']> {
  for (;;) {
    if (!(await mayGoOn(parts, state, signal))) {
      if (signal.aborted) return 'aborted'
      yield { type: 'notice', ...told('turn_limit', { turns: state.turns }) }
      return 'limit'
    }
    state.turns++
    yield { type: 'turn_start' }
    let verdict: Verdict
    try {
      yield* parts.context.makeRoom(signal, { refused: false })
      verdict = yield* turn(parts, state, signal)
      // Words that come too late for this run are left for the next one.
      if (verdict !== 'limit') yield* stepIn(parts.context, signal)
    } finally {
      yield { type: 'turn_end' }
    }
    if (signal.aborted) return 'aborted'
    if (verdict === 'limit') return 'limit'
    if (verdict !== 'answered' || lastWordIsTheUsers(parts.context)) continue
    if (parts.policy.checks && (yield* (await import('./verify.ts')).verify(parts, state.verified, signal)))
      continue
    if (signal.aborted) return 'aborted'
    const more = await whatIsLeft(parts, state, signal)
    if (more === undefined) return state.unasked ? 'permission' : 'done'
    state.heldUp = true
    yield note(parts, more)
  }
}

/** Why a step lets the run not end yet. */
async function whatIsLeft(
  { policy: { steps = [], thread } }: Capabilities,
  { text, heldUp = false }: RunState,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { stopping } of steps) {
    const more = stopping && (await stopping({ thread, text, again: heldUp }, signal))
    if (more !== undefined && !signal.aborted) return more
  }
  return undefined
}

/** At the turn limit the person decides; without an answer, because the run is aborted, it ends. */
async function mayGoOn({ policy }: Capabilities, { turns }: RunState, signal: AbortSignal) {
  const { maxTurns, goOn } = policy
  if (turns === 0 || turns % maxTurns !== 0) return true
  return abortable(goOn(turns, signal), signal).catch(error => {
    if (!signal.aborted) throw error
    return false
  })
}

/** `answered`: the model has nothing more to do. */
type Verdict = 'go on' | 'answered' | 'limit'

/** One request and the calls of its reply. */
async function* turn(
  parts: Capabilities,
  state: RunState,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, Verdict> {
  const { before } = state
  const answer = yield* ask(parts, signal, state.echo)
  state.text = before === undefined || answer.calls.length > 0 ? answer.text : `${before}\n\n${answer.text}`
  state.before = undefined
  if (answer.failure) throw answer.failure
  if (answer.ended === 'aborted' || answer.ended === 'steer') {
    yield* skip(answer.calls, parts, signal)
    return 'go on'
  }
  if (answer.ended === 'length') {
    yield { type: 'notice', ...told('length', {}) }
  }
  const { echo } = answer
  const verdict = answer.calls.length > 0 ? yield* runCalls(parts, state, { answer, signal }) : 'answered'
  if (echo?.verdict === 'end') {
    yield { type: 'notice', ...told('repeat_text', { text: echo.text }) }
    return 'limit'
  }
  if (echo && verdict === 'go on') yield note(parts, echoNote(echo))
  if (!answer.unreadable) return verdict === 'answered' ? yield* nudge(parts, state, answer) : verdict
  yield note(parts, unreadableNote(parts, answer.unreadable))
  if (answer.calls.length === 0) yield* countUnreadable(parts, state, answer.unreadable)
  return verdict === 'limit' ? 'limit' : 'go on'
}

/** Tells a model, twice at most, that what it spoke of was not done. */
function* nudge(parts: Capabilities, state: RunState, answer: Answer): Generator<RunEvent, Verdict> {
  const { list } = parts.tools
  if (answer.ended !== 'stop' || state.nudges >= maxNudges || list.length === 0) return 'answered'
  const idle = idleIn(answer.text)
  if (!idle) return 'answered'
  if (idle.kind === 'command') {
    // What comes at the end of work, or cannot be run at all, is meant for the person.
    if (state.acted || !list.some(({ name }) => name === 'bash')) return 'answered'
    state.before = answer.text
  }
  state.nudges++
  yield note(parts, idleNote(idle))
  return 'go on'
}

async function* runCalls(
  parts: Capabilities,
  state: RunState,
  { answer, signal }: { answer: Answer; signal: AbortSignal },
): AsyncGenerator<RunEvent, 'go on' | 'limit'> {
  let repeated: Told | undefined
  const finish = (done: Outcome): Outcome => {
    const wrote = answer.manners.get(done.id)?.wrote
    const named = wrote === undefined ? '' : `${renamedNote(wrote, done.name)}\n`
    const outcome = { ...done, content: named + done.content }
    const repeat = state.guard.finished(outcome, { denied: isDenied(outcome) })
    if (repeat.verdict === 'fine') return outcome
    if (repeat.verdict === 'end') repeated = tellRepeat(outcome.name, repeat)
    return { ...outcome, content: `${outcome.content}\n\n${repeatedNote(repeat)}` }
  }
  state.acted = true
  parts.context.toolsBegan(signal)
  const outcomes = yield* act(answer.calls, parts, {
    signal,
    finish,
    ahead: answer.ahead,
    manners: answer.manners,
  })
  state.unasked ||= outcomes.some(({ unasked }) => unasked)

  if (outcomes.every(({ unusable }) => unusable)) countUnusable(parts, state, outcomes[0]?.content ?? '')
  else state.unreadable = 0

  if (outcomes.some(outcome => !outcome.readsOnly && mayHaveChanged(outcome))) state.echo.progressed()
  if (!repeated) return 'go on'
  yield { type: 'notice', ...repeated }
  return 'limit'
}

function tellRepeat(tool: string, repeat: Exclude<Repeat, { verdict: 'fine' }>): Told {
  if (repeat.kind === 'pair') return told('repeat_pair', { tool, other: repeat.other })
  return repeat.kind === 'error' ? told('repeat_error', { tool }) : told('repeat', { tool })
}

/** The words that wait step in as the user's next messages. Until they do they may be taken back. */
async function* stepIn({ steering, asSent }: RunContext, signal: AbortSignal): AsyncGenerator<RunEvent> {
  for (let words = steering.first; words && !signal.aborted; words = steering.first) {
    const message = await asSent(words, signal)
    if (!signal.aborted && steering.take(words.id)) yield { type: 'message', ...message }
  }
}

const lastWordIsTheUsers = ({ history }: RunContext): boolean => history.at(-1)?.role === 'user'

/** A model that follows no dialect can still talk: the run goes on as a conversation, and ends where not even that works. */
function* countUnreadable(
  parts: Capabilities,
  state: RunState,
  { kind, detail }: Unreadable,
): Generator<RunEvent> {
  // Where nothing arrives at all, there is nothing to talk with.
  const isLast = state.unreadable + 1 >= maxUnreadable && kind !== 'swallowed'
  if (!isLast || !parts.model.talk()) {
    countUnusable(parts, state, detail)
    return
  }
  state.unreadable = 0
  yield { type: 'notice', ...told('talks', { replies: maxUnreadable, detail }) }
  yield note(parts, talkNote())
}

function countUnusable(parts: Capabilities, state: RunState, detail: string): void {
  if (++state.unreadable < maxUnreadable) return
  const tools = parts.tools.list.map(({ name }) => name)
  throw new RunError(told('stream.unreadable', { replies: maxUnreadable, detail, tools }))
}

export const asRunError = (error: unknown): RunError =>
  error instanceof RunError ? error : ownFailure(error)
