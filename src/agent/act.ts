/**
 * Runs the calls of one reply: side by side, at most eight at once; those that collide (on the shell, on a file that one writes)
 * keep their order; results go back in call order. Every call gets a result, whatever happens.
 */
import type { ToolCall } from '../protocol/messages.ts'
import { cut } from '../tools/tool.ts'
import { follow } from './abortable.ts'
import type { Ahead, Begun } from './ahead.ts'
import { attempt } from './attempt.ts'
import { Channel } from './channel.ts'
import { type Gate, gate } from './gate.ts'
import { type Outcome, toMessage, unfinished } from './outcome.ts'
import { type Attempt, tellOf } from './permit.ts'
import type { Capabilities, Manner, RunContext, RunEvent, RunTools } from './run.ts'
import type { CancelReason } from './steering.ts'
import { type Planned, togetherOf } from './together.ts'
import { collide, type Touches, touchesOf } from './touches.ts'
import { aborted, notRun } from './words.ts'

/** Bytes a token is taken to have when a budget in tokens becomes one in bytes: on the safe side. */
const bytesPerToken = 3

export interface ActOptions {
  signal: AbortSignal
  /** What was started while the reply was being written. */
  ahead: Ahead
  /** How the calls were written, by their ids. */
  manners: ReadonlyMap<string, Manner>
  /** The last word on an outcome, in call order. */
  finish(outcome: Outcome): Outcome
}

/** Bytes that all results of one turn may take: half of the context that is free. */
export const turnBudget = ({ freeTokens }: Pick<RunContext, 'freeTokens'>): number =>
  Math.floor((freeTokens() * bytesPerToken) / 2)

/** Runs the calls and yields their events, in call order the messages with their results. */
export async function* act(
  calls: readonly ToolCall[],
  parts: Capabilities,
  { signal: runSignal, ahead, manners, finish }: ActOptions,
): AsyncGenerator<RunEvent, Outcome[]> {
  yield { type: 'phase', phase: 'tool' }
  const { tools, context } = parts
  const cancelling = context.steering.duringTools(runSignal)
  const { signal } = cancelling.controller
  const channel = new Channel<RunEvent>()
  const budget = Math.floor(turnBudget(context) / calls.length)
  const asking = gate()
  const before: { touches: Touches; task: Promise<unknown> }[] = []
  const stopAhead = () => ahead.stop(signal.reason)
  if (signal.aborted) stopAhead()
  signal.addEventListener('abort', stopAhead, { once: true })

  const planned = calls.map(call => (calls.length === 1 ? undefined : wouldTouch(call, tools)))
  const groups = togetherOf(planned)
  const tasks = calls.map((call, at) => {
    const touches = planned[at]?.touches
    const together = groups.get(call.id)
    const first = touches ? before.filter(earlier => collide(earlier.touches, touches)) : []
    const turn = asking.turn(call)
    const task = Promise.all(first.map(earlier => earlier.task))
      .then(() => {
        const { from } = manners.get(call.id) ?? {}
        return runCall(call, { parts, signal, budget, channel, ahead, asking: turn, together, from })
      })
      .finally(() => turn.pass())
    if (touches) before.push({ touches, task })
    return task
  })

  const outcomes: Outcome[] = []
  const deliver = async () => {
    for (const task of tasks) {
      const outcome = finish(await task)
      outcomes.push(outcome)
      await channel.put({ type: 'message', ...toMessage(outcome, context.newId()) })
    }
  }
  const delivered = deliver()
    .catch(async error => {
      // A bug of ours: the run ends, and no call of it may outlive it.
      cancelling.controller.abort('user' satisfies CancelReason)
      await Promise.allSettled(tasks)
      throw error
    })
    .finally(() => channel.close())
  delivered.catch(() => {}) // Until it is awaited, below.
  try {
    yield* channel
  } finally {
    signal.removeEventListener('abort', stopAhead)
    context.steering.over(cancelling)
  }
  await delivered
  return outcomes
}

/** Results for calls that are not run at all, because the user spoke before they began. */
export function* skip(
  calls: readonly ToolCall[],
  { context }: Capabilities,
  signal: AbortSignal,
): Generator<RunEvent> {
  for (const call of calls) {
    const outcome = unfinished(call, signal.aborted ? aborted() : notRun(), { ended: 'aborted' })
    yield { type: 'message', ...toMessage(outcome, context.newId()) }
  }
}

/** What a call would touch, as the model wrote it; a call that cannot be run touches nothing. */
function wouldTouch(call: ToolCall, { list, surroundings: { cwd } }: RunTools): Planned | undefined {
  const tool = list.find(({ name }) => name === call.name)
  const checked = tool?.check(call.arguments, cwd)
  if (!tool || !checked?.ok) return undefined
  const { args } = checked
  return { call, tool, args, touches: touchesOf(tool.access(args, cwd), cwd) }
}

interface CallTask extends Pick<Attempt, 'parts' | 'signal' | 'budget' | 'together' | 'from'> {
  channel: Channel<RunEvent>
  ahead: Ahead
  asking: Gate
}

/** One call with its events. Rejects only for bugs of ours. */
async function runCall(call: ToolCall, task: CallTask): Promise<Outcome> {
  const { channel, ahead, asking, parts, budget, together, from } = task
  const tell = (event: RunEvent) => channel.put(event)
  const begun = await ahead.take(call.id)
  if (begun?.ran) return ranAhead(call, { ...begun, ...begun.ran }, { tell, budget })
  await ahead.slots.enter()
  // Each call has a signal of its own: how many listen to it is that call's business.
  const following = follow(task.signal)
  const { signal } = following.controller
  try {
    const started = performance.now()
    await tell(startOf(call))
    const outcome = await attempt(call, {
      parts,
      signal,
      budget,
      tell,
      asking,
      prepared: begun?.prepared,
      together,
      from,
    })
    await tell(endOf(call, outcome, started))
    return { ...outcome, arguments: call.arguments }
  } finally {
    following.release()
    ahead.slots.leave()
  }
}

async function ranAhead(
  call: ToolCall,
  { started, judged, outcome, ended }: Pick<Begun, 'started'> & NonNullable<Begun['ran']>,
  { tell, budget }: Pick<Attempt, 'tell' | 'budget'>,
): Promise<Outcome> {
  await tell(startOf(call))
  await tellOf(call, judged, { tell })
  const { content, ...rest } = await outcome
  const done = { ...rest, content: cut(content, budget), arguments: call.arguments }
  await tell(endOf(call, done, started, await ended))
  return done
}

const startOf = ({ id, name, arguments: args }: ToolCall): RunEvent => ({
  type: 'tool_call_start',
  tool_call_id: id,
  name,
  arguments: args,
})

const endOf = (
  { id }: ToolCall,
  { is_error }: Outcome,
  started: number,
  ended = performance.now(),
): RunEvent => ({
  type: 'tool_call_end',
  tool_call_id: id,
  is_error,
  duration_ms: Math.round((ended - started) * 10) / 10,
})
