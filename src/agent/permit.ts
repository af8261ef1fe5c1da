/** Whether a call may run, and as what: by what the permission room says, and where it asks by what the person answers. */
import type { Written } from '../dialect/dialect.ts'
import type { Decision, Question } from '../permission/permission.ts'
import type { Where } from '../protocol/access.ts'
import { ToolError } from '../protocol/errors.ts'
import type { ToolCall } from '../protocol/messages.ts'
import type { Told } from '../protocol/sayings.ts'
import { maskSecrets, maskValue } from '../text/secrets.ts'
import type { ToolContext } from '../tools/tool.ts'
import { bare } from '../words/sayings/said.ts'
import { asReason, told } from '../words/sayings/told.ts'
import { abortable } from './abortable.ts'
import type { Gate } from './gate.ts'
import { failed, interrupted, type Outcome, unfinished } from './outcome.ts'
import { authorize, type Prepared, prepare } from './prepare.ts'
import type { Approval, Capabilities, Later, RunEvent, Verdict } from './run.ts'
import type { Together } from './together.ts'
import { onlyReads } from './touches.ts'
import { type Acting, denied, deniedBecause } from './words.ts'

export interface Attempt {
  parts: Acting
  signal: AbortSignal
  /** Bytes that its output may take. */
  budget: number
  /** Resolves when the event is in the journal. */
  tell(event: RunEvent): Promise<void>
  /** When this call may ask the person. */
  asking: Gate
  /** Where the steps before have seen it already. */
  prepared?: Prepared | undefined
  /** Where in the reply's text it stands. */
  from?: Written | undefined
  /** The calls of the reply that are to be done along with it, or not at all. */
  together?: Together | undefined
}

/** A call that may run: on which file, and whether the person allowed it to show secrets. */
export interface Permit {
  target: Decision['target'] | undefined
  showsSecrets: boolean
  /** What runs in place of a command that only reads. */
  runs?: string | undefined
  /** The files that its redirects write. */
  writes?: Decision['writes']
  /** Where a command line may run; undefined: in the persistent bash. */
  where?: Where | undefined
  /** The person has changed the call: this is to run in its place. */
  changed?: Prepared | undefined
}

export const refusedBy = ({ message, details }: ToolError, call: ToolCall): Outcome => ({
  ...failed(call, message),
  details,
})

export const withoutSecrets = (outcome: Outcome): Outcome => ({
  ...outcome,
  content: maskSecrets(outcome.content),
  ...(outcome.details !== undefined && { details: maskValue(outcome.details) }),
})

const refused = (call: ToolCall, why: Told): Outcome =>
  unfinished(call, denied(why.message), { ended: 'denied', ...asReason(why) })

export type Permitted = Permit | { refusal: Outcome }
/** `changed`: what the person made of the arguments. */
export type Permitting = Attempt & Changed & { context: ToolContext }

interface Changed {
  changed?: ToolCall['arguments']
}

/** Whether the call may run. */
export async function permitted(prepared: Prepared, options: Permitting): Promise<Permitted> {
  const { parts, signal, asking } = options
  const { call } = prepared
  const judged = await authorize(prepared, parts)
  if (judged.decision !== 'ask') return decided(call, judged, options)
  const { approve } = parts.policy
  if (!approve) {
    const why = told('permission.nobody', { why: bare(judged.why) })
    await tellOf(call, { decision: 'deny', by: 'nobody', why }, options)
    return { refusal: { ...refused(call, why), unasked: true } }
  }
  const refusal = await asking.mine()
  if (signal.aborted) return { refusal: interrupted(call, signal) }
  if (refusal) return answered(prepared, refusal, { ...options, judged })
  // What was answered while this call waited may have decided it too.
  const now = await authorize(prepared, parts)
  return now.decision === 'ask'
    ? ask(prepared, { ...options, judged: now, approve })
    : decided(call, now, options)
}

/** Tells what became of a call's leave. */
export const tellOf = (
  { id }: ToolCall,
  { decision, by, why }: Pick<Decision, 'decision' | 'by' | 'why'>,
  { tell, changed }: Pick<Attempt, 'tell'> & Changed,
): Promise<void> =>
  tell({
    type: 'permission',
    tool_call_id: id,
    decision: decision === 'allow' ? 'allow' : 'deny',
    by,
    ...asReason(why),
    ...(changed && { arguments: changed }),
  })

async function decided(call: ToolCall, judged: Decision, options: Attempt & Changed): Promise<Permitted> {
  await tellOf(call, judged, options)
  return judged.decision === 'allow' ? permitOf(judged) : { refusal: refused(call, judged.why) }
}

/** A rule of the person's that lets a file with secrets be read says that they may be seen. */
export const permitOf = ({ target, secrets, by, runs, writes, where }: Decision): Permit => ({
  target,
  writes,
  runs,
  where,
  showsSecrets: secrets === true && by === 'rule',
})

interface Asking extends Permitting {
  judged: Decision
  approve: NonNullable<Capabilities['policy']['approve']>
}

async function ask(prepared: Prepared, options: Asking): Promise<Permitted> {
  const { call, tool } = prepared
  const { judged, approve, parts, signal, tell, asking, context } = options
  const { question = unknown } = judged
  const reason = asReason(judged.why)
  await tell({ type: 'permission_request', tool_call_id: call.id, ...reason })
  try {
    const preview = async () => (await tool.preview?.(call.arguments, context)) ?? asText(call)
    const among = await placeOf(options)
    const verdict = await abortable(approve({ call, ...reason, ...question, among, preview }, signal), signal)
    if (verdict.allow && verdict.remember) {
      const { remember, step } = verdict
      const rules = step === undefined ? question.rules[remember] : (question.wider[step]?.rules ?? [])
      if (rules.length > 0) await parts.policy.remember(rules, remember)
    }
    if (verdict.allow && verdict.arguments) return await withChange(prepared, verdict.arguments, options)
    if (!verdict.allow && verdict.rest) asking.refuseRest(verdict)
    return await answered(prepared, verdict, options)
  } catch (error) {
    if (signal.aborted) return { refusal: interrupted(call, signal) }
    // The preview shows already that it cannot succeed: the model hears why.
    if (error instanceof ToolError) return { refusal: withoutSecrets(refusedBy(error, call)) }
    throw error
  }
}

/** Where a call stands among those of its reply that ask. What will be asked about is looked at, not decided. */
async function placeOf({ parts, asking, context }: Asking): Promise<NonNullable<Approval['among']>> {
  const { before, later } = asking.asks()
  const asked = await Promise.all(
    later.map(async (call): Promise<Later[]> => {
      const tool = parts.tools.list.find(({ name }) => name === call.name)
      const { cwd } = parts.tools.surroundings
      const checked = tool?.check(call.arguments, cwd)
      if (!tool || !checked?.ok) return []
      const accesses = tool.access(checked.args, cwd)
      const { decision } = await parts.policy.authorize({
        tool: tool.ruledAs?.(checked.args) ?? tool.name,
        accesses,
      })
      if (decision !== 'ask') return []
      const preview = await tool.preview?.(checked.args, context).catch(notYet)
      return [{ ...call, ...(preview?.type === 'diff' && sizeOf(preview)) }]
    }),
  )
  return { before, later: asked.flat() }
}

const sizeOf = ({ added, removed }: { added: number; removed: number }) => ({ added, removed })

/** What it would do may hang on the calls before it. */
function notYet(error: unknown): undefined {
  if (!(error instanceof ToolError)) throw error
}

/** The person wants it otherwise. Their words are a yes; what asks in every mode is asked about once more, as it is now. */
async function withChange(
  prepared: Prepared,
  args: ToolCall['arguments'],
  options: Asking,
): Promise<Permitted> {
  const { call } = prepared
  const { parts, signal } = options
  const next = await prepare({ ...call, arguments: args }, { parts, signal })
  if ('outcome' in next) return { refusal: next.outcome }
  const judged = await authorize(next, parts)
  const isGrave = judged.by === 'hard' || judged.by === 'protected'
  const following = { ...options, judged, changed: next.call.arguments }
  const permit =
    judged.decision !== 'ask'
      ? await decided(call, judged, following)
      : isGrave
        ? await ask(next, following)
        : await answered(next, { allow: true }, following)
  return 'refusal' in permit ? permit : { ...permit, changed: permit.changed ?? next }
}

/** What the person's answer means for the call. */
async function answered(
  prepared: Prepared,
  verdict: Verdict,
  options: Permitting & { judged: Decision },
): Promise<Permitted> {
  const { call, accesses } = prepared
  const { judged, parts, signal } = options
  const { why } = judged
  if (!verdict.allow) {
    await tellOf(call, { decision: 'deny', by: 'user', why }, options)
    if (signal.aborted) return { refusal: interrupted(call, signal) }
    const { because } = verdict
    const words = because ? deniedBecause(because) : denied('the user said no')
    const details = { ended: 'denied', ...(because !== undefined && { why: because }) } as const
    return { refusal: unfinished(call, words, details) }
  }
  // The person took their time: the yes is for what they were shown.
  const now = await authorize(prepared, parts)
  if (isWorse(now, judged)) {
    const changed = told('permission.changed', { why: bare(now.why) })
    await tellOf(call, { decision: 'deny', by: now.by, why: changed }, options)
    return { refusal: refused(call, changed) }
  }
  await tellOf(call, { decision: 'allow', by: 'user', why }, options)
  const showsSecrets = judged.secrets === true || onlyReads(accesses)
  return { target: judged.target, showsSecrets, where: judged.where, writes: judged.writes }
}

/** Whether a call is denied by now, or asks for a graver reason than the one that was allowed. */
const isWorse = (now: Decision, allowed: Decision): boolean =>
  now.decision === 'deny' ||
  (now.decision === 'ask' &&
    (now.by === 'hard' || now.by === 'protected') &&
    now.why.message !== allowed.why.message)

/** A decision that says nothing about it. */
const unknown: Question = { hard: false, rules: { session: [], always: [] }, wider: [], touches: [] }

const asText = (call: ToolCall) => ({ type: 'text' as const, text: JSON.stringify(call.arguments, null, 2) })
