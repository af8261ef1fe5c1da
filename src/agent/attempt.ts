/** One call, from its arguments through the permission door to its outcome. */
import type { Decision, Question } from '../permission/permission.ts'
import { ToolError } from '../protocol/errors.ts'
import type { ToolCall } from '../protocol/messages.ts'
import type { Tool, ToolContext } from '../tools/tool.ts'
import { abortable } from './abortable.ts'
import type { Gate } from './gate.ts'
import { failed, finished, interrupted, type Outcome } from './outcome.ts'
import type { RunEvent, RunParts, Verdict } from './run.ts'
import { denied, deniedBecause, unknownTool } from './words.ts'

/** Milliseconds that a cancelled tool has to end by itself: bash needs up to one for a command that ignores TERM. */
const patience = 2_000

export interface Attempt {
  parts: RunParts
  tool: Tool | undefined
  signal: AbortSignal
  /** Bytes that its output may take. */
  budget: number
  /** Resolves when the event is in the journal. */
  tell(event: RunEvent): Promise<void>
  /** When this call may ask the person. */
  asking: Gate
}

/** Rejects only for bugs of ours. */
export async function attempt(call: ToolCall, options: Attempt): Promise<Outcome> {
  const { tool, parts, signal, asking } = options
  if (!tool) return { ...failed(call, unknownTool(parts, call.name)), unusable: true }
  const checked = tool.check(call.arguments)
  if (!checked.ok) return { ...failed(call, checked.problem), unusable: true }
  if (signal.aborted) return interrupted(call, signal)
  const usable = { ...call, arguments: checked.args }
  const context = contextFor(usable, options)
  const refusal = await permitted(usable, tool, { context, ...options }).finally(() => asking.pass())
  return refusal ?? (await execute(usable, tool, context))
}

/** Runs a call that may run. Rejects only for bugs of ours. */
export async function execute(call: ToolCall, tool: Tool, context: ToolContext): Promise<Outcome> {
  try {
    const result = tool.execute(call.arguments, context)
    return finished(call, await abortable(result, context.signal, { patience }))
  } catch (error) {
    if (error instanceof ToolError) return { ...failed(call, error.message), details: error.details }
    if (context.signal.aborted) return interrupted(call, context.signal)
    throw error
  }
}

export function contextFor(
  call: ToolCall,
  { parts, signal, budget, tell }: Pick<Attempt, 'parts' | 'signal' | 'budget' | 'tell'>,
): ToolContext {
  return {
    cwd: parts.cwd,
    signal,
    onOutput: text => void tell({ type: 'tool_output', tool_call_id: call.id, text }),
    shell: parts.shell,
    limits: parts.limits,
    budget,
    spillDir: parts.spillDir,
  }
}

/** The refusal, or undefined when the call may run. */
async function permitted(
  call: ToolCall,
  tool: Tool,
  options: Attempt & { context: ToolContext },
): Promise<Outcome | undefined> {
  const { parts, signal, asking } = options
  const judged = await parts.decide(call, tool)
  if (judged.decision !== 'ask') return decided(call, judged, options)
  if (!parts.approve) {
    const why = `${judged.why}, and nobody can be asked here`
    await options.tell({ type: 'permission', tool_call_id: call.id, decision: 'deny', by: 'nobody', why })
    return { ...failed(call, denied(why)), unasked: true }
  }
  const refusal = await asking.mine()
  if (signal.aborted) return interrupted(call, signal)
  if (refusal) return answered(call, refusal, { why: judged.why, ...options })
  // What was answered while this call waited may have decided it too.
  const now = await parts.decide(call, tool)
  return now.decision === 'ask'
    ? ask(call, tool, { judged: now, approve: parts.approve, ...options })
    : decided(call, now, options)
}

async function decided(
  call: ToolCall,
  { decision, by, why }: Decision,
  { tell }: Attempt,
): Promise<Outcome | undefined> {
  const isAllowed = decision === 'allow'
  await tell({ type: 'permission', tool_call_id: call.id, decision: isAllowed ? 'allow' : 'deny', by, why })
  return isAllowed ? undefined : failed(call, denied(why))
}

interface Asking extends Attempt {
  judged: Decision
  approve: NonNullable<RunParts['approve']>
  context: ToolContext
}

async function ask(call: ToolCall, tool: Tool, options: Asking): Promise<Outcome | undefined> {
  const { judged, approve, parts, signal, tell, asking, context } = options
  const { why, question = unknown } = judged
  await tell({ type: 'permission_request', tool_call_id: call.id, why })
  try {
    const preview = async () => (await tool.preview?.(call.arguments, context)) ?? asText(call)
    const verdict = await abortable(approve({ call, why, ...question, preview }, signal), signal)
    if (verdict.allow && verdict.remember) {
      const rules = question.rules[verdict.remember]
      if (rules.length > 0) await parts.remember(rules, verdict.remember)
    }
    if (!verdict.allow && verdict.rest) asking.refuseRest(verdict)
    return await answered(call, verdict, { why, ...options })
  } catch (error) {
    if (signal.aborted) return interrupted(call, signal)
    // The preview shows already that it cannot succeed: the model hears why.
    if (error instanceof ToolError) return { ...failed(call, error.message), details: error.details }
    throw error
  }
}

/** What the person's answer means for the call. */
async function answered(
  call: ToolCall,
  verdict: Verdict,
  { why, signal, tell }: Attempt & { why: string },
): Promise<Outcome | undefined> {
  const decision = verdict.allow ? 'allow' : 'deny'
  await tell({ type: 'permission', tool_call_id: call.id, decision, by: 'user', why })
  if (verdict.allow) return undefined
  if (signal.aborted) return interrupted(call, signal)
  return failed(call, verdict.because ? deniedBecause(verdict.because) : denied('the user said no'))
}

/** A decision that says nothing about it. */
const unknown: Question = { hard: false, rules: { session: [], always: [] }, touches: [] }

const asText = (call: ToolCall) => ({ type: 'text' as const, text: JSON.stringify(call.arguments, null, 2) })
