/** Ways to a server that are not straight ahead: through a proxy, and with certificates of one's own. */
import { readFileSync } from 'node:fs'
import { request as httpRequest, type RequestOptions } from 'node:http'
import { Agent, type AgentOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect, rootCertificates } from 'node:tls'
import { urlToHttpOptions } from 'node:url'

/** How a server is reached, where that is not straight ahead. */
export interface Ways {
  /** The URL of an HTTP proxy. */
  proxy?: string | undefined
  /** A file of certificates to trust besides those that Node knows. */
  ca?: string | undefined
}

/** What sends a plain request through a proxy: it is asked for the whole address. */
export function viaProxy(proxy: string, url: string): RequestOptions & { headers: Record<string, string> } {
  const { hostname, port, auth } = placeOf(proxy)
  const { host } = new URL(url)
  return { hostname, port, path: url.replace(/\/\/[^/]*@/, '//'), headers: { Host: host, ...login(auth) } }
}

/** Connections with TLS, each through a tunnel where there is a proxy. Throws what the system says of the file. */
export function secureAgent({ proxy, ca }: Ways, options: AgentOptions): Agent {
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, readFileSync(ca, 'utf8')] }
  return proxy === undefined
    ? new Agent({ ...options, ...trusted })
    : new TunnelAgent(proxy, { ...options, ...trusted })
}

class TunnelAgent extends Agent {
  readonly #proxy: string

  constructor(proxy: string, options: AgentOptions) {
    super(options)
    this.#proxy = proxy
  }

  override createConnection(
    options: RequestOptions,
    done: (error: Error | null, connection: Duplex) => void = () => {},
  ): undefined {
    const fail = (error: Error) => (done as (error: Error) => void)(error)
    const { hostname, port, auth } = placeOf(this.#proxy)
    const goal = `${options.host}:${options.port}`
    const request = httpRequest({
      ...{ hostname, port, method: 'CONNECT', path: goal, agent: false },
      headers: { Host: goal, ...login(auth) },
    })
    request.once('error', fail)
    request.once('connect', ({ statusCode }, socket) => {
      if (statusCode !== 200) {
        socket.destroy()
        return fail(new Error(`the proxy answered ${statusCode}`))
      }
      const { servername, host } = options as ConnectionOptions
      const name = servername ?? host
      done(null, connect({ ca: this.options.ca, ...(name !== undefined && { servername: name }), socket }))
    })
    request.end()
    return undefined
  }
}

function placeOf(proxy: string) {
  const { hostname, port, auth } = urlToHttpOptions(new URL(proxy))
  return { hostname, port: port ?? 80, auth }
}

const login = (auth: string | null | undefined): Record<string, string> =>
  auth ? { 'Proxy-Authorization': `Basic ${Buffer.from(auth).toString('base64')}` } : {}
