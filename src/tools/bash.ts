import * as z from 'zod/mini'
import type { CommandResult } from '../shell/shell.ts'
import { count } from '../text/truncate.ts'
import { defineTool } from './define.ts'

export interface BashDetails {
  command: string
  /** undefined when the command did not end by itself. */
  exit_code: number | undefined
  duration_ms: number
  /** The shell's directory after the command. */
  cwd: string
  /** Bytes of output in all, and the file that holds them when the output was cut. */
  total_bytes: number
  spill?: string
  /** Where it did not end by itself. */
  ended?: 'timeout' | 'aborted'
}

/** Models that think in milliseconds are told so instead of waiting for days. */
const maxTimeout = 3600
/** Room for what is said after the output, in bytes. */
const noticeBytes = 500

export const bash = defineTool({
  name: 'bash',
  kind: 'command',
  parameters: z.object({
    command: z.string().check(z.minLength(1)),
    timeout: z.optional(z.number().check(z.positive(), z.maximum(maxTimeout), z.describe('seconds'))),
  }),
  description: 'Run a command in the persistent bash.',
  narrow: 'Filter the output, e.g. with grep, head or tail.',

  lane: () => 'bash',

  preview: async ({ command }) => ({ type: 'command', command }),

  async execute({ command, timeout }, { shell, signal, limits, budget, onOutput, spillDir }) {
    const timeout_ms = timeout === undefined ? limits.bash_timeout_ms : timeout * 1000
    const result = await shell.run(command, {
      signal,
      timeout: timeout_ms,
      onOutput,
      maxOutput: Math.max(0, Math.min(limits.bash_max_output, budget - noticeBytes)),
      spillDir,
    })
    const { exit_code, duration_ms, cwd, total_bytes, spill, ended } = result
    const details: BashDetails = {
      command,
      exit_code,
      duration_ms,
      cwd,
      total_bytes,
      ...(spill && { spill }),
      ...(ended !== 'exit' && { ended }),
    }
    return { output: print(result, timeout_ms), details, is_error: exit_code !== 0 }
  },
})

/** The output, then a line each for what else the model must know; of a success nothing. */
function print(
  { output, exit_code, ended, notes, duration_ms, spill, total_bytes }: CommandResult,
  timeout: number,
) {
  const lines = output.trim() === '' ? [] : [output.replace(/\n$/, '')]
  if (spill !== undefined && !output.includes(spill)) {
    lines.push(`All ${count(total_bytes)} bytes of output are in ${spill}; read or grep it.`)
  }
  if (ended === 'timeout') {
    lines.push(`Ended after ${timeout / 1000} s without finishing. Set timeout (seconds) if it needs longer.`)
  } else if (ended === 'aborted') {
    lines.push(`Stopped by the user after ${Math.round(duration_ms / 100) / 10} s.`)
  } else if (exit_code !== 0) {
    lines.push(exit_code === undefined ? 'The shell ended with the command.' : `exit code ${exit_code}`)
  }
  lines.push(...notes)
  return lines.length === 0 ? '(no output)' : lines.join('\n')
}
