/** Checks of what a run has changed, before its answer counts as the end: what fails goes back to the model. */
import texts from '../../prompts/verify.md'
import type { ToolCall } from '../protocol/messages.ts'
import { fill } from '../text/fill.ts'
import { firstErrors } from '../text/first-errors.ts'
import { fieldsOf } from '../text/record.ts'
import { told } from '../words/sayings/told.ts'
import { attempt } from './attempt.ts'
import { gate } from './gate.ts'
import type { Outcome } from './outcome.ts'
import type { Capabilities, Check, RunEvent } from './run.ts'
import { note } from './words.ts'

export interface Verified {
  /** Times in this run that something failed. */
  failures: number
  /** What failed last, and the model was not asked to mend any more. */
  unmended?: string
}

/** Times that the model is asked to mend. */
const mostTimes = 3
/** Bytes of a command's output that are looked through for errors. */
const budget = 256 * 1024

/** → whether the model has something to mend. */
export async function* verify(
  parts: Capabilities,
  verified: Verified,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, boolean> {
  const checks = (await parts.policy.checks?.due(signal)) ?? []
  if (checks.length === 0 || signal.aborted) return false
  yield { type: 'phase', phase: 'tool' }
  yield { type: 'notice', ...told('verify.runs', { commands: checks.map(({ command }) => command) }) }
  const events: RunEvent[] = []
  const outcomes = await runAll(checks, parts, { signal, tell: event => events.push(event) })
  yield* events
  if (signal.aborted) return false
  for (const { check, outcome } of outcomes)
    if (!hasRun(outcome)) yield { type: 'notice', ...told('verify.not_run', { command: check.command }) }
  const failed = outcomes.filter(({ outcome }) => hasRun(outcome) && outcome.is_error)
  delete verified.unmended
  if (failed.length === 0) {
    if (outcomes.some(({ outcome }) => hasRun(outcome)))
      yield { type: 'notice', ...told('verify.passed', {}) }
    return false
  }
  const commands = failed.map(({ check }) => check.command)
  if (++verified.failures > mostTimes) {
    verified.unmended = commands.join(', ')
    yield { type: 'notice', ...told('verify.gave_up', { commands, times: mostTimes }) }
    return false
  }
  yield { type: 'notice', ...told('verify.failed', { commands }) }
  const failures = failed.map(({ check, outcome }) => `$ ${check.command}\n${firstErrors(outcome.content)}`)
  yield note(parts, fill(texts, { failures: failures.join('\n\n') }).trim())
  return true
}

/** What was denied, or nobody could be asked about, says nothing about the work. */
const hasRun = ({ details }: Outcome): boolean => {
  const { exit_code, ended } = fieldsOf(details)
  return exit_code !== undefined || ended === 'timeout'
}

/** Those that only read go side by side; there is one shell for the others. */
async function runAll(
  checks: readonly Check[],
  parts: Capabilities,
  { signal, tell }: { signal: AbortSignal; tell(event: RunEvent): void },
): Promise<{ check: Check; outcome: Outcome }[]> {
  const asking = gate()
  const telling = async (event: RunEvent) => void (event.type !== 'tool_output' && tell(event))
  const { surroundings } = parts.tools
  const run = async (check: Check, shell = surroundings.shell) => {
    const { command, timeout } = check
    const args = { command, ...(timeout !== undefined && { timeout: timeout / 1000 }) }
    const call: ToolCall = { id: parts.context.newId(), name: 'bash', arguments: args }
    const turn = asking.turn(call)
    const tools = { ...parts.tools, surroundings: { ...surroundings, shell } }
    const options = { parts: { ...parts, tools }, signal, budget, tell: telling, asking: turn }
    const outcome = await attempt(call, options).finally(() => turn.pass())
    return { check, outcome }
  }
  const runBeside = async (check: Check) => {
    const beside = surroundings.shell.beside()
    return run(check, beside).finally(() => beside.close())
  }
  let shell: Promise<unknown> = Promise.resolve()
  const running = checks.map(async check => {
    const { runs, where } = await parts.policy.authorize({ tool: 'bash', accesses: [{ run: check.command }] })
    if (checks.length > 1 && (runs !== undefined || where === 'sandbox-read')) return runBeside(check)
    const mine = shell.then(() => run(check))
    shell = mine.catch(() => {})
    return mine
  })
  return Promise.all(running)
}
