/**
 * Ollama's protocol on a loopback port with a scripted model behind it: for newcomers with rules (`rules/`), for tests
 * and benches with a script. It behaves as Ollama 0.24 does, waits included, and knows exactly what was cached.
 *
 *     import { gate, script } from '../../src/demo/reply.ts'
 *     import { startServer } from '../../src/demo/server.ts'
 *
 *     const held = gate()
 *     const server = await startServer({
 *       model: script([
 *         { text: 'I look.', calls: [{ name: 'bash', arguments: { command: 'ls' } }] },  // a call in its own chunk
 *         ['Two ', { gate: held }, 'files.'],                    // steps in order: chunks, a gate, another chunk
 *         request => `You sent ${request.messages.length} messages.`,        // looks at what the model was sent
 *         { failure: { status: 503, error: 'server busy, please try again.  maximum pending requests exceeded' } },
 *         ['half of', { cut: true }],             // also { error: text }, { hang: true }, { line: 'garbage\n' }
 *         { text: 'and no final record', end: 'no-done' },
 *       ]),
 *       models: [{ name: 'plain', capabilities: ['completion'] }],    // omitted: every name, with tools
 *     })
 *     … talk to server.host …
 *     await held.reached; held.open()                // the stream stands here until the test lets it go on
 *     server.chats[0]                                // LoggedRequest (log.ts): body, prompt, cached, read, aborted, …
 *     await (await server.chat(1)).ended             // waits until the second chat request arrives, then until it is over
 *     assert.deepEqual(server.violations, [])        // broken histories, a script that ran out
 *     await server.close()
 *
 * A string of text is cut into tokens, a list of texts is sent as it is; each piece is one token and one chunk. A
 * request with `num_predict: 1` is a prewarm and takes no reply from the script. Nothing waits unless `prefill`,
 * `decode` or `load` say so.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { LoggedRequest } from './log.ts'
import { listModels, type ModelSpec } from './models.ts'
import type { DemoModel } from './reply.ts'
import { answer, asksForWords, type House } from './routes.ts'
import { Runners } from './runners.ts'
import { type Counting, loadTokenizer, type Tokenizer } from './tokens.ts'
import { settle, sleep } from './wait.ts'

export interface ServerOptions {
  model: DemoModel
  /** Default 0: any free one. */
  port?: number
  /** Tokens a second that are read; or what reading takes. Default: no time. */
  prefill?: number | ((tokens: number) => Promise<void>)
  /** Tokens a second that are generated. Default: no time. */
  decode?: number
  /** Milliseconds that loading a model takes; or what it takes. Default: no time. */
  load?: number | (() => Promise<void>)
  /** Default: every name is a model, with `capabilities`. */
  models?: (string | ModelSpec)[]
  /** Of models that are not described otherwise; default `completion` and `tools`. */
  capabilities?: string[]
  version?: string
  /** Tokens, when a request names no `num_ctx`. Default 4096. */
  contextLength?: number
  /** Slots of a runner; default 1. */
  parallel?: number
  /** Milliseconds that a model stays loaded when no request says otherwise. Default five minutes. */
  keepAlive?: number
  /** How tokens are counted; default `chars`, four characters each. */
  count?: Counting
  /** Called when a request is over. */
  log?: (request: LoggedRequest) => void
}

export interface DemoServer {
  /** `http://127.0.0.1:PORT` */
  readonly host: string
  readonly port: number
  /** Every request in order of arrival, and those of them that are chats with messages. */
  readonly requests: readonly LoggedRequest[]
  readonly chats: readonly LoggedRequest[]
  /** The chat request with this index (0-based), as soon as it has arrived. */
  chat(index: number): Promise<LoggedRequest>
  /** Broken rules of the histories that were sent. */
  readonly violations: readonly string[]
  /** Ends every request and the server. */
  close(): Promise<void>
}

/** Starts a server on 127.0.0.1. Rejects when the port is taken. */
export async function startServer(options: ServerOptions): Promise<DemoServer> {
  const closing = new AbortController()
  const house = openHouse(options, closing.signal)
  const requests: LoggedRequest[] = []
  const chats: LoggedRequest[] = []
  const arrivals: (() => void)[] = []
  const visits = new Set<Promise<void>>()

  async function visit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const log = openLog(request, requests.length)
    requests.push(log)
    const gone = new AbortController()
    response.once('close', () => {
      log.aborted = !response.writableFinished && !log.cut && !closing.signal.aborted
      gone.abort()
    })
    try {
      log.text = await text(request)
      log.body = parsed(log.text)
      if (asksForWords(log)) chats.push(log)
      for (const arrived of arrivals.splice(0)) arrived()
      await answer(house, { response, log, signal: AbortSignal.any([gone.signal, closing.signal]) })
    } catch {
      // The client left before its request was complete: there is nobody to answer.
    }
    log.status = response.statusCode
    log.endAt = performance.now()
    options.log?.(log)
    log.end()
  }

  const server = http.createServer((request, response) => {
    const done = visit(request, response).finally(() => visits.delete(done))
    visits.add(done)
  })
  // Ollama sets no time limits, and a test may hold a request for long.
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  return {
    host: `http://127.0.0.1:${port}`,
    port,
    requests,
    chats,
    violations: house.violations,
    async chat(index) {
      while (!chats[index]) await new Promise<void>(resolve => arrivals.push(resolve))
      return chats[index]
    },
    async close() {
      closing.abort()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await Promise.all(visits)
      house.runners.close()
      await closed
    },
  }
}

function openHouse(options: ServerOptions, closing: AbortSignal): House {
  const { prefill = Number.POSITIVE_INFINITY, load = 0 } = options
  let tokenizer: Promise<Tokenizer> | undefined
  const loadTables = () => (tokenizer ??= loadTokenizer(options.count ?? 'chars'))
  // The tables take half a second: the first request should find them there. Who needs them hears of a failure.
  loadTables().catch(() => {})
  return {
    model: options.model,
    asked: 0,
    models: listModels(options.models, options.capabilities),
    runners: new Runners({
      // A tokenizer is part of a model: its tables come while the model loads.
      load: async () => {
        await Promise.all([
          typeof load === 'number' ? sleep(load, closing) : settle(load(), closing),
          loadTables(),
        ])
      },
      context: options.contextLength ?? 4096,
      parallel: options.parallel ?? 1,
      keepAlive: options.keepAlive ?? 300_000,
    }),
    tokenizer: loadTables,
    prefill: tokens =>
      typeof prefill === 'number'
        ? sleep((tokens * 1000) / prefill, closing)
        : settle(prefill(tokens), closing),
    decode: options.decode ?? Number.POSITIVE_INFINITY,
    violations: [],
    version: options.version ?? '0.24.0',
  }
}

function openLog(request: IncomingMessage, index: number): LoggedRequest & { end(): void } {
  let end = () => {}
  const ended = new Promise<void>(resolve => (end = resolve))
  const { method = '', url = '', headers } = request
  const path = url.replace(/\?.*/s, '')
  const at = performance.now()
  return {
    index,
    method,
    path,
    headers,
    text: '',
    body: undefined,
    at,
    aborted: false,
    ended,
    end: () => end(),
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
