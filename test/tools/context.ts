/** What the tests of the tools share: a directory of their own and a context as the loop would make it. */

import { fail } from 'node:assert/strict'
import { mkdtempSync, realpathSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { ToolError } from '../../src/protocol/errors.ts'
import type { SeenFile } from '../../src/protocol/messages.ts'
import { Background } from '../../src/shell/background.ts'
import type { CommandOptions, CommandResult, Shell } from '../../src/shell/shell.ts'
import type { KnownFiles } from '../../src/tools/ledger.ts'
import type { Tool, ToolContext, ToolResult } from '../../src/tools/tool.ts'

/** A directory with these files (a name that ends in `/` is a directory); gone after the test. */
export async function project(t: TestContext, files: Record<string, string | Buffer> = {}): Promise<string> {
  const cwd = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-tools-')))
  t.after(() => rm(cwd, { recursive: true, force: true }))
  t.after(() => rm(path.join(tmpdir(), `${path.basename(cwd)}-spill`), { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(cwd, name)
    await mkdir(name.endsWith('/') ? file : path.dirname(file), { recursive: true })
    if (!name.endsWith('/')) await writeFile(file, content)
  }
  return cwd
}

export function contextFor(cwd: string, changes: Partial<ToolContext> = {}): ToolContext {
  return {
    cwd,
    signal: new AbortController().signal,
    onOutput() {},
    shell: scriptedShell(),
    background: new Background({ env: process.env, project: cwd, cwd: () => cwd, changed() {}, ended() {} }),
    limits: { bash_timeout_ms: 30_000, bash_max_output: 8192, read_max_lines: 500, grep_max_matches: 50 },
    budget: 1_000_000,
    files: knowsAll,
    isSecret: () => false,
    spillDir: async () => {
      const spill = path.join(tmpdir(), `${path.basename(cwd)}-spill`)
      await mkdir(spill, { recursive: true })
      return spill
    },
    ...changes,
  }
}

/** What details say of every file that the model has seen, where nobody keeps a ledger. */
export const seen: SeenFile = { path: '/', size: 0, mtime_ms: 0, hash: '' }

/** As if the model had read every file. */
const knowsAll: KnownFiles = {
  saw: () => seen,
  mustKnow() {},
}

/** Checks and runs, as the loop does. */
export async function run(tool: Tool, args: unknown, context: ToolContext): Promise<ToolResult> {
  const checked = tool.check(args, context.cwd)
  if (!checked.ok) throw new ToolError(checked.problem)
  const result = await tool.execute(checked.args, context)
  return checked.note === undefined ? result : { ...result, output: `${result.output}\n${checked.note}` }
}

/** What the model is told, whether the tool returned or threw. */
export async function told(tool: Tool, args: unknown, context: ToolContext): Promise<string> {
  try {
    return (await run(tool, args, context)).output
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
}

/** A shell that answers every command with the given result, and remembers what it was asked. */
export function scriptedShell(
  result: Partial<CommandResult> = {},
): Shell & { asked: { command: string; options: CommandOptions }[] } {
  const asked: { command: string; options: CommandOptions }[] = []
  return {
    asked,
    cwd: '/',
    beside: () => fail('nothing runs beside it'),
    moreTime: () => false,
    toBackground: () => false,
    warm() {},
    async run(command, options) {
      asked.push({ command, options })
      const defaults = { output: '', exit_code: 0, cwd: '/', duration_ms: 5, total_bytes: 0, notes: [] }
      return { ...defaults, ended: 'exit', ...result }
    },
    close: async () => ({ escaped: [] }),
  }
}
