/** Ways to a server that are not straight ahead: through a proxy, and with certificates of one's own. */
import { readFileSync } from 'node:fs'
import type { RequestOptions } from 'node:http'
import { Agent, type AgentOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect, rootCertificates } from 'node:tls'
import { openTunnel } from '../../net/tunnel.ts'

/** How a server is reached, where that is not straight ahead. */
export interface Ways {
  /** The URL of an HTTP proxy. */
  proxy?: string | undefined
  /** A file of certificates to trust besides those that Node knows. */
  ca?: string | undefined
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
    const fail = done as (error: Error) => void
    openTunnel(this.#proxy, `${options.host}:${options.port}`)
      .then(socket => {
        const { servername, host } = options as ConnectionOptions
        const name = servername ?? host
        done(null, connect({ ca: this.options.ca, ...(name !== undefined && { servername: name }), socket }))
      })
      .catch(fail)
    return undefined
  }
}
