/**
 * Ollama's protocol on a loopback port with a made-up model behind it, for newcomers one of rules (`rules/`). It behaves as Ollama 0.24 does, waits included, and knows exactly what was cached.
 * A request with `num_predict: 1` is a prewarm and does not ask the model. Nothing waits unless `prefill`, `decode` or
 * `load` say so.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { parseRecord } from '../text/record.ts'
import type { Checks, DemoRoom } from './exchange.ts'
import type { LoggedRequest } from './log.ts'
import { everyModel, type ModelList } from './models.ts'
import type { DemoModel } from './reply.ts'
import { answer } from './routes.ts'
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
  models?: ModelList
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
  check?: Checks
  /** A request has come, its body has been read, it is over. */
  observe?: (request: LoggedRequest, when: 'come' | 'read' | 'over') => void
}

export interface DemoServer {
  /** `http://127.0.0.1:PORT` */
  readonly host: string
  readonly port: number
  /** Ends every request and the server. */
  close(): Promise<void>
}

/** Starts a server on 127.0.0.1. Rejects when the port is taken. */
export async function startServer(options: ServerOptions): Promise<DemoServer> {
  const closing = new AbortController()
  const room = openRoom(options, closing.signal)
  const visits = new Set<Promise<void>>()

  async function visit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const log = openLog(request)
    options.observe?.(log, 'come')
    const gone = new AbortController()
    response.once('close', () => {
      log.aborted = !response.writableFinished && !log.cut && !closing.signal.aborted
      gone.abort()
    })
    try {
      log.text = await text(request)
      log.body = parseRecord(log.text)
      options.observe?.(log, 'read')
      await answer(room, { response, log, signal: AbortSignal.any([gone.signal, closing.signal]) })
    } catch {
      // The client left before its request was complete: there is nobody to answer.
    }
    log.status = response.statusCode
    log.endAt = performance.now()
    options.observe?.(log, 'over')
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
    async close() {
      closing.abort()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await Promise.all(visits)
      room.runners.close()
      await closed
    },
  }
}

function openRoom(options: ServerOptions, closing: AbortSignal): DemoRoom {
  const { prefill = Number.POSITIVE_INFINITY, load = 0 } = options
  let tokenizer: Promise<Tokenizer> | undefined
  const loadTables = () => (tokenizer ??= loadTokenizer(options.count ?? 'chars'))
  // The tables take half a second: the first request should find them there. Who needs them hears of a failure.
  loadTables().catch(() => {})
  return {
    model: options.model,
    asked: 0,
    models: options.models ?? everyModel(options.capabilities),
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
    ...(options.check && { check: options.check }),
    version: options.version ?? '0.24.0',
  }
}

function openLog({ method = '', url = '', headers }: IncomingMessage): LoggedRequest {
  const path = url.replace(/\?.*/s, '')
  return { method, path, headers, text: '', body: undefined, at: performance.now(), aborted: false }
}
