/** In an editor: from a prompt to the first update, against `-p`, which begins with nothing. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { clock, environment, gopi, pairs, type Row, ratioRow } from './measure.ts'
import { serve } from './served.ts'

const node = process.execPath
const timesEach = 15

export async function acpRows(): Promise<Row[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-bench-'))
  const server = await serve({ script: 'words' })
  const env = environment({ GOPI_HOME: path.join(directory, 'home'), OLLAMA_HOST: server.host })
  const options: SpawnOptions = { cwd: directory, env, stdio: ['pipe', 'pipe', 'ignore'] }
  const child = spawn(node, [gopi, 'acp'], options)
  const editor = editorAt(child)
  try {
    await editor.ask('initialize', { protocolVersion: 1 })
    const { sessionId } = await editor.ask('session/new', { cwd: directory, mcpServers: [] })
    const prompt = [{ type: 'text', text: 'x' }]
    const inEditor = async () => {
      const begun = clock()
      const first = editor.firstUpdate()
      const answer = editor.ask('session/prompt', { sessionId, prompt })
      const took = (await first) - begun
      await answer
      return took
    }
    const printed = () =>
      timeToFirst(spawn(node, [gopi, '-p', '--output-format', 'stream-json', 'x'], options))
    const times = await pairs(timesEach, inEditor, printed)
    return [ratioRow('gopi acp: prompt → first update', 'gopi -p x: spawn → first piece', times, 0.5)]
  } finally {
    child.stdin?.end()
    server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Milliseconds from a start to the first piece of the answer; resolves when the process has ended. */
async function timeToFirst(child: ChildProcess): Promise<number> {
  const begun = clock()
  child.stdin?.end()
  const first = new Promise<number>(resolve => {
    createInterface({ input: child.stdout as Readable }).on('line', line => {
      if (line.startsWith('{"type":"message_delta"')) resolve(clock() - begun)
    })
  })
  await new Promise(resolve => child.once('exit', resolve))
  return first
}

interface Answer {
  id?: number
  method?: string
  result?: { sessionId: string }
  params?: { update: { sessionUpdate: string } }
}

/** A client without a package, so that what is measured is gopi. */
function editorAt(child: ChildProcess) {
  const waiting = new Map<number, (result: { sessionId: string }) => void>()
  let hear: (at: number) => void = () => {}
  createInterface({ input: child.stdout as Readable }).on('line', line => {
    const at = clock()
    const { id, result, params } = JSON.parse(line) as Answer
    if (params?.update.sessionUpdate === 'agent_message_chunk') hear(at)
    if (id !== undefined && result) waiting.get(id)?.(result)
  })
  let last = 0
  return {
    ask(method: string, params: object): Promise<{ sessionId: string }> {
      const id = ++last
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return new Promise(resolve => waiting.set(id, resolve))
    },
    firstUpdate: () => new Promise<number>(resolve => (hear = resolve)),
  }
}
