/** A server of which every byte is written by the test: each request is handed over with its socket. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface RawRequest {
  /** Method and path: `POST /api/chat`. */
  line: string
  head: string
  body: string
}

export interface RawServer {
  host: string
  port: number
  requests: RawRequest[]
  /** All connections that were ever made. */
  sockets: Socket[]
  /** Resolves when every connection that was made so far is closed. */
  allClosed(): Promise<void>
  close(): Promise<void>
}

export type Handler = (request: RawRequest, socket: Socket, server: RawServer) => void | Promise<void>

export async function startRaw(handler: Handler): Promise<RawServer> {
  const listener = createServer(socket => {
    server.sockets.push(socket)
    socket.setNoDelay(true)
    // A client that leaves is what many of these tests are about.
    socket.on('error', () => {})
    let received = Buffer.alloc(0)
    socket.on('data', data => {
      received = Buffer.concat([received, data])
      for (let request = whole(); request; request = whole()) {
        server.requests.push(request)
        void handler(request, socket, server)
      }
    })
    function whole(): RawRequest | undefined {
      const end = received.indexOf('\r\n\r\n')
      if (end === -1) return undefined
      const head = received.subarray(0, end).toString()
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (received.length < end + 4 + length) return undefined
      const body = received.subarray(end + 4, end + 4 + length).toString()
      received = received.subarray(end + 4 + length)
      return { line: head.slice(0, head.indexOf(' HTTP')), head, body }
    }
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const server: RawServer = {
    host: `http://127.0.0.1:${port}`,
    port,
    requests: [],
    sockets: [],
    async allClosed() {
      await Promise.all(server.sockets.map(closed))
    },
    async close() {
      for (const socket of server.sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
  return server
}

/** Resolves when the socket is closed, whatever happened to it. */
export function closed(socket: Socket): Promise<void> {
  return new Promise(resolve => (socket.closed ? resolve() : socket.once('close', () => resolve())))
}

export const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n'

/** A piece of a body in chunked encoding. */
export function chunk(data: string | Uint8Array): Buffer {
  const bytes = Buffer.from(data)
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

export const LAST_CHUNK = '0\r\n\r\n'

export const said = (content: string) =>
  `${JSON.stringify({ model: 'm', message: { role: 'assistant', content }, done: false })}\n`

export const DONE = `${JSON.stringify({
  model: 'm',
  message: { role: 'assistant', content: '' },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 7,
  eval_count: 2,
})}\n`

/** A whole answer with a length, as a JSON endpoint gives it. */
export function json(value: unknown, status = '200 OK'): string {
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  const length = Buffer.byteLength(body)
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${length}\r\n\r\n${body}`
}

/** A whole streamed answer. */
export function stream(...lines: string[]): string {
  return `${HEAD}Transfer-Encoding: chunked\r\n\r\n${lines.map(line => chunk(line).toString()).join('')}${LAST_CHUNK}`
}
