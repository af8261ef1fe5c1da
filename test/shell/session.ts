/** A real shell in a fresh directory, closed and swept away with the test. `TEST_BASH` names another bash. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { type CommandOptions, type CommandResult, createShell, type Shell } from '../../src/shell/shell.ts'

export interface ShellSession {
  shell: Shell
  /** The shell's directory at the start, a real path. */
  cwd: string
  run(command: string, options?: Partial<CommandOptions>): Promise<CommandResult>
}

export function openShell(t: TestContext, env: NodeJS.ProcessEnv = process.env): ShellSession {
  const cwd = temporary(t)
  const spill = temporary(t)
  const { TEST_BASH } = process.env
  const shell = createShell({ cwd, env, ...(TEST_BASH === undefined ? {} : { bash: TEST_BASH }) })
  t.after(() => shell.close())
  const run: ShellSession['run'] = (command, options = {}) =>
    shell.run(command, {
      signal: new AbortController().signal,
      timeout: 60_000,
      maxOutput: 8192,
      spillDir: async () => spill,
      ...options,
    })
  return { shell, cwd, run }
}

export function temporary(t: TestContext): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-test-')))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Resolves once the condition holds; the test's own time limit is the only one. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 5))
}

/** Whether there is such a process. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
