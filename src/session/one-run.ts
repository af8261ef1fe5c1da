/** One run, from the person's words to its end, whatever comes in between. */
import { run } from '../agent/loop.ts'
import type { RunEnd, RunEvent } from '../agent/run.ts'
import { RunError } from '../protocol/errors.ts'
import type { RunReason } from '../protocol/events.ts'
import type { AssistantMessage, UserMessage } from '../protocol/messages.ts'
import type { TypedOptions } from './parts.ts'
import { missingResults } from './replay.ts'
import { type RunRooms, runParts } from './run-parts.ts'

export interface OneRunOptions extends TypedOptions {
  signal: AbortSignal
  maxTurns: number
}

export interface OneRun {
  end: RunEnd
  /** What the model has said in it: a compaction may take it out of the history. */
  replies: AssistantMessage[]
}

/** Milliseconds into a run at which the shell is started: the request has left by then. */
const shellDelay = 50
/** Events after which nothing is expected of a request any more. */
const endsWaiting: ReadonlySet<string> = new Set<RunEvent['type']>(['message_start', 'message', 'turn_end'])

/** Never rejects: what goes wrong is the run's error. The history is valid afterwards. */
export async function oneRun(rooms: RunRooms, words: UserMessage, options: OneRunOptions): Promise<OneRun> {
  const { recorder, parts } = rooms
  const replies: AssistantMessage[] = []
  const end = await runToEnd(rooms, words, { ...options, replies }).catch(error => endWithout(rooms, error))
  for (const result of missingResults(recorder.history, parts.newId)) {
    recorder.record({ type: 'message', ...result })
  }
  return { end, replies }
}

async function runToEnd(
  rooms: RunRooms,
  words: UserMessage,
  { typed, signal, maxTurns, replies }: OneRunOptions & Pick<OneRun, 'replies'>,
): Promise<RunEnd> {
  const { parts, recorder, connecting, idle, progress, mentions } = rooms
  rooms.begin()
  recorder.show({ type: 'phase', phase: 'waiting' })
  const failure = connecting.setup && !signal.aborted ? undefined : await failureToConnect(rooms, signal)
  const message = failure === undefined ? await mentions.asSent(words, typed, signal) : words
  if (failure === undefined) await idle.beforeRun(message.content, signal)
  recorder.record({ type: 'agent_start' })
  recorder.record({ type: 'message', ...withAside(rooms, message) })
  if (failure !== undefined) return endWithout(rooms, failure)

  // The shell is likely to be needed, and the server takes longer than it does to start.
  const warming = setTimeout(() => parts.shell.warm(), shellDelay)
  const events = run(runParts(rooms, { maxTurns }), { signal })
  for (;;) {
    const { done, value } = await events.next()
    if (done) {
      clearTimeout(warming)
      return value
    }
    if (endsWaiting.has(value.type)) progress.arrived()
    if (value.type === 'message' && value.role === 'assistant') replies.push(value)
    recorder.take(value)
  }
}

const failureToConnect = ({ connecting, begin }: RunRooms, signal: AbortSignal): Promise<unknown> =>
  connecting.connect(begin, signal).then(
    () => undefined,
    error => error,
  )

/** The prompt as it is sent: what changed meanwhile rides at its end, where nothing was read yet. */
function withAside({ parts, recorder }: RunRooms, words: UserMessage): UserMessage {
  const { note, notices } = parts.aside(recorder.history)
  for (const notice of notices) recorder.record({ type: 'notice', ...notice })
  if (note === '') return words
  return { ...words, content: `${words.content}\n\n${note}`, shown: words.shown ?? words.content }
}

/** The run ends before its first request: nobody answered, or the person did not wait. */
function endWithout({ recorder }: RunRooms, failure: unknown): RunEnd {
  const aborted = !(failure instanceof Error)
  const reason: RunReason = aborted ? 'aborted' : 'error'
  const error =
    failure instanceof RunError ? failure : new RunError('internal', String(failure), { cause: failure })
  if (!aborted) recorder.record({ type: 'error', code: error.code, message: error.message })
  recorder.record({ type: 'agent_end', reason, turns: 0 })
  recorder.show({ type: 'phase', phase: 'idle' })
  return { reason, turns: 0, text: '', ...(!aborted && { error }) }
}
