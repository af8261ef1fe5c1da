/**
 * The way of every call, whether its reply has ended or not: check the arguments → before → authorize → run → after →
 * told. Hooks are the steps before and after.
 */
import { ToolError } from '../protocol/errors.ts'
import type { ToolCall } from '../protocol/messages.ts'
import { fieldsOf } from '../text/record.ts'
import { withoutHidden } from '../text/sanitize.ts'
import { createMasker, maskSecrets } from '../text/secrets.ts'
import type { Tool, ToolContext } from '../tools/tool.ts'
import { abortable } from './abortable.ts'

import type { CallHook } from './hooks.ts'
import { finished, interrupted, type Outcome } from './outcome.ts'
import {
  type Attempt,
  type Permit,
  type Permitted,
  type Permitting,
  permitted,
  refusedBy,
  withoutSecrets,
} from './permit.ts'
import { authorize, type Prepared, prepare, withNote } from './prepare.ts'
import { isQuoted } from './quoted.ts'
import type { RunTools } from './run.ts'
import { changed } from './words.ts'

/** Milliseconds that a cancelled tool has to end by itself: bash needs up to one for a command that ignores TERM. */
const patience = 2_000

/** Rejects only for bugs of ours. */
export async function attempt(call: ToolCall, options: Attempt): Promise<Outcome> {
  const { parts, signal, asking } = options
  const made = options.prepared ?? (await prepare(call, options))
  if ('outcome' in made) return made.outcome
  const { accesses } = made
  const quoted = options.from && isQuoted({ from: options.from, call }, parts.context?.history ?? [])
  const prepared = { ...made, ...(quoted && { quoted }) }
  if (signal.aborted) return { ...interrupted(call, signal), accesses }
  const context = contextFor(prepared.call, { ...parts.tools, ...options })
  const run = (permit: Permit) => executeAsAllowed(prepared, { context, permit, hooks: parts.policy.hooks })
  try {
    const alone = await refusedTogether(prepared, { context, ...options })
    if (alone) return withNote(alone, prepared)
    const permit = await permitted(prepared, { context, ...options })
    // What runs in a sandbox may have to be asked about afterwards.
    if ('refusal' in permit || !permit.where?.startsWith('sandbox')) asking.pass()
    const outcome = 'refusal' in permit ? permit.refusal : await run(permit)
    const allowed = allowedIn(prepared, permit)
    const done = await again(outcome, allowed, { context, ...options }, run)
    return { ...withNote(done, allowed), accesses: allowed.accesses }
  } finally {
    asking.pass()
  }
}

/** What may not happen at all is not rehearsed: that would tell what is in a file. */
async function refusedTogether(prepared: Prepared, options: Permitting): Promise<Outcome | undefined> {
  const { parts, together, context } = options
  if (!together) return undefined
  const { decision, target } = await authorize(prepared, parts)
  if (decision === 'deny' || (decision === 'ask' && !parts.policy.approve)) return undefined
  const refusal = await together.refusal(prepared, { ...context, target })
  return refusal && withoutSecrets(refusal)
}

/** What a sandbox stopped is offered once more, outside, where somebody can say yes to that. */
async function again(
  outcome: Outcome,
  prepared: Prepared,
  options: Permitting,
  run: (permit: Permit) => Promise<Outcome>,
): Promise<Outcome> {
  const { parts, signal } = options
  if (outcome.stopped === undefined || signal.aborted || !parts.policy.approve) return outcome
  const outside = { ...prepared, stopped: outcome.stopped }
  if ((await authorize(outside, parts)).decision === 'deny') return outcome
  const permit = await permitted(outside, options)
  if (!('refusal' in permit)) return run({ ...permit, changed: permit.changed ?? prepared })
  return { ...outcome, content: `${outcome.content}\n${permit.refusal.content}` }
}

/** The call that the person has allowed. */
const allowedIn = (prepared: Prepared, permitted: Permitted): Prepared =>
  ('refusal' in permitted ? undefined : permitted.changed) ?? prepared

/** Runs the call that was allowed; the model is told when it is another one than its own. */
async function executeAsAllowed(
  prepared: Prepared,
  options: { context: ToolContext; permit: Permit; hooks: readonly CallHook[] | undefined },
): Promise<Outcome> {
  const { call, tool } = allowedIn(prepared, options.permit)
  const outcome = await execute(call, tool, options)
  const { command } = call.arguments
  if (command === prepared.call.arguments.command || typeof command !== 'string') return outcome
  const ran = maskSecrets(command)
  return {
    ...outcome,
    content: `${changed(ran)}\n\n${outcome.content}`,
    details: { ...fieldsOf(outcome.details), ran },
  }
}

/** Runs a call that may run, and the steps after it; secrets in what comes of it are masked. Rejects only for bugs of ours. */
export async function execute(
  call: ToolCall,
  tool: Tool,
  {
    context,
    permit,
    hooks = [],
  }: { context: ToolContext; permit: Permit; hooks?: readonly CallHook[] | undefined },
): Promise<Outcome> {
  const masker = permit.showsSecrets ? undefined : createMasker()
  const { mask = String } = context
  const show = (text: string) => (text === '' ? undefined : context.onOutput(mask(text)))
  const onOutput = (text: string) => show(masker?.push(text) ?? text)
  const { target, runs, writes, where } = permit
  let outcome = await executed(call, tool, { ...context, onOutput, target, runs, writes, where })
  void show(masker?.finish() ?? '')
  for (const { after } of hooks) {
    if (!after || context.signal.aborted) continue
    const added = await abortable(after(call, outcome, context.signal), context.signal).catch(error => {
      if (!context.signal.aborted) throw error
    })
    if (added) outcome = { ...outcome, content: `${outcome.content}\n\n${added}` }
  }
  // Where hidden characters split a secret, it is one without them.
  const readable = { ...outcome, content: withoutHidden(outcome.content) }
  const known = permit.runs === undefined ? readable : { ...readable, readsOnly: true }
  const told = masker ? withoutSecrets(known) : known
  return context.mask ? masked(told, context.mask) : told
}

const masked = (outcome: Outcome, mask: (text: string) => string): Outcome => ({
  ...outcome,
  content: mask(outcome.content),
  ...(outcome.details !== undefined && { details: JSON.parse(mask(JSON.stringify(outcome.details))) }),
})

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

export function contextFor(
  call: ToolCall,
  {
    surroundings,
    signal,
    budget,
    tell,
  }: Pick<Attempt, 'signal' | 'budget' | 'tell'> & Pick<RunTools, 'surroundings'>,
): ToolContext {
  return {
    ...surroundings,
    id: call.id,
    signal,
    onOutput: text => tell({ type: 'tool_output', tool_call_id: call.id, text }),
    onLimit: limit_ms => void tell({ type: 'tool_limit', tool_call_id: call.id, limit_ms }),
    budget,
  }
}
