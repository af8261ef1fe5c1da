/** Servers for tests: the misbehaving one, configured as a person would. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { openServers, sourcesOf } from '../../src/assembly/sources.ts'
import { mergeConfig } from '../../src/config/load.ts'
import type { Memory } from '../../src/protocol/memory.ts'
import { memory } from '../support/memory.ts'

const fixture = path.join(import.meta.dirname, '../fixtures/mcp-server.mjs')

/** The entry of a server that behaves as `mode` says, and notes its process in `note`. */
export const scripted = (mode: string, note?: string, more: object = {}) => ({
  command: process.execPath,
  args: [fixture, mode, ...(note === undefined ? [] : [note])],
  ...more,
})

export interface Asked {
  mcp: Record<string, unknown>
  offers?: Memory
  tools?: object
  env?: Record<string, string | undefined>
  pause?(restart: number): number
}

export async function asked(
  t: TestContext,
  { mcp, tools = {}, offers = memory(), env = process.env, pause }: Asked,
) {
  const cwd = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-mcp-')))
  t.after(() => rmSync(cwd, { recursive: true, force: true }))
  const config = { config: await mergeConfig({ mcp, tools }), sources: new Map() }
  return {
    config,
    home: cwd,
    person: cwd,
    cwd,
    env,
    trusted: false,
    remembered: { offers },
    pause: pause ?? (() => 1),
  }
}

export const sources = async (t: TestContext, options: Asked) => sourcesOf(await asked(t, options))

/** Without a session; closed with the test. */
export async function servers(t: TestContext, options: Asked) {
  const { servers } = await openServers(await asked(t, options))
  t.after(() => servers.close())
  const notices: string[] = []
  servers.listen(({ message }) => notices.push(message))
  return { servers, notices }
}

/** The processes that a server noted, in their order. */
export const noted = (note: string): number[] => {
  try {
    return readFileSync(note, 'utf8').trim().split('\n').map(Number)
  } catch {
    return []
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
