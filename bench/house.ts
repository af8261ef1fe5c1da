/** The real session, with its tools, bash, client and journal, in a directory of its own. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type AssembleOptions, assemble } from '../src/cli/assemble.ts'
import { mergeConfig } from '../src/config/load.ts'
import { createOllama } from '../src/model/ollama.ts'
import type { Session } from '../src/session/session.ts'
import { builtinTools } from '../src/tools/list.ts'
import { environment } from './measure.ts'

export interface HouseOptions extends Partial<Pick<AssembleOptions, 'prewarm'>> {
  /** Files of the project, by name. */
  files?: Record<string, string>
  /** In the shape of config.yaml. */
  context?: object
}

export interface House {
  session: Session
  close(): Promise<void>
}

export async function openHouse(host: string, options: HouseOptions = {}): Promise<House> {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-bench-')))
  for (const [name, text] of Object.entries(options.files ?? {}))
    writeFileSync(path.join(directory, name), text)
  const config = await mergeConfig({
    ollama: { host, model: 'bench' },
    permission: { mode: 'yolo' },
    ...(options.context && { context: options.context }),
  })
  const session = assemble({
    home: path.join(directory, 'home'),
    cwd: directory,
    env: environment(),
    config,
    chat: createOllama({ host, timeout: 10_000 }),
    tools: builtinTools(),
    instructions: { texts: [], files: [], ignored: [], cut: [] },
    modelNamed: true,
    keep: true,
    prewarm: options.prewarm ?? 'off',
    approve: undefined,
    goOn: async () => true,
    maxTurns: 1_000,
  })
  return {
    session,
    async close() {
      await session.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
