/** From the end of a reply that calls a tool to the next request, `echo hi` in between. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { assemble } from '../src/cli/assemble.ts'
import { mergeConfig } from '../src/config/load.ts'
import { startServer } from '../src/demo/server.ts'
import { createOllama } from '../src/model/ollama.ts'
import { builtinTools } from '../src/tools/list.ts'
import { median, ms, type Row } from './measure.ts'

const turns = 60

export async function toolLoopRows(): Promise<Row[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-bench-'))
  const server = await startServer({
    model: (_, index) =>
      index < turns ? { calls: [{ name: 'bash', arguments: { command: `echo hi ${index}` } }] } : 'done',
  })
  const config = await mergeConfig({
    ollama: { host: server.host, model: 'bench' },
    permission: { mode: 'yolo' },
  })
  const session = assemble({
    home: path.join(directory, 'home'),
    cwd: realpathSync(directory),
    env: process.env,
    config,
    chat: createOllama({ host: server.host, timeout: 10_000 }),
    tools: builtinTools(),
    instructions: { texts: [], files: [], ignored: [], cut: [] },
    modelNamed: true,
    keep: true,
    prewarm: 'off',
    approve: undefined,
    goOn: async () => true,
    maxTurns: 1_000,
  })
  try {
    await session.prompt('go')
    const gaps = server.chats.slice(1).map((chat, n) => chat.at - (server.chats[n]?.endAt ?? Number.NaN))
    const result = median(gaps.slice(5))
    return [
      {
        figure: 'end of a tool-call reply → next request, echo hi',
        against: '–',
        measured: ms(result),
        floor: '–',
        reach: '≤ 10 ms median',
        reached: result <= 10,
      },
    ]
  } finally {
    await session.close()
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
