/**
 * Runs the calls of one reply: side by side, at most eight at once; calls of one lane (the same file, the shell) keep
 * their order; results go back in call order. Every call gets a result, whatever happens.
 */
import type { ToolCall } from '../protocol/messages.ts'
import { cut } from '../tools/tool.ts'
import type { Ahead } from './ahead.ts'
import { attempt } from './attempt.ts'
import { Channel } from './channel.ts'
import { type Gate, gate } from './gate.ts'
import { type Outcome, toMessage, unfinished } from './outcome.ts'
import type { RunEvent, RunParts } from './run.ts'
import type { CancelReason } from './steering.ts'
import { aborted, notRun } from './words.ts'

const maxAtOnce = 8
/** Bytes a token is taken to have when a budget in tokens becomes one in bytes: on the safe side. */
const bytesPerToken = 3

export interface ActOptions {
  signal: AbortSignal
  /** What was started while the reply was being written. */
  ahead: Ahead
  /** The last word on an outcome, in call order. */
  finish(outcome: Outcome): Outcome
}

/** Bytes that all results of one turn may take: half of the context that is free. */
export const turnBudget = ({ freeTokens }: Pick<RunParts, 'freeTokens'>): number =>
  Math.floor((freeTokens() * bytesPerToken) / 2)

/** Runs the calls and yields their events, in call order the messages with their results. */
export async function* act(
  calls: readonly ToolCall[],
  parts: RunParts,
  { signal: runSignal, ahead, finish }: ActOptions,
): AsyncGenerator<RunEvent, Outcome[]> {
  yield { type: 'phase', phase: 'tool' }
  const cancelling = parts.steering.duringTools(runSignal)
  const { signal } = cancelling.controller
  const channel = new Channel<RunEvent>()
  const budget = Math.floor(turnBudget(parts) / calls.length)
  const asking = gate()
  const slots = limiter(maxAtOnce)
  const lanes = new Map<string, Promise<unknown>>()
  const stopAhead = () => ahead.stop(signal.reason)
  if (signal.aborted) stopAhead()
  signal.addEventListener('abort', stopAhead, { once: true })

  const tasks = calls.map(call => {
    const tool = parts.tools.find(({ name }) => name === call.name)
    const lane = calls.length === 1 ? undefined : tool?.lane?.(call.arguments, parts.cwd)
    const before = lane === undefined ? undefined : lanes.get(lane)
    const turn = asking.turn()
    const task = (async () => {
      await before
      await slots.enter()
      try {
        return await runCall(call, { tool, parts, signal, budget, channel, ahead, asking: turn })
      } finally {
        slots.leave()
        turn.pass()
      }
    })()
    if (lane !== undefined) lanes.set(lane, task)
    return task
  })

  const outcomes: Outcome[] = []
  const deliver = async () => {
    for (const task of tasks) {
      const outcome = finish(await task)
      outcomes.push(outcome)
      await channel.put({ type: 'message', ...toMessage(outcome, parts.newId()) })
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
    parts.steering.over(cancelling)
  }
  await delivered
  return outcomes
}

/** Results for calls that are not run at all, because the user spoke before they began. */
export function* skip(calls: readonly ToolCall[], parts: RunParts, signal: AbortSignal): Generator<RunEvent> {
  for (const call of calls) {
    const outcome = unfinished(call, signal.aborted ? aborted() : notRun(), { ended: 'aborted' })
    yield { type: 'message', ...toMessage(outcome, parts.newId()) }
  }
}

interface CallTask extends Pick<Parameters<typeof attempt>[1], 'tool' | 'parts' | 'signal' | 'budget'> {
  channel: Channel<RunEvent>
  ahead: Ahead
  asking: Gate
}

/** One call with its events. Rejects only for bugs of ours. */
async function runCall(call: ToolCall, { channel, ahead, asking, ...task }: CallTask): Promise<Outcome> {
  const tell = (event: RunEvent) => channel.put(event)
  await tell({ type: 'tool_call_start', tool_call_id: call.id, name: call.name, arguments: call.arguments })
  const early = await ahead.take(call.id)
  const started = early?.started ?? performance.now()
  let outcome: Outcome
  if (early) {
    const { decision, by, why } = early.judged
    await tell({
      type: 'permission',
      tool_call_id: call.id,
      decision: decision === 'allow' ? 'allow' : 'deny',
      by,
      why,
    })
    const { content, ...rest } = await early.outcome
    outcome = { ...rest, content: cut(content, task.budget) }
  } else {
    outcome = await attempt(call, { ...task, tell, asking })
  }
  await tell({
    type: 'tool_call_end',
    tool_call_id: call.id,
    is_error: outcome.is_error,
    duration_ms: Math.round((performance.now() - started) * 10) / 10,
  })
  return { ...outcome, arguments: call.arguments, kind: task.tool?.kind }
}

/** At most `size` tasks at once; the others wait in the order in which they came. */
function limiter(size: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async enter(): Promise<void> {
      if (running >= size) await new Promise<void>(resolve => waiting.push(resolve))
      else running++
    },
    /** Whoever waits first takes the place. */
    leave(): void {
      const next = waiting.shift()
      if (next) next()
      else running--
    },
  }
}
