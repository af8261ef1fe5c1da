/** What can go wrong on the wire with any kind of server, and how every row of such a table is tested. */
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Backend } from '../../src/backends/backend.ts'
import { ask, assertSentence, watchConsole } from './asking.ts'
import { chunk, closed, type Handler, json, LAST_CHUNK, type RawServer } from './raw-server.ts'

export interface Fault {
  name: string
  /** What the server sends, and how. */
  send: (socket: Socket) => void | Promise<void>
  /** What the client says of it: code and words; undefined: nothing, the answer is right. */
  fails?: [code: string, words: RegExp]
  remedy?: string
  /** What had come before. */
  text?: string | RegExp
  /** `ollama.timeout` in ms. */
  timeout?: number
}

/** How a kind of server writes its answers. */
interface Writing {
  /** Status line and headers, to which more can be added. */
  head: string
  said(text: string): string
  /** The end of an answer. */
  done: string
  /** How a piece of an answer begins, up to its text. */
  cut: string
}

const PAGE = '<html><head><title>Log in</title></head><body>Who are you?</body></html>'

const write = (data: string | Uint8Array) => (socket: Socket) => void socket.write(data)
export const end = (data: string | Uint8Array) => (socket: Socket) => void socket.end(data)
export const turn = () => new Promise(resolve => setImmediate(resolve))

/** The heads of answers, and a whole answer in chunks. */
export function writerOf(head: string) {
  const CHUNKED = `${head}Transfer-Encoding: chunked\r\n\r\n`
  const inChunks = (...lines: (string | Uint8Array)[]) =>
    end(Buffer.concat([Buffer.from(CHUNKED), ...lines.map(chunk), Buffer.from(LAST_CHUNK)]))
  return { CHUNKED, UNTIL_CLOSE: `${head}Connection: close\r\n\r\n`, inChunks }
}

async function drip(socket: Socket, data: Uint8Array): Promise<void> {
  for (const byte of data) {
    socket.write(Uint8Array.of(byte))
    await turn()
  }
  socket.end()
}

/** Writes without an end, as fast as it is read, until the client leaves. */
export function flood(socket: Socket, piece: Buffer): Promise<void> {
  const pour = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', pour)
  pour()
  return closed(socket)
}

const BROKE_EARLY: NonNullable<Fault['fails']> = [
  'stream',
  /connection to .* broke before it answered \(ECONNRESET\)/,
]
const BROKE_LATE: NonNullable<Fault['fails']> = ['stream', /broke in the middle of the answer \(ECONNRESET\)/]
export const UNFINISHED: NonNullable<Fault['fails']> = ['stream', /ended its answer without the final record/]
export const CUT_LINE: NonNullable<Fault['fails']> = [
  'stream',
  /broke its answer off in the middle of a line/,
]
const EMPTY: NonNullable<Fault['fails']> = ['stream', /answered with nothing where JSON was expected/]
const NO_HTTP: NonNullable<Fault['fails']> = ['no_server', /does not speak HTTP \(HPE_/]

/** Those that mean the same whatever is spoken over HTTP. */
export function commonFaults({ head: HEAD, said, done: DONE, cut }: Writing): Fault[] {
  const { CHUNKED, UNTIL_CLOSE, inChunks } = writerOf(HEAD)
  return [
    // Cut, at every kind of byte.
    { name: 'closed before the first byte', send: end(''), fails: BROKE_EARLY },
    {
      name: 'reset before the first byte',
      send: socket => void socket.resetAndDestroy(),
      fails: BROKE_EARLY,
    },
    { name: 'cut in the status line', send: end('HTTP/1.1 20'), fails: BROKE_EARLY },
    { name: 'cut in a header', send: end('HTTP/1.1 200 OK\r\nContent-Ty'), fails: BROKE_EARLY },
    { name: 'cut after the headers', send: end(CHUNKED), fails: BROKE_LATE },
    { name: 'cut in a chunk', send: end(`${CHUNKED}ff\r\n${cut}`), fails: BROKE_LATE },
    { name: 'cut between two chunks', send: end(CHUNKED + chunk(said('a'))), fails: BROKE_LATE, text: 'a' },
    {
      name: 'cut in a line, no length known',
      send: end(`${UNTIL_CLOSE}${said('a')}${cut}`),
      fails: CUT_LINE,
      text: 'a',
    },
    {
      name: 'cut between two lines, no length known',
      send: end(UNTIL_CLOSE + said('a')),
      fails: UNFINISHED,
      text: 'a',
    },
    {
      name: 'shorter than its length',
      send: end(`${HEAD}Content-Length: 9999\r\n\r\n${said('a')}`),
      fails: BROKE_LATE,
      text: 'a',
    },
    {
      name: 'reset in the stream',
      send: async socket => {
        socket.write(CHUNKED + chunk(said('a')))
        await turn()
        socket.resetAndDestroy()
      },
      fails: ['stream', /broke (in the middle of the answer|before it answered)/],
      text: /^a?$/,
    },
    { name: 'nothing at all', send: inChunks(), fails: EMPTY },
    { name: 'empty lines alone', send: inChunks('\n\n', '\r\n'), fails: EMPTY },
    { name: 'length 0', send: end(`${HEAD}Content-Length: 0\r\n\r\n`), fails: EMPTY },
    { name: '204', send: end('HTTP/1.1 204 No Content\r\n\r\n'), fails: EMPTY },
    {
      name: 'silence, then the end',
      send: async socket => {
        socket.write(CHUNKED)
        await new Promise(resolve => setTimeout(resolve, 30))
        socket.end(LAST_CHUNK)
      },
      fails: EMPTY,
    },
    // Not what was asked for.
    {
      name: 'a web page',
      send: end(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`,
      ),
      fails: ['no_server', /200 with a web page \("Log in"\) instead of JSON/],
    },
    {
      name: 'a web page that says it is JSON',
      send: end(json(PAGE)),
      fails: ['no_server', /200 with a web page/],
    },
    {
      name: 'a web page with 502',
      send: end(
        `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`,
      ),
      fails: ['stream', /502 with a web page/],
    },
    {
      name: 'gzip',
      send: socket => {
        const body = gzipSync(said('a') + DONE)
        socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`)
        socket.write(body)
      },
      fails: ['stream', /encoding "gzip", which was not asked for/],
    },
    {
      name: 'a redirect',
      send: end(
        'HTTP/1.1 307 Temporary Redirect\r\nLocation: http://evil.example/chat\r\nContent-Length: 0\r\n\r\n',
      ),
      fails: ['no_server', /redirects to "http:\/\/evil\.example\/chat" \(307\), which gopi does not follow/],
    },
    {
      name: 'a redirect to nowhere',
      send: end('HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n'),
      fails: ['no_server', /redirects elsewhere \(301\)/],
    },
    { name: 'another protocol', send: write('SSH-2.0-OpenSSH_9.6\r\n'), fails: NO_HTTP },
    {
      name: 'endless headers',
      send: socket => flood(socket, Buffer.from(`X-More: ${'x'.repeat(4000)}\r\n`)),
      fails: NO_HTTP,
    },
    {
      name: 'a chunk size that is none',
      send: write(`${CHUNKED}zz\r\n`),
      fails: ['stream', /broke in the middle of the answer/],
    },
    {
      name: 'an error whose body never ends',
      send: write('HTTP/1.1 500 Oh\r\nContent-Length: 900\r\n\r\n{"err'),
      timeout: 100,
      fails: ['stream', /\(500: "\{"err"\)/],
    },
    {
      name: 'an error with an endless body',
      send: socket => {
        socket.write(`HTTP/1.1 500 Oh\r\nConnection: close\r\n\r\n`)
        return flood(socket, Buffer.alloc(10_000, 'x'))
      },
      timeout: 60_000,
      fails: ['stream', /\(500: "x{300}…"\)/],
    },
    {
      name: 'a line over the bound',
      send: inChunks(said('x'.repeat(20_000)), DONE),
      fails: ['stream', /a line of more than 10000 bytes without an end/],
    },
    {
      name: 'a line that never ends',
      send: socket => {
        socket.write(`${UNTIL_CLOSE}${cut}`)
        return flood(socket, Buffer.alloc(10_000, 'x'))
      },
      fails: ['stream', /a line of more than 10000 bytes/],
    },
    // Unusual, but right.
    {
      name: 'a UTF-8 character in two packets',
      text: '好',
      send: async socket => {
        const bytes = chunk(said('好'))
        const half = bytes.indexOf(0xe5) + 1
        socket.write(CHUNKED)
        socket.write(bytes.subarray(0, half))
        await turn()
        socket.end(Buffer.concat([bytes.subarray(half), chunk(DONE), Buffer.from(LAST_CHUNK)]))
      },
    },
    {
      name: 'a slow drip, byte by byte',
      text: 'né',
      send: socket => drip(socket, Buffer.from(`${CHUNKED}${chunk(said('né'))}${chunk(DONE)}${LAST_CHUNK}`)),
    },
    { name: 'a byte order mark', text: 'a', send: inChunks(`\uFEFF${said('a')}`, DONE) },
    { name: 'everything in one packet', text: 'ab', send: inChunks(said('a') + said('b') + DONE) },
    { name: 'no newline at the end', text: 'a', send: inChunks(said('a'), DONE.trim()) },
  ]
}

type Pair = (
  t: TestContext,
  handler: Handler,
  options: { lineBound: number; timeout: number },
) => Promise<{ server: RawServer; model: Backend }>

export function testFaults(faults: readonly Fault[], pair: Pair): void {
  describe('whatever a server sends ends in one sentence or in the right answer, and closes the connection:', () => {
    for (const { name, send, fails, remedy, text = '', timeout = 10_000 } of faults) {
      it(name, { timeout: 20_000 }, async t => {
        const printed = watchConsole(t)
        const { server, model } = await pair(t, (_, socket) => send(socket), { lineBound: 10_000, timeout })
        const outcome = await ask(model)
        if (text instanceof RegExp) assert.match(outcome.text, text)
        else assert.equal(outcome.text, text)
        if (fails) {
          const [code, words] = fails
          assertSentence(outcome.error)
          assert.match(outcome.error.message, words)
          assert.ok(outcome.error.message.includes(server.host))
          assert.deepEqual([outcome.error.code, outcome.error.remedy], [code, remedy])
          assert.ok(!outcome.events.some(event => event.type === 'end'))
        } else {
          assert.equal(outcome.error, undefined)
          assert.equal(outcome.events.filter(event => event.type === 'end').length, 1)
          assert.equal(outcome.events.at(-1)?.type, 'end')
        }
        await server.allClosed()
        assert.ok(server.sockets[0]!.bytesWritten < 20e6, 'a flood is left as soon as it is one')
        assert.equal(server.requests.length, 1, 'the request was sent once')
        assert.deepEqual(printed, [])
      })
    }
  })
}
