import * as z from 'zod/mini'
import type { CommandResult } from '../shell/shell.ts'
import { whyStopped } from '../shell/stopped.ts'
import { count } from '../text/truncate.ts'
import { bindWrites } from './bound.ts'
import { defineTool } from './define.ts'
import type { Stopped } from './tool.ts'

export interface BashDetails {
  command: string
  /** undefined when the command did not end by itself. */
  exit_code: number | undefined
  duration_ms: number
  /** The shell's directory after the command. */
  cwd: string
  /** Bytes of output in all, and the file that holds them when the output was cut. */
  total_bytes: number
  /** Of the result's lines so many are the output; what follows tells the model what else there is. */
  output_lines: number
  spill?: string
  /** Where it did not end by itself; `sent`: it goes on in the background, as `id`. */
  ended?: 'timeout' | 'aborted' | 'sent'
  id?: string
  /** It ran in a sandbox: in which it could change nothing, or the project only. */
  sandbox?: 'read' | 'work'
}

/** Ten minutes; models that think in milliseconds are told so instead of waiting for days. */
const maxTimeout = 600
/** Room for what is said after the output, in bytes. */
const noticeBytes = 500

export const bash = defineTool({
  name: 'bash',
  parameters: z.object({
    command: z.string().check(z.minLength(1)),
    timeout: z.optional(z.number().check(z.positive(), z.maximum(maxTimeout), z.describe('seconds'))),
  }),
  description: 'Run a command in the persistent bash.',
  narrow: 'Filter the output, e.g. with grep, head or tail.',

  access: ({ command }) => [{ run: command }],

  preview: async ({ command }) => ({ type: 'command', command }),

  async execute({ command, timeout }, context) {
    const {
      shell,
      signal,
      limits,
      budget,
      onOutput,
      onLimit,
      spillDir,
      mask,
      runs,
      where,
      background,
      writes,
    } = context
    const onlyReads = runs !== undefined || where === 'sandbox-read'
    const changed = onlyReads ? undefined : context.changes?.beforeCommand()
    let id: string | undefined
    let over = Promise.resolve()
    let timeout_ms = timeout === undefined ? limits.bash_timeout_ms : timeout * 1000
    const bound = writes && (await bindWrites(command, writes))
    const running = shell.run(runs ?? bound?.command ?? command, {
      signal,
      timeout: timeout_ms,
      onLimit: ms => {
        timeout_ms = ms
        onLimit?.(ms)
      },
      onOutput,
      // What runs may be written otherwise than what was asked for.
      onSent(job) {
        over = job.over
        id = background.add(Object.assign(job, { command }))
        return id
      },
      maxOutput: Math.max(0, Math.min(limits.bash_max_output, budget - noticeBytes)),
      spillDir,
      mask,
      where,
    })
    const result = await running.finally(changed)
    const closed = over.then(bound?.end)
    if (id === undefined) await closed
    const { exit_code, duration_ms, cwd, total_bytes, spill, ended } = result
    const details: BashDetails = {
      command,
      exit_code,
      duration_ms,
      cwd,
      total_bytes,
      output_lines: linesOf(result.output).length,
      ...(spill && { spill }),
      ...(ended !== 'exit' && { ended }),
      ...(id !== undefined && { id }),
      ...(where === 'sandbox-read' && { sandbox: 'read' as const }),
      ...(where === 'sandbox-work' && { sandbox: 'work' as const }),
    }
    const { sandbox } = details
    const failed = exit_code !== 0 && ended !== 'sent'
    const stopped = sandbox && failed ? whyStopped(result.output, result.reach?.refused) : undefined
    if (sandbox && stopped) result.notes.push(STOPPED[stopped](sandbox, result.reach))
    return {
      output: print(result, timeout_ms),
      details,
      is_error: failed,
      ...(stopped && { stopped }),
    }
  },
})

/** What a sandbox kept a command from, for the model. */
const STOPPED: Record<Stopped, (sandbox: 'read' | 'work', reach: CommandResult['reach']) => string> = {
  written: sandbox =>
    sandbox === 'read'
      ? 'It ran in a sandbox where nothing can be changed.'
      : 'It ran in a sandbox where only the project can be changed, and not its protected files.',
  hidden: () => 'It ran in a sandbox where secrets and other processes are hidden.',
  network: (_, reach) =>
    reach === undefined
      ? 'It ran in a sandbox without a network.'
      : `It ran in a sandbox that reaches only what sandbox.network names (${some(reach.named)}), by HTTPS_PROXY${reach.refused.length === 0 ? '' : `; refused: ${some(reach.refused)}`}.`,
}

/** A person may have named many. */
const some = (hosts: readonly string[]): string =>
  hosts.length > 6 ? `${hosts.slice(0, 6).join(', ')}, …` : hosts.join(', ')

const linesOf = (output: string): string[] =>
  output.trim() === '' ? [] : output.replace(/\n$/, '').split('\n')

/** The output, then a line each for what else the model must know; of a success nothing. */
function print(
  { output, exit_code, ended, notes, duration_ms, spill, total_bytes }: CommandResult,
  timeout: number,
) {
  const lines = linesOf(output)
  if (spill !== undefined && ![output, ...notes].some(text => text.includes(spill))) {
    lines.push(`All ${count(total_bytes)} bytes of output are in ${spill}; read or grep it.`)
  }
  if (ended === 'timeout') {
    lines.push(`Ended after ${timeout / 1000} s without finishing. Set timeout (seconds) if it needs longer.`)
  } else if (ended === 'aborted') {
    lines.push(`Stopped by the user after ${Math.round(duration_ms / 100) / 10} s.`)
  } else if (ended === 'exit' && exit_code !== 0) {
    lines.push(exit_code === undefined ? 'The shell ended with the command.' : `exit code ${exit_code}`)
  }
  lines.push(...notes)
  return lines.length === 0 ? '(no output)' : lines.join('\n')
}
