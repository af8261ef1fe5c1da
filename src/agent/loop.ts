/**
 * The loop: ask the model, read its reply, run what it asks for, again, until it answers without a call.
 * It yields everything that happens and goes on only when the consumer has taken it; the consumer appends the
 * `message` events to the history that the next request is made of.
 */
import { RunError } from '../protocol/errors.ts'
import { messageOf } from '../text/message-of.ts'
import { abortable } from './abortable.ts'
import { act, skip } from './act.ts'
import { type Answer, ask } from './ask.ts'
import { maxUnreadable, RepeatGuard } from './limits.ts'
import type { Outcome } from './outcome.ts'
import type { RunEnd, RunEvent, RunParts } from './run.ts'
import { note, repeatedNote, toolNames, unreadableNote } from './words.ts'

/** Contract: always ends with `agent_end` and never throws; the history is valid afterwards. */
export async function* run(
  parts: RunParts,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<RunEvent, RunEnd> {
  const state: RunState = { turns: 0, text: '', unreadable: 0, unasked: false, guard: new RepeatGuard() }
  let end: Omit<RunEnd, 'turns' | 'text'>
  try {
    end = { reason: yield* turns(parts, state, signal) }
  } catch (error) {
    const failure = error instanceof RunError ? error : internal(error)
    yield { type: 'error', code: failure.code, message: failure.message }
    end = { reason: 'error', error: failure }
  }
  yield { type: 'agent_end', reason: end.reason, turns: state.turns }
  yield { type: 'phase', phase: 'idle' }
  return { ...end, turns: state.turns, text: state.text }
}

interface RunState {
  turns: number
  /** The text of the last reply. */
  text: string
  /** Replies in a row that could not be read. */
  unreadable: number
  /** A call was denied because nobody could be asked. */
  unasked: boolean
  guard: RepeatGuard
}

async function* turns(
  parts: RunParts,
  state: RunState,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, RunEnd['reason']> {
  for (;;) {
    if (!(await mayGoOn(parts, state, signal))) {
      if (signal.aborted) return 'aborted'
      yield { type: 'notice', code: 'turn_limit', message: `Stopped after ${state.turns} turns.` }
      return 'limit'
    }
    state.turns++
    yield { type: 'turn_start' }
    let verdict: Verdict
    try {
      yield* parts.makeRoom(signal, { refused: false })
      verdict = yield* turn(parts, state, signal)
      // Words that come too late for this run are left for the next one.
      if (verdict !== 'limit') yield* stepIn(parts, signal)
    } finally {
      yield { type: 'turn_end' }
    }
    if (signal.aborted) return 'aborted'
    if (verdict === 'limit') return 'limit'
    if (verdict === 'answered' && !lastWordIsTheUsers(parts)) return state.unasked ? 'permission' : 'done'
  }
}

/** At the turn limit the person decides; without an answer, because the run is aborted, it ends. */
async function mayGoOn({ maxTurns, goOn }: RunParts, { turns }: RunState, signal: AbortSignal) {
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
  parts: RunParts,
  state: RunState,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, Verdict> {
  const answer = yield* ask(parts, signal)
  state.text = answer.text
  if (answer.failure) throw answer.failure
  if (answer.ended === 'aborted' || answer.ended === 'steer') {
    yield* skip(answer.calls, parts, signal)
    return 'go on'
  }
  if (answer.ended === 'length') {
    yield {
      type: 'notice',
      code: 'length',
      message: 'The reply was cut: the context, or the reply limit, is full.',
    }
  }
  const verdict = answer.calls.length > 0 ? yield* runCalls(parts, state, { answer, signal }) : 'answered'
  if (!answer.unreadable) return verdict
  yield note(parts, unreadableNote(parts, answer.unreadable))
  if (answer.calls.length === 0) countUnreadable(parts, state, answer.unreadable.detail)
  return verdict === 'limit' ? 'limit' : 'go on'
}

async function* runCalls(
  parts: RunParts,
  state: RunState,
  { answer, signal }: { answer: Answer; signal: AbortSignal },
): AsyncGenerator<RunEvent, 'go on' | 'limit'> {
  let repeated: Outcome | undefined
  const finish = (outcome: Outcome): Outcome => {
    const repeat = state.guard.finished(outcome)
    if (repeat.verdict === 'fine') return outcome
    if (repeat.verdict === 'end') repeated = outcome
    return { ...outcome, content: `${outcome.content}\n\n${repeatedNote(repeat.times)}` }
  }
  const outcomes = yield* act(answer.calls, parts, { signal, finish, ahead: answer.ahead })
  state.unasked ||= outcomes.some(({ unasked }) => unasked)

  if (outcomes.every(({ unusable }) => unusable)) countUnreadable(parts, state, outcomes[0]?.content ?? '')
  else state.unreadable = 0

  if (!repeated) return 'go on'
  const message = `Stopped: the model made the same ${repeated.name} call again and again with the same result.`
  yield { type: 'notice', code: 'repeat', message }
  return 'limit'
}

/** The words that wait step in as the user's next messages. Until they do they may be taken back. */
async function* stepIn({ steering, asSent }: RunParts, signal: AbortSignal): AsyncGenerator<RunEvent> {
  for (let words = steering.first; words && !signal.aborted; words = steering.first) {
    const message = await asSent(words, signal)
    if (!signal.aborted && steering.take(words.id)) yield { type: 'message', ...message }
  }
}

const lastWordIsTheUsers = ({ history }: RunParts): boolean => history.at(-1)?.role === 'user'

function countUnreadable(parts: RunParts, state: RunState, detail: string): void {
  if (++state.unreadable < maxUnreadable) return
  throw new RunError(
    'stream',
    `The model's last ${maxUnreadable} replies could not be read (${detail}). ` +
      `gopi expected plain text or a call of ${toolNames(parts)}; try again, another model, or --tool-calling react.`,
  )
}

/** Not the model's and not the server's fault: ours. */
function internal(error: unknown): RunError {
  const text = messageOf(error)
  return new RunError(
    'internal',
    `gopi itself failed: ${text}. Please report it; --debug writes the details to the log.`,
    {
      cause: error,
    },
  )
}
