/**
 * `gopi demo`: the demo for newcomers, on a port of its own until it is stopped. Rules instead of a script, a real
 * token count, speeds that can be watched.
 */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { RunError } from '../protocol/errors.ts'
import { messageOf } from '../text/message-of.ts'
import { count } from '../text/truncate.ts'
import type { LoggedRequest } from './log.ts'
import { rules } from './rules/rules.ts'
import { type DemoServer, startServer } from './server.ts'

export interface ServeOptions {
  /** Default 11435, the one after Ollama's; if that is taken, any free one. 0: any free one. */
  port?: number
  /** Tokens a second that are read; default 1,500. */
  prefill?: number
  /** Tokens a second that are generated; default 80. */
  decode?: number
  /** Milliseconds that loading the model takes; default 300. */
  load?: number
}

const defaultPort = 11435

/**
 * Serves until `signal` fires. The first line on `stdout` names the address; then one line for each request says what
 * was cached and what was read. Throws a `RunError` when the port that was asked for is taken.
 */
export async function serveDemo(
  options: ServeOptions,
  { stdout, signal }: { stdout: Writable; signal: AbortSignal },
): Promise<void> {
  let readable = true
  // Who started the demo may be gone before it: then there is nobody to tell.
  stdout.on('error', () => (readable = false))
  const print = (line: string) => readable && stdout.write(`${line}\n`)
  const server = await startAt(options, request => print(describeRequest(request)))
  print(`gopi's demo (a script, no language model) answers as Ollama does at ${server.host} until Ctrl+C.`)
  print(`Try: OLLAMA_HOST=${server.host} gopi`)
  if (!signal.aborted) await once(signal, 'abort')
  await server.close()
}

async function startAt(options: ServeOptions, log: (request: LoggedRequest) => void): Promise<DemoServer> {
  const { port = defaultPort, prefill = 1500, decode = 80, load = 300 } = options
  const start = (at: number) =>
    startServer({
      model: rules(),
      port: at,
      prefill,
      decode,
      load,
      capabilities: ['completion', 'tools', 'thinking'],
      version: '0.24.0-gopi-demo',
      contextLength: 32768,
      count: 'cl100k',
      observe: (request, when) => when === 'over' && log(request),
    })
  try {
    return await start(port)
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (taken && options.port === undefined) return start(0)
    const why = messageOf(error)
    const wish = taken ? 'it is taken; name another one, or --port 0 for any free one' : why
    throw new RunError('internal', `The demo cannot listen on port ${port}: ${wish}.`, { cause: error })
  }
}

/** `POST /api/chat 200: 1,204 prompt tokens, 1,100 cached, 104 read; 35 generated; 0.52 s`. */
function describeRequest(request: LoggedRequest): string {
  const { method, path, status, prompt, cached = 0, read = 0, generated = 0, at, endAt = at } = request
  const head = `${method} ${path} ${request.aborted ? 'aborted' : status}`
  const seconds = `${((endAt - at) / 1000).toFixed(2)} s`
  const loaded = request.loaded ? 'model loaded; ' : ''
  if (prompt === undefined) return `${head}: ${loaded}${seconds}`
  const tokens = `${count(prompt)} prompt tokens, ${count(cached)} cached, ${count(read)} read; ${count(generated)} generated`
  return `${head}: ${loaded}${tokens}; ${seconds}`
}
