/**
 * One HTTP exchange on node:http. Node's own fetch is not used: it gives up after 300 s without a byte, which a
 * prefill on a CPU exceeds, and loading it costs more than the first request.
 */
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { certificatesFailure, connectionFailure, type Place, type Stage, timeoutFailure } from './failures.ts'
import type { Ways } from './ways.ts'

export interface Outgoing {
  url: string
  method: string
  headers: Record<string, string>
  body: string | undefined
}

export interface ExchangeOptions {
  /** Ends the exchange at any time: what waits is rejected with the signal's reason at once. */
  signal: AbortSignal
  place: Place
  /** The request has left: from now on the server is at work. */
  onSent?: () => void
}

export interface Transport {
  /** Sends a request and resolves with the answer's head. Rejects with `RunError`, or the signal's reason. */
  exchange(outgoing: Outgoing, options: ExchangeOptions): Promise<IncomingMessage>
  /** Closes every connection, those that wait for the next request too. */
  close(): void
}

/**
 * A reused connection that the server has closed meanwhile fails within a round trip. A failure later than this (ms)
 * may be a server that died while it read the prompt, and a prompt is not sent twice without a word.
 */
const STALE_WITHIN = 1000

/** Idle connections are probed after a minute: a peer that vanished without a word ends the request. */
const PROBE_AFTER = 60_000

/**
 * A transport with a pool of connections of its own; idle ones do not keep the process alive.
 * `timeout` (ms) is for connecting alone.
 */
export function createTransport(timeout: number, ways: Ways = {}): Transport {
  const pool = { keepAlive: true, keepAliveMsecs: PROBE_AFTER }
  const plain = { request: httpRequest, agent: new Agent(pool) }
  let secure: typeof plain | undefined
  async function loadSecure(place: Place) {
    const https = await import('node:https')
    if (!secure) {
      const made = ways.proxy || ways.ca ? await agentFor(ways, place) : new https.Agent(pool)
      secure ??= { request: https.request, agent: made }
    }
    return secure
  }
  async function agentFor(ways: Ways, place: Place): Promise<HttpsAgent> {
    const { secureAgent } = await import('./ways.ts')
    try {
      return secureAgent(ways, pool)
    } catch (error) {
      throw certificatesFailure(error, place)
    }
  }
  /** The few addresses of a server, taken apart once. */
  const targets = new Map<string, RequestOptions>()
  function targetOf(url: string): RequestOptions {
    const known = targets.get(url)
    if (known) return known
    const target = urlToHttpOptions(new URL(url))
    targets.set(url, target)
    return target
  }

  async function exchange(outgoing: Outgoing, options: ExchangeOptions): Promise<IncomingMessage> {
    const { signal, place } = options
    const { url, method, headers, body } = outgoing
    const target = targetOf(url)
    const isSecure = target.protocol === 'https:'
    const { request: open, agent } = isSecure ? await loadSecure(place) : plain
    const proxied =
      ways.proxy && !isSecure ? (await import('../../net/tunnel.ts')).viaProxy(ways.proxy, url) : undefined
    for (;;) {
      signal.throwIfAborted()
      const request = open({
        ...target,
        ...proxied,
        method,
        headers: { ...headers, ...proxied?.headers },
        agent,
      })
      const started = performance.now()
      try {
        return await head(request, { body, timeout, ...options })
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (!(error instanceof Broken)) throw error
        const isStale = request.reusedSocket && error.untouched && performance.now() - started < STALE_WITHIN
        if (!isStale) throw connectionFailure(error.cause, error.stage, place)
      }
    }
  }

  return {
    exchange,
    close() {
      plain.agent.destroy()
      secure?.agent.destroy()
    },
  }
}

/** The connection failed before the answer's head was there. */
class Broken extends Error {
  readonly stage: Stage
  /** No byte of an answer had come. */
  readonly untouched: boolean
  constructor(cause: unknown, stage: Stage, untouched: boolean) {
    super('broken', { cause })
    this.stage = stage
    this.untouched = untouched
  }
}

interface HeadOptions extends ExchangeOptions {
  body: string | undefined
  timeout: number
}

function head(request: ClientRequest, { body, timeout, signal, place, onSent }: HeadOptions) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    let stage: Stage = 'connecting'
    let readBefore = 0
    let timer: NodeJS.Timeout | undefined
    const expire = () => {
      if (stage !== 'connecting') return
      reject(timeoutFailure(timeout, 'connecting', place))
      request.destroy()
    }
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
      request.destroy()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    request.once('close', () => signal.removeEventListener('abort', onAbort))
    const onConnected = () => {
      clearTimeout(timer)
      stage = 'waiting'
      onSent?.()
    }
    request.once('socket', socket => {
      readBefore = socket.bytesRead
      if (!socket.connecting) return onConnected()
      // After a closed lid or a busy moment the connection may be there already: its event gets the first word.
      timer = setTimeout(() => setImmediate(expire), timeout)
      socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', onConnected)
    })
    // Not once: a connection that breaks later reports it here too, and the answer's reader tells it.
    request.on('error', error => {
      clearTimeout(timer)
      reject(new Broken(error, stage, (request.socket?.bytesRead ?? 0) === readBefore))
    })
    request.once('response', response => {
      resolve(response)
    })
    request.end(body)
  })
}
