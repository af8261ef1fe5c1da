/** One call, from its arguments through the permission door to its outcome. */
import type { Decision, Question } from '../permission/permission.ts'
import { ToolError } from '../protocol/errors.ts'
import type { ToolCall } from '../protocol/messages.ts'
import { createMasker, maskSecrets, maskValue } from '../text/secrets.ts'
import type { Tool, ToolContext } from '../tools/tool.ts'
import { abortable } from './abortable.ts'
import type { Gate } from './gate.ts'
import { failed, finished, interrupted, type Outcome, unfinished } from './outcome.ts'
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
  const permit = await permitted(usable, tool, { context, ...options }).finally(() => asking.pass())
  return 'refusal' in permit ? permit.refusal : execute(usable, tool, { context, permit })
}

/** A call that may run: on which file, and whether the person allowed it to show secrets. */
export interface Permit {
  target: Decision['target'] | undefined
  showsSecrets: boolean
}

/** Runs a call that may run; secrets in what it says are masked. Rejects only for bugs of ours. */
export async function execute(
  call: ToolCall,
  tool: Tool,
  { context, permit }: { context: ToolContext; permit: Permit },
): Promise<Outcome> {
  const masker = permit.showsSecrets ? undefined : createMasker()
  const show = (text: string) => text !== '' && context.onOutput(text)
  const onOutput = masker ? (text: string) => void show(masker.push(text)) : context.onOutput
  const outcome = await executed(call, tool, { ...context, onOutput, target: permit.target })
  show(masker?.finish() ?? '')
  return masker ? withoutSecrets(outcome) : outcome
}

async function executed(call: ToolCall, tool: Tool, context: ToolContext): Promise<Outcome> {
  try {
    const result = tool.execute(call.arguments, context)
    return finished(call, await abortable(result, context.signal, { patience }))
  } catch (error) {
    if (error instanceof ToolError) return refusedBy(error, call)
    if (context.signal.aborted) return interrupted(call, context.signal)
    throw error
  }
}

const refusedBy = ({ message, details }: ToolError, call: ToolCall): Outcome => ({
  ...failed(call, message),
  details,
})

const withoutSecrets = (outcome: Outcome): Outcome => ({
  ...outcome,
  content: maskSecrets(outcome.content),
  ...(outcome.details !== undefined && { details: maskValue(outcome.details) }),
})

/** What of a run a tool is given. */
export type ToolParts = Pick<RunParts, 'cwd' | 'shell' | 'limits' | 'files' | 'isSecret' | 'spillDir'>

export function contextFor(
  call: ToolCall,
  { parts, signal, budget, tell }: Pick<Attempt, 'signal' | 'budget' | 'tell'> & { parts: ToolParts },
): ToolContext {
  return {
    cwd: parts.cwd,
    signal,
    onOutput: text => void tell({ type: 'tool_output', tool_call_id: call.id, text }),
    shell: parts.shell,
    limits: parts.limits,
    budget,
    files: parts.files,
    isSecret: parts.isSecret,
    spillDir: parts.spillDir,
  }
}

const refused = (call: ToolCall, why: string): Outcome =>
  unfinished(call, denied(why), { ended: 'denied', why })

type Permitted = Permit | { refusal: Outcome }

/** Whether the call may run. */
async function permitted(
  call: ToolCall,
  tool: Tool,
  options: Attempt & { context: ToolContext },
): Promise<Permitted> {
  const { parts, signal, asking } = options
  const judged = await parts.decide(call, tool)
  if (judged.decision !== 'ask') return decided(call, judged, options)
  if (!parts.approve) {
    const why = `${judged.why}, and nobody can be asked here`
    await options.tell({ type: 'permission', tool_call_id: call.id, decision: 'deny', by: 'nobody', why })
    return { refusal: { ...refused(call, why), unasked: true } }
  }
  const refusal = await asking.mine()
  if (signal.aborted) return { refusal: interrupted(call, signal) }
  if (refusal) return answered(call, refusal, { ...options, judged, tool })
  // What was answered while this call waited may have decided it too.
  const now = await parts.decide(call, tool)
  return now.decision === 'ask'
    ? ask(call, { ...options, judged: now, tool, approve: parts.approve })
    : decided(call, now, options)
}

async function decided(call: ToolCall, judged: Decision, { tell }: Attempt): Promise<Permitted> {
  const { decision, by, why } = judged
  const isAllowed = decision === 'allow'
  await tell({ type: 'permission', tool_call_id: call.id, decision: isAllowed ? 'allow' : 'deny', by, why })
  return isAllowed ? permitOf(judged) : { refusal: refused(call, why) }
}

/** A rule of the person's that lets a file with secrets be read says that they may be seen. */
export const permitOf = ({ target, secrets, by }: Decision): Permit => ({
  target,
  showsSecrets: secrets === true && by === 'rule',
})

interface Asking extends Omit<Attempt, 'tool'> {
  tool: Tool
  judged: Decision
  approve: NonNullable<RunParts['approve']>
  context: ToolContext
}

async function ask(call: ToolCall, options: Asking): Promise<Permitted> {
  const { judged, tool, approve, parts, signal, tell, asking, context } = options
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
    return await answered(call, verdict, options)
  } catch (error) {
    if (signal.aborted) return { refusal: interrupted(call, signal) }
    // The preview shows already that it cannot succeed: the model hears why.
    if (error instanceof ToolError) return { refusal: withoutSecrets(refusedBy(error, call)) }
    throw error
  }
}

/** What the person's answer means for the call. */
async function answered(
  call: ToolCall,
  verdict: Verdict,
  { judged, tool, parts, signal, tell }: Pick<Asking, 'judged' | 'tool' | 'parts' | 'signal' | 'tell'>,
): Promise<Permitted> {
  const { why } = judged
  const say = (decision: 'allow' | 'deny', by: Decision['by'], because: string) =>
    tell({ type: 'permission', tool_call_id: call.id, decision, by, why: because })
  if (!verdict.allow) {
    await say('deny', 'user', why)
    if (signal.aborted) return { refusal: interrupted(call, signal) }
    const words = verdict.because ? deniedBecause(verdict.because) : denied('the user said no')
    return { refusal: unfinished(call, words, { ended: 'denied', why: verdict.because }) }
  }
  // The person took their time: the yes is for what they were shown.
  const now = await parts.decide(call, tool)
  if (isWorse(now, judged)) {
    const because = `what it would do changed after it was allowed: ${now.why}`
    await say('deny', now.by, because)
    return { refusal: refused(call, because) }
  }
  await say('allow', 'user', why)
  return { target: judged.target, showsSecrets: judged.secrets === true || tool.kind === 'read' }
}

/** Whether a call is denied by now, or asks for a graver reason than the one that was allowed. */
const isWorse = (now: Decision, allowed: Decision): boolean =>
  now.decision === 'deny' ||
  (now.decision === 'ask' && (now.by === 'hard' || now.by === 'protected') && now.why !== allowed.why)

/** A decision that says nothing about it. */
const unknown: Question = { hard: false, rules: { session: [], always: [] }, touches: [] }

const asText = (call: ToolCall) => ({ type: 'text' as const, text: JSON.stringify(call.arguments, null, 2) })
