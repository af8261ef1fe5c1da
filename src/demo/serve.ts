/**
 * `gopi demo`: the demo for newcomers, on a port of its own until it is stopped. Rules instead of a script, a real
 * token count, speeds that can be watched.
 */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { RunError } from '../protocol/errors.ts'
import { messageOf } from '../text/message-of.ts'
import type { Reports } from '../words/reports-en.ts'
import { told } from '../words/sayings/told.ts'
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

type Words = Reports['demo']

const defaultPort = 11435

/**
 * Serves until `signal` fires. The first line on `stdout` names the address; then one line for each request says what
 * was cached and what was read. Throws a `RunError` when the port that was asked for is taken.
 */
export async function serveDemo(
  options: ServeOptions,
  { stdout, signal, words }: { stdout: Writable; signal: AbortSignal; words: Words },
): Promise<void> {
  let readable = true
  // Who started the demo may be gone before it: then there is nobody to tell.
  stdout.on('error', () => (readable = false))
  const print = (line: string) => readable && stdout.write(`${line}\n`)
  const server = await startAt(options, request => print(describeRequest(request, words)))
  print(words.serves(server.host))
  print(words.tryIt(server.host))
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
    throw new RunError(
      taken
        ? told('internal.demo_taken', { port })
        : told('internal.demo_closed', { port, problem: messageOf(error) }),
      { cause: error },
    )
  }
}

/** `POST /api/chat 200: 1,204 prompt tokens, 1,100 cached, 104 read; 35 generated; 0.52 s`. */
function describeRequest(request: LoggedRequest, words: Words): string {
  const { method, path, status, prompt, cached = 0, read = 0, generated = 0, at, endAt = at } = request
  const head = `${method} ${path} ${request.aborted ? words.aborted : status}`
  return words.line(head, [
    ...(request.loaded ? [words.loaded] : []),
    ...(prompt === undefined ? [] : [words.prompt(prompt, cached, read), words.generated(generated)]),
    words.seconds(((endAt - at) / 1000).toFixed(2)),
  ])
}
