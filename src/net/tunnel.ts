/** Through an HTTP proxy: what it is asked for, and a connection that it holds open. */
import { request as httpRequest, type RequestOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import { urlToHttpOptions } from 'node:url'

/** What sends a plain request through a proxy: it is asked for the whole address. */
export function viaProxy(proxy: string, url: string): RequestOptions & { headers: Record<string, string> } {
  const { hostname, port, auth } = placeOf(proxy)
  const { host } = new URL(url)
  return { hostname, port, path: url.replace(/\/\/[^/]*@/, '//'), headers: { Host: host, ...login(auth) } }
}

/** A connection to `goal` (`host:port`) through a proxy. Rejects where the proxy cannot be reached or says no. */
export function openTunnel(proxy: string, goal: string): Promise<Duplex> {
  const { hostname, port, auth } = placeOf(proxy)
  const request = httpRequest({
    ...{ hostname, port, method: 'CONNECT', path: goal, agent: false },
    headers: { Host: goal, ...login(auth) },
  })
  return new Promise((resolve, reject) => {
    request.once('error', reject)
    request.once('connect', ({ statusCode }, socket, head) => {
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head)
        return resolve(socket)
      }
      socket.destroy()
      reject(new Error(`the proxy answered ${statusCode}`))
    })
    request.end()
  })
}

function placeOf(proxy: string) {
  const { hostname, port, auth } = urlToHttpOptions(new URL(proxy))
  return { hostname, port: port ?? 80, auth }
}

const login = (auth: string | null | undefined): Record<string, string> =>
  auth ? { 'Proxy-Authorization': `Basic ${Buffer.from(auth).toString('base64')}` } : {}
