/**
 * What commands in a sandbox ask for hosts: an HTTP proxy in gopi's own process that reaches those that the person has named
 * and no others. It looks names up by itself, and does not look into what it carries.
 */
import type { lookup as systemLookup } from 'node:dns'
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import { connect, isIP, type ListenOptions, type LookupFunction, type Socket } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { publicAddresses } from '../net/addresses.ts'
import { bracketed, type Goal, isNamed, type Named, readGoal, shownGoal } from '../net/hosts.ts'
import { guardedLookup } from '../net/lookup.ts'
import { openTunnel, viaProxy } from '../net/tunnel.ts'
import { messageOf } from '../text/message-of.ts'
import { wayOut } from './way-out.ts'

export interface ProxyOptions {
  named: readonly Named[]
  /** May name a proxy that everything goes through. */
  env: NodeJS.ProcessEnv
  /** What who asks has to show (`user:password`). Default: nothing. */
  key?: string | undefined
  /** ms for a request's head, and for a connection. Default: 10 s, 30 s. */
  patience?: { head: number; connection: number }
  /** For tests. Default: the system's. */
  lookup?: typeof systemLookup
}

export interface Proxy {
  /** Resolves when it listens. Keeps no process alive. */
  listen(where: ListenOptions): Promise<void>
  /** The port, where it listens on one. */
  port(): number
  /** Hosts that it has refused since this was last asked. */
  takeRefused(): string[]
  /** Ends all connections. */
  close(): Promise<void>
}

/** As many at once, bytes of a head, and refused hosts that are remembered. */
const MOST = { connections: 256, head: 16_384, refused: 20 }
const PATIENCE = { head: 10_000, connection: 30_000 }
/** ms that one side may still talk when the other has ended. */
const LINGER_MS = 60_000

/** What is not passed on: it is about this connection. */
const OF_CONNECTION = new Set(
  'connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade host expect'.split(
    ' ',
  ),
)

/** What who asked is told instead of an answer. */
class Refusal extends Error {
  status: number
  constructor(status: number, message: string) {
    super(`gopi: ${message}`)
    this.status = status
  }
}

export function createProxy(options: ProxyOptions): Proxy {
  const { named, env, key, patience = PATIENCE } = options
  const refused = new Set<string>()
  const connections = new Set<Duplex>()
  const server = createServer({
    maxHeaderSize: MOST.head,
    headersTimeout: patience.head,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.ceil(patience.head / 2),
  })
  server.maxConnections = MOST.connections
  server.on('connection', socket => keep(socket))
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    answerConnect(request, socket, head).catch(error => refuse(socket, error))
  })
  server.on('request', (request, response) => {
    answerRequest(request, response).catch(error => {
      if (response.headersSent || response.destroyed) return response.destroy()
      const { status, message } = asRefusal(error)
      response.writeHead(status, REASONS[status], TEXT).end(`${message}\n`)
    })
  })

  function keep(socket: Duplex): void {
    if (connections.has(socket)) return
    connections.add(socket)
    ;(socket as { unref?(): void }).unref?.()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => connections.delete(socket))
  }

  /** Throws where it may not be reached, whatever its name turns out to mean. */
  function admit(request: IncomingMessage, goal: Goal | undefined): asserts goal is Goal {
    const given = request.headers['proxy-authorization']
    if (key !== undefined && given !== `Basic ${Buffer.from(key).toString('base64')}`)
      throw new Refusal(407, 'this proxy is for the commands of one session.')
    if (goal === undefined) throw new Refusal(400, 'ask for HOST:PORT by CONNECT, or for http://HOST/.')
    if (isNamed(named, goal)) return
    remember(goal)
    throw new Refusal(
      403,
      `${shownGoal(goal)} is not reached from the sandbox, for sandbox.network does not name it.`,
    )
  }

  function remember(goal: Goal): void {
    if (refused.size < MOST.refused) refused.add(shownGoal(goal))
  }

  /** Looks up, and gives only what may be reached: what is near has to be named itself, for anybody can call it what they like. */
  function lookupFor(goal: Goal): LookupFunction {
    const isPublic = publicAddresses()
    const { port } = goal
    const allows = (address: string) =>
      isPublic(address) ||
      isNamed(named, { host: address, port }) ||
      (isLoopback(address) && isNamed(named, { host: 'localhost', port }))
    const refusal = () => {
      remember(goal)
      return new Refusal(
        403,
        `${shownGoal(goal)} is an address of this machine or of its network, which sandbox.network has to name, too.`,
      )
    }
    return guardedLookup(allows, { refusal, lookup: options.lookup })
  }

  async function answerConnect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const goal = readGoal(request.url ?? '')
    admit(request, goal)
    const other = await open(goal)
    if (socket.destroyed) return void other.destroy()
    keep(other)
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) other.write(head)
    join(socket, other)
  }

  async function open(goal: Goal): Promise<Duplex> {
    const proxy = wayOut('https', goal, env)
    if (proxy === undefined) return connected(goal)
    await checkName(goal)
    const opened = openTunnel(proxy, shownGoal(goal))
    return within(opened, () => void opened.then(socket => socket.destroy()).catch(() => {}))
  }

  /** Where somebody else looks names up: what the system knows to be near is not asked for. */
  async function checkName(goal: Goal): Promise<void> {
    if (isIP(goal.host) !== 0) return
    const problem = await within(
      new Promise<Error | null>(resolve =>
        lookupFor(goal)(goal.host, { all: true }, error => resolve(error)),
      ),
    )
    if (problem instanceof Refusal) throw problem
  }

  function connected(goal: Goal): Promise<Socket> {
    const socket = connect({ ...goal, lookup: lookupFor(goal), allowHalfOpen: true })
    keep(socket)
    const opened = new Promise<Socket>((resolve, reject) => {
      socket.once('connect', () => resolve(socket))
      socket.once('error', reject)
    })
    return within(opened, () => socket.destroy())
  }

  async function within<T>(promise: Promise<T>, giveUp = () => {}): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Refusal(504, 'the host does not answer.')), patience.connection)
      timer.unref()
    })
    try {
      return await Promise.race([promise, late])
    } catch (error) {
      giveUp()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Plain http. The line of the request says where it goes, and what the host is told is the same. */
  async function answerRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, authority = '', path = ''] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(request.url ?? '') ?? []
    const goal = readGoal(authority, 80)
    admit(request, goal)
    const host = goal.port === 80 ? bracketed(goal.host) : shownGoal(goal)
    const place = path.startsWith('/') ? path : `/${path}`
    const proxy = wayOut('http', goal, env)
    if (proxy !== undefined) await checkName(goal)
    const socket = proxy === undefined ? await connected(goal) : undefined
    if (response.destroyed) return void socket?.destroy()
    const way: RequestOptions =
      socket === undefined
        ? { ...viaProxy(proxy ?? '', `http://${host}${place}`), agent: false }
        : { path: place, createConnection: () => socket }
    const isSized = request.headers['content-length'] !== undefined
    const isChunked = request.headers['transfer-encoding'] !== undefined
    const headers: Fields = { ...passedOn(request), ...(way.headers as Fields), host }
    // Node leaves a body unframed where the method usually has none: it would be read as a second request.
    if (isChunked) headers['transfer-encoding'] = 'chunked'
    const { method } = request
    const out = httpRequest({ ...way, method, headers, setHost: false })
    out.on('socket', keep)
    response.on('close', () => out.destroy())
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      out.once('response', resolve)
      out.on('error', reject)
      // Such as by an answer that nobody asked for, which changes the protocol.
      out.on('close', () => reject(new Error('it ends without an answer')))
    })
    if (isSized || isChunked) pipeline(request, out, () => {})
    else out.end()
    const answer = await answered
    response.writeHead(answer.statusCode ?? 502, passedOn(answer))
    pipeline(answer, response, () => {})
  }

  return {
    listen: where =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(where, () => {
          server.off('error', reject)
          server.on('error', () => {})
          resolve()
        })
        server.unref()
      }),
    port() {
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : 0
    },
    takeRefused() {
      const all = [...refused]
      refused.clear()
      return all
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of connections) socket.destroy()
      }),
  }
}

const isLoopback = (address: string): boolean => address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address)

/** Words behind a status: some programs show nothing else. */
const REASONS: Record<number, string> = {
  400: 'Bad Request',
  403: 'Not in sandbox.network',
  407: 'Proxy Authentication Required',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
}
const TEXT = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }

function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal
    ? error
    : new Refusal(502, `the host cannot be reached: ${messageOf(error)}.`)
}

function refuse(socket: Duplex, error: unknown): void {
  const { status, message } = asRefusal(error)
  const fields = Object.entries(TEXT).map(([name, value]) => `${name}: ${value}\r\n`)
  const body = `${message}\n`
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\n${fields.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

type Fields = Record<string, string | string[]>

/** The fields of a message but those that are about the connection it came on. */
function passedOn({ rawHeaders, headers }: IncomingMessage): Fields {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/)
  const left = new Map<string, string[]>()
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = (rawHeaders[n] ?? '').toLowerCase()
    if (OF_CONNECTION.has(name) || (named.includes(name) && name !== 'content-length')) continue
    left.set(name, [...(left.get(name) ?? []), rawHeaders[n + 1] ?? ''])
  }
  return Object.fromEntries([...left].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]))
}

/** Two connections become one. Each side may go on for a while when the other has said all. */
function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to)
    from.once('end', () =>
      (to as { setTimeout?: (ms: number, late: () => void) => void }).setTimeout?.(LINGER_MS, () =>
        to.destroy(),
      ),
    )
    from.once('error', () => to.destroy())
    from.once('close', () => {
      if (!from.readableEnded) to.destroy()
    })
  }
}
