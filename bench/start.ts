/** How long gopi takes to be there: `--version`, and from spawn to the request of `-p` at the server; what it holds then. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { environment, gopi, pairs, processTime, type Row, ratioRow } from './measure.ts'

const node = process.execPath
const timesEach = 25

export async function startRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const argument of ['--version', '--help']) {
    const times = await pairs(
      timesEach,
      () => processTime(node, [gopi, argument]),
      () => processTime(node, ['-e', '0']),
    )
    rows.push(ratioRow(`gopi ${argument}`, 'node -e 0', times, 1.2))
  }
  return [...rows, ...(await firstRequest())]
}

async function firstRequest(): Promise<Row[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-bench-'))
  const server = await answeringServer()
  const env = environment({ GOPI_HOME: path.join(directory, 'home'), OLLAMA_HOST: server.host })
  try {
    const asked = () =>
      server.timeToChat(() => spawn(node, [gopi, '-p', 'x'], { cwd: directory, env, stdio: 'ignore' }))
    await asked()
    const body = path.join(directory, 'body.json')
    const client = path.join(directory, 'client.cjs')
    writeFileSync(body, server.lastBody)
    writeFileSync(client, rawClient)
    const raw = () =>
      server.timeToChat(() => spawn(node, [client, server.host, body], { env, stdio: 'ignore' }))
    const request = ratioRow(
      'gopi -p x: spawn → chat request',
      'raw node:http post of the same bytes',
      await pairs(timesEach, asked, raw),
      2.5,
    )
    const configured = (name: string, config: string) => {
      const home = path.join(directory, name)
      mkdirSync(home)
      writeFileSync(path.join(home, 'config.yaml'), config)
      const own = { ...env, GOPI_HOME: home }
      return () =>
        server.timeToChat(() => spawn(node, [gopi, '-p', 'x'], { cwd: directory, env: own, stdio: 'ignore' }))
    }
    const never = '{ command: sleep, args: ["600"] }'
    const withServers = ratioRow(
      'gopi -p x: spawn → chat request, three MCP servers that never answer',
      'the same with another line in the configuration',
      await pairs(
        timesEach,
        configured('slow', `mcp: { a: ${never}, b: ${never}, c: ${never} }\n`),
        configured('other', 'context: { keep_recent: 8000 }\n'),
      ),
      1.1,
    )
    server.hold()
    const waiting = spawn(node, [gopi, '-p', 'x'], { cwd: directory, env, stdio: 'ignore' })
    const bare = spawn(node, ['-e', 'setTimeout(() => {}, 60_000)'], { env, stdio: 'ignore' })
    await sleep(5_000)
    const memory = memoryRow(waiting, bare)
    for (const child of [waiting, bare]) child.kill('SIGKILL')
    return [request, withServers, memory]
  } finally {
    server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Resident memory of two processes that wait. */
function memoryRow(waiting: ChildProcess, bare: ChildProcess): Row {
  const [held, floor] = [waiting, bare].map(({ pid }) => {
    const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
    return Number(kilobytes) / 1024
  })
  const more = (held ?? Number.NaN) - (floor ?? Number.NaN)
  return {
    figure: 'gopi -p x: memory while the server reads, 5 s after spawn',
    against: 'bare node',
    measured: `${held?.toFixed(1)} MB`,
    floor: `${floor?.toFixed(1)} MB`,
    reach: '≤ +25 MB',
    reached: more <= 25,
  }
}

const rawClient = `
const [, , host, file] = process.argv
const body = require('node:fs').readFileSync(file)
const headers = { 'content-type': 'application/json', 'content-length': body.length }
const request = require('node:http').request(host + '/api/chat', { method: 'POST', headers }, answer => answer.resume())
request.end(body)
`

const model = {
  name: 'qwen2.5-coder:7b',
  digest: 'sha256:dae161e27b0e90dd1856c8bb3209201fd6736d8eb66298e75ed87571486f4364',
  size: 4_683_087_332,
  size_vram: 4_683_087_332,
  context_length: 32_768,
}

const answers: Record<string, unknown> = {
  '/api/version': { version: '0.24.0' },
  '/api/ps': { models: [model] },
  '/api/tags': { models: [model] },
  '/api/show': {
    capabilities: ['completion', 'tools'],
    model_info: { 'general.architecture': 'qwen2', 'qwen2.context_length': 32768 },
  },
}

/** Answers everything at once and says how long after a start the chat request came. */
async function answeringServer() {
  let lastBody = ''
  let arrived: (at: number) => void = () => {}
  let held = false
  const server = http.createServer(async (request, response) => {
    const at = performance.now()
    const answer = answers[request.url ?? '']
    if (answer) {
      response.end(JSON.stringify(answer))
      return
    }
    lastBody = await text(request)
    if (held) return
    const message = { role: 'assistant', content: 'x' }
    response.setHeader('content-type', 'application/x-ndjson')
    response.end(
      `${JSON.stringify({ model: 'm', message, done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 1 })}\n`,
    )
    arrived(at)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get lastBody() {
      return lastBody
    },
    /** Milliseconds from spawning to the chat request; resolves when the process has ended. */
    async timeToChat(start: () => ReturnType<typeof spawn>): Promise<number> {
      const request = new Promise<number>(resolve => {
        arrived = resolve
      })
      const started = performance.now()
      const child = start()
      const ended = new Promise(resolve => child.on('exit', resolve))
      const at = await request
      await ended
      return at - started
    },
    /** From now on no chat request is answered. */
    hold() {
      held = true
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
