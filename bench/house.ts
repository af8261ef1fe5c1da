/**
 * A session as it is delivered, with its tools, bash, client and journal, in a directory of its own. The sources
 * themselves would be slower here than they are in life: each lazy import of theirs goes through the loader's thread.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Session } from '../src/library.ts'
import { root } from './measure.ts'

const require = createRequire(import.meta.url)

export interface HouseOptions {
  /** Default `bench`, which every name is to the demo server. */
  model?: string
  prewarm?: 'type' | 'open' | 'off'
  /** Files of the project, by name. */
  files?: Record<string, string>
  /** The section of config.yaml. */
  context?: object
}

export interface House {
  session: Session
  close(): Promise<void>
}

export async function openHouse(host: string, options: HouseOptions = {}): Promise<House> {
  const { createSession } = require(
    path.join(root, 'dist', 'library.cjs'),
  ) as typeof import('../src/library.ts')
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-bench-')))
  for (const [name, text] of Object.entries(options.files ?? {}))
    writeFileSync(path.join(directory, name), text)
  process.env.GOPI_HOME = path.join(directory, 'home')
  const session = await createSession({
    cwd: directory,
    config: {
      ollama: { host, model: options.model ?? 'bench', prewarm: options.prewarm ?? 'off' },
      permission: { mode: 'yolo' },
      ...(options.context && { context: options.context }),
    },
  })
  return {
    session,
    async close() {
      await session.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
