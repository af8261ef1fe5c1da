/** Terminals of the editor's, for the person's own commands that need a real one. */
import type { AgentContext, WaitForTerminalExitResponse } from '@agentclientprotocol/sdk'
import type { Telling } from './telling.ts'

export interface TerminalOptions {
  editor: AgentContext
  telling: Telling
  /** As the editor calls it. */
  sessionId: string
  /** Ends the command. */
  signal: AbortSignal
}

let begun = 0

/** Runs a command where the editor shows it, and says so. → its exit code. Rejects when the editor has no terminal for it. */
export async function runInTerminal(
  { command, cwd }: { command: string; cwd: string },
  { editor, telling, sessionId, signal }: TerminalOptions,
): Promise<number> {
  const { terminalId } = await editor.request('terminal/create', {
    ...{ sessionId, command: 'bash', args: ['-c', command], cwd },
  })
  const terminal = { sessionId, terminalId }
  const toolCallId = `terminal-${++begun}`
  telling.send({
    ...{ sessionUpdate: 'tool_call', toolCallId, title: command, kind: 'execute', status: 'in_progress' },
    content: [{ type: 'terminal', terminalId }],
  })
  const kill = () => void editor.request('terminal/kill', terminal).catch(() => {})
  signal.addEventListener('abort', kill, { once: true })
  try {
    // What a signal has ended has no code.
    const { exitCode } = await editor.request<WaitForTerminalExitResponse>('terminal/wait_for_exit', terminal)
    const status = exitCode === 0 ? 'completed' : 'failed'
    telling.send({ sessionUpdate: 'tool_call_update', toolCallId, status })
    return exitCode ?? 1
  } finally {
    signal.removeEventListener('abort', kill)
    await editor.request('terminal/release', terminal).catch(() => {})
  }
}
