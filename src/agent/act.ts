/**
 * Runs the calls of one reply: side by side, at most eight at once; calls of one lane (the same file, the shell) keep
 * their order; results go back in call order. Every call gets a result, whatever happens.
 */
import { ToolError } from '../protocol/errors.ts'
import type { ToolCall, ToolMessage } from '../protocol/messages.ts'
import type { Tool, ToolContext, ToolResult } from '../tools/tool.ts'
import { Channel } from './channel.ts'
import { type Gate, gate } from './gate.ts'
import type { FinishedCall } from './limits.ts'
import type { RunEvent, RunParts } from './run.ts'
import { aborted, cancelled, denied, deniedBecause, notRun, unknownTool } from './words.ts'

const maxAtOnce = 8
/** Characters a token is taken to have when a budget in tokens becomes one in bytes: on the safe side. */
const bytesPerToken = 3

export interface Outcome extends FinishedCall {
  id: string
  /** The call could not be run at all: no such tool, or arguments that do not fit. */
  unusable: boolean
  /** It was denied because nobody could be asked. */
  unasked: boolean
  details?: unknown
}

/** Runs the calls and yields their events, the tool messages last of each call, in call order. */
export async function* act(
  calls: readonly ToolCall[],
  parts: RunParts,
  { signal, finish }: { signal: AbortSignal; finish: (outcome: Outcome) => Outcome },
): AsyncGenerator<RunEvent, Outcome[]> {
  yield { type: 'phase', phase: 'tool' }
  return yield* parts.steering.duringTools(signal, toolSignal =>
    actAll(calls, parts, { signal: toolSignal, finish }),
  )
}

async function* actAll(
  calls: readonly ToolCall[],
  parts: RunParts,
  { signal, finish }: { signal: AbortSignal; finish: (outcome: Outcome) => Outcome },
): AsyncGenerator<RunEvent, Outcome[]> {
  const channel = new Channel<RunEvent>()
  const budget = Math.floor((parts.freeTokens() * bytesPerToken) / 2 / calls.length)
  const asking = gate()
  const slots = limiter(maxAtOnce)
  const lanes = new Map<string, Promise<unknown>>()

  const tasks = calls.map(call => {
    const tool = parts.tools.find(({ name }) => name === call.name)
    const lane = tool?.lane?.(call.arguments, parts.cwd)
    const before = lane === undefined ? undefined : lanes.get(lane)
    const task = (async () => {
      await before
      return slots(() =>
        runCall(call, { tool, parts, signal, budget, channel, asking: asking.turn(call.id) }),
      )
    })()
    if (lane !== undefined) lanes.set(lane, task)
    return task
  })

  const outcomes: Outcome[] = []
  const delivered = (async () => {
    for (const task of tasks) {
      const outcome = finish(await task)
      outcomes.push(outcome)
      await channel.put({ type: 'message', ...toMessage(outcome, parts) })
    }
  })()
  delivered.then(
    () => channel.close(),
    () => channel.close(),
  )
  yield* channel
  await delivered
  return outcomes
}

/** Results for calls that are not run at all, because the user spoke before they began. */
export function* skip(calls: readonly ToolCall[], parts: RunParts, signal: AbortSignal): Generator<RunEvent> {
  for (const call of calls) {
    const content = signal.aborted ? aborted() : notRun()
    yield { type: 'message', ...toMessage({ ...failed(call, content), kind: undefined }, parts) }
  }
}

const toMessage = (outcome: Outcome, parts: RunParts): ToolMessage => ({
  id: parts.newId(),
  role: 'tool',
  content: outcome.content,
  tool_call_id: outcome.id,
  tool_name: outcome.name,
  is_error: outcome.is_error,
  ...(outcome.details !== undefined && { details: outcome.details }),
})

interface CallTask {
  tool: Tool | undefined
  parts: RunParts
  signal: AbortSignal
  budget: number
  channel: Channel<RunEvent>
  asking: Gate
}

/** One call from its arguments to its outcome. Rejects only for bugs of ours. */
async function runCall(call: ToolCall, task: CallTask): Promise<Outcome> {
  const { tool, channel } = task
  await channel.put({
    type: 'tool_call_start',
    tool_call_id: call.id,
    name: call.name,
    arguments: call.arguments,
  })
  const started = performance.now()
  const outcome = await attempt(call, task).finally(() => task.asking.pass())
  await channel.put({
    type: 'tool_call_end',
    tool_call_id: call.id,
    is_error: outcome.is_error,
    duration_ms: Math.round((performance.now() - started) * 10) / 10,
  })
  return { ...outcome, kind: tool?.kind }
}

async function attempt(call: ToolCall, task: CallTask): Promise<Outcome> {
  const { tool, parts, signal, channel, budget } = task
  if (!tool) return { ...failed(call, unknownTool(parts, call.name)), unusable: true }
  const checked = tool.check(call.arguments)
  if (!checked.ok) return { ...failed(call, checked.problem), unusable: true }
  if (signal.aborted) return failed(call, interruption(signal))

  const context: ToolContext = {
    cwd: parts.cwd,
    signal,
    onOutput: text => void channel.put({ type: 'tool_output', tool_call_id: call.id, text }),
    shell: parts.shell,
    limits: parts.limits,
    budget,
    spillDir: parts.spillDir,
  }
  try {
    const refusal = await permitted({ ...call, arguments: checked.args }, tool, context, task)
    task.asking.pass()
    if (refusal) return refusal
    return outcomeOf(call, await tool.execute(checked.args, context))
  } catch (error) {
    if (error instanceof ToolError) return { ...failed(call, error.message), details: error.details }
    if (signal.aborted) return failed(call, interruption(signal))
    throw error
  }
}

/** The refusal, or undefined when the call may run. */
async function permitted(
  call: ToolCall,
  tool: Tool,
  context: ToolContext,
  { parts, signal, channel, asking }: CallTask,
): Promise<Outcome | undefined> {
  const judged = await parts.decide(call, tool)
  const record = (decision: 'allow' | 'deny', by: typeof judged.by, why: string) =>
    channel.put({ type: 'permission', tool_call_id: call.id, decision, by, why })

  if (judged.decision === 'allow') {
    await record('allow', judged.by, judged.why)
    return undefined
  }
  if (judged.decision === 'deny') {
    await record('deny', judged.by, judged.why)
    return failed(call, denied(judged.why))
  }
  if (!parts.approve) {
    const why = `${judged.why}, and nobody can be asked here`
    await record('deny', 'nobody', why)
    return { ...failed(call, denied(why)), unasked: true }
  }
  await asking.mine()
  if (signal.aborted) return failed(call, interruption(signal))
  const preview = async () => (await tool.preview?.(call.arguments, context)) ?? asText(call)
  await channel.put({ type: 'permission_request', tool_call_id: call.id, why: judged.why })
  const verdict = await parts.approve({ call, why: judged.why, preview }, signal)
  await record(verdict.allow ? 'allow' : 'deny', 'user', judged.why)
  if (verdict.allow) return undefined
  return failed(call, verdict.because ? deniedBecause(verdict.because) : denied('the user said no'))
}

const asText = (call: ToolCall) => ({ type: 'text' as const, text: JSON.stringify(call.arguments, null, 2) })

const interruption = (signal: AbortSignal): string => (signal.reason === 'steer' ? cancelled() : aborted())

const outcomeOf = (call: ToolCall, { output, details, is_error = false }: ToolResult): Outcome => ({
  ...failed(call, output),
  is_error,
  details,
})

const failed = (call: ToolCall, content: string): Outcome => ({
  id: call.id,
  name: call.name,
  kind: undefined,
  arguments: call.arguments,
  content,
  is_error: true,
  unusable: false,
  unasked: false,
})

/** At most `size` tasks at once; the others wait in the order in which they came. */
function limiter(size: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= size) await new Promise<void>(resolve => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
