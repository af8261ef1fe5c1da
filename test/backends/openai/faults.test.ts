import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ask, assertSentence, watchConsole } from '../asking.ts'
import { chunk, closed, json, LAST_CHUNK } from '../raw-server.ts'
import { DONE, delta, event, HEAD, LAST, pair, STOP, said, USAGE } from './asking.ts'

const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const UNTIL_CLOSE = `${HEAD}Connection: close\r\n\r\n`
const PAGE = '<html><head><title>Log in</title></head><body>Who are you?</body></html>'

interface Fault {
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

const write = (data: string | Uint8Array) => (socket: Socket) => void socket.write(data)
const end = (data: string | Uint8Array) => (socket: Socket) => void socket.end(data)
const inChunks = (...lines: (string | Uint8Array)[]) =>
  end(Buffer.concat([Buffer.from(CHUNKED), ...lines.map(chunk), Buffer.from(LAST_CHUNK)]))
const turn = () => new Promise(resolve => setImmediate(resolve))

async function drip(socket: Socket, data: Uint8Array): Promise<void> {
  for (const byte of data) {
    socket.write(Uint8Array.of(byte))
    await turn()
  }
  socket.end()
}

/** Writes without an end, as fast as it is read, until the client leaves. */
function flood(socket: Socket, piece: Buffer): Promise<void> {
  const pour = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', pour)
  pour()
  return closed(socket)
}

const BROKE_EARLY: Fault['fails'] = [
  'stream',
  /connection to the server at .* broke before it answered \(ECONNRESET\)/,
]
const BROKE_LATE: Fault['fails'] = ['stream', /broke in the middle of the answer \(ECONNRESET\)/]
const UNFINISHED: Fault['fails'] = ['stream', /ended its answer without the final record/]
const CUT_LINE: Fault['fails'] = ['stream', /broke its answer off in the middle of a line/]
const EMPTY: Fault['fails'] = ['stream', /answered with nothing where JSON was expected/]
const NO_HTTP: Fault['fails'] = ['no_server', /does not speak HTTP \(HPE_/]

const FAULTS: Fault[] = [
  // Cut, at every kind of byte.
  { name: 'closed before the first byte', send: end(''), fails: BROKE_EARLY },
  { name: 'reset before the first byte', send: socket => void socket.resetAndDestroy(), fails: BROKE_EARLY },
  { name: 'cut in the status line', send: end('HTTP/1.1 20'), fails: BROKE_EARLY },
  { name: 'cut in a header', send: end('HTTP/1.1 200 OK\r\nContent-Ty'), fails: BROKE_EARLY },
  { name: 'cut after the headers', send: end(CHUNKED), fails: BROKE_LATE },
  { name: 'cut in a chunk', send: end(`${CHUNKED}ff\r\ndata: {"choi`), fails: BROKE_LATE },
  { name: 'cut between two chunks', send: end(CHUNKED + chunk(said('a'))), fails: BROKE_LATE, text: 'a' },
  {
    name: 'cut in a line, no length known',
    send: end(`${UNTIL_CLOSE}${said('a')}data: {"choi`),
    fails: CUT_LINE,
    text: 'a',
  },
  {
    name: 'cut in a UTF-8 character',
    send: end(Buffer.from(UNTIL_CLOSE + said('好')).subarray(0, -32)),
    fails: CUT_LINE,
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

  // An end that is none.
  { name: 'no last event', send: inChunks(said('a')), fails: UNFINISHED, text: 'a' },
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

  // Errors in the stream.
  {
    name: 'an error event',
    send: inChunks(said('a'), event({ error: { message: 'it hurts', type: 'server_error', code: 500 } })),
    fails: ['stream', /"it hurts"\): ask again/],
    text: 'a',
  },
  {
    name: 'an error event that is a text',
    send: inChunks('event: error\n', event({ error: 'overloaded_error: Overloaded' })),
    fails: ['busy', /too much to do/],
  },
  {
    name: 'an error as old vLLM sends it',
    send: inChunks(
      event({ object: 'error', message: "This model's maximum context length is 8 tokens", code: 400 }),
    ),
    fails: ['context', /no longer fits into the context of "m"/],
  },
  {
    name: 'an error event about a malformed call',
    send: inChunks(
      said('a'),
      event({ error: { message: 'failed to parse tool call: unexpected end of JSON' } }),
    ),
    fails: ['stream', /tool call that the server could not read/],
    remedy: 'malformed_call',
    text: 'a',
  },

  // Not what was asked for.
  {
    name: 'a web page',
    send: end(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`),
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
      'HTTP/1.1 307 Temporary Redirect\r\nLocation: http://evil.example/v1/chat\r\nContent-Length: 0\r\n\r\n',
    ),
    fails: [
      'no_server',
      /redirects to "http:\/\/evil\.example\/v1\/chat" \(307\), which gopi does not follow/,
    ],
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

  // Lines that are none.
  {
    name: 'plain words',
    send: inChunks('Ollama is running\n', DONE),
    fails: ['stream', /sent "Ollama is running" where a JSON object/],
  },
  { name: 'a number', send: inChunks(event('42'), DONE), fails: ['stream', /sent "42" where/] },
  { name: 'a list', send: inChunks(event('[1]'), DONE), fails: ['stream', /sent "\[1\]" where/] },
  { name: 'NUL bytes', send: inChunks(event('\0\0\0'), DONE), fails: ['stream', /sent "\ufffd{3}" where/] },
  {
    name: 'two objects in an event',
    send: inChunks(event('{}{}'), DONE),
    fails: ['stream', /where a JSON object was expected/],
  },
  {
    name: 'broken JSON in the middle',
    send: inChunks(said('a'), event('{"choices":'), DONE),
    fails: ['stream', /sent "\{"choices":" where/],
    text: 'a',
  },
  {
    name: 'a line over the bound',
    send: inChunks(said('x'.repeat(20_000)), DONE),
    fails: ['stream', /a line of more than 10000 bytes without an end/],
  },
  {
    name: 'a line that never ends',
    send: socket => {
      socket.write(`${UNTIL_CLOSE}data: {"choices":[{"delta":{"content":"`)
      return flood(socket, Buffer.alloc(10_000, 'x'))
    },
    fails: ['stream', /a line of more than 10000 bytes/],
  },

  // Fields of the wrong kind.
  {
    name: 'content that is a number',
    send: inChunks(delta({ content: 5 }), DONE),
    fails: ['stream', /\(content is a number, not a text\)/],
  },
  {
    name: 'a delta that is a text',
    send: inChunks(event({ choices: [{ delta: 'hi' }] }), DONE),
    fails: ['stream', /\(delta is a string, not an object\)/],
  },
  {
    name: 'choices that are an object',
    send: inChunks(event({ choices: {} }), DONE),
    fails: ['stream', /\(choices is an object, not a list\)/],
  },
  {
    name: 'a choice that is a number',
    send: inChunks(event({ choices: [1] }), DONE),
    fails: ['stream', /\(a choice is a number, not an object\)/],
  },
  {
    name: 'reasoning that is a list',
    send: inChunks(delta({ reasoning_content: [] }), DONE),
    fails: ['stream', /\(reasoning_content is a list, not a text\)/],
  },
  {
    name: 'calls that are an object',
    send: inChunks(delta({ tool_calls: {} }), DONE),
    fails: ['stream', /tool_calls is an object, not a list/],
  },
  {
    name: 'a call that is a text',
    send: inChunks(delta({ tool_calls: ['ls'] }), DONE),
    fails: ['stream', /a tool call is a string/],
    remedy: 'malformed_call',
  },
  {
    name: 'a call without a name',
    send: inChunks(delta({ tool_calls: [{ index: 0, function: {} }] }), DONE),
    fails: ['stream', /a tool call has no name/],
    remedy: 'malformed_call',
  },
  {
    name: 'arguments that are no JSON',
    send: inChunks(delta({ tool_calls: [{ index: 0, function: { name: 'ls', arguments: '{' } }] }), DONE),
    fails: ['stream', /arguments of the tool call "ls" are no JSON/],
    remedy: 'malformed_call',
  },
  {
    name: 'arguments that are a list',
    send: inChunks(delta({ tool_calls: [{ index: 0, function: { name: 'ls', arguments: '[]' } }] }), DONE),
    fails: ['stream', /arguments of the tool call "ls" are a list/],
    remedy: 'malformed_call',
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
  {
    name: 'CRLF',
    text: 'a',
    send: inChunks((said('a') + DONE).replaceAll('\n', '\r\n')),
  },
  { name: 'a byte order mark', text: 'a', send: inChunks(`\uFEFF${said('a')}`, DONE) },
  {
    name: 'no blank after data:',
    text: 'a',
    send: inChunks((said('a') + DONE).replaceAll('data: ', 'data:')),
  },
  {
    name: 'comments, names, ids and pauses',
    text: 'ab',
    send: inChunks(
      ': PROCESSING\n\n',
      `event: message\nid: 7\nretry: 10\n${said('a')}`,
      'data:\n\n',
      said('b'),
      DONE,
    ),
  },
  { name: 'everything in one packet', text: 'ab', send: inChunks(said('a') + said('b') + DONE) },
  { name: 'no newline at the end', text: 'a', send: inChunks(said('a'), DONE.trim()) },
  { name: 'ended without a last word', text: 'a', send: inChunks(said('a'), STOP) },
  { name: 'a last word without a reason', text: 'a', send: inChunks(said('a'), LAST) },
  { name: 'figures with every chunk', text: 'a', send: inChunks(USAGE, said('a'), USAGE, STOP, LAST) },
  { name: 'text after the end', text: 'a', send: inChunks(said('a'), DONE, said('b'), 'garbage') },
  {
    name: 'text after the end without an end',
    text: 'a',
    send: socket => {
      socket.write(UNTIL_CLOSE + said('a') + DONE)
      return flood(socket, Buffer.alloc(10_000, 'x'))
    },
  },
  {
    name: 'a reason, and then nothing any more',
    text: 'a',
    send: socket => {
      socket.write(CHUNKED + chunk(said('a') + STOP))
    },
  },
  {
    name: 'a reason, and the connection reset',
    text: 'a',
    send: async socket => {
      socket.write(CHUNKED + chunk(said('a') + STOP))
      await turn()
      socket.destroy()
    },
  },
  {
    name: '100 Continue first',
    text: 'a',
    send: socket => void socket.end(`HTTP/1.1 100 Continue\r\n\r\n${UNTIL_CLOSE}${said('a')}${DONE}`),
  },
  {
    name: 'fields that are null',
    text: 'a',
    send: inChunks(
      event({ choices: null, usage: null, error: null }),
      said('a'),
      delta({
        role: 'assistant',
        content: null,
        reasoning_content: null,
        tool_calls: null,
        function_call: null,
      }),
      DONE,
    ),
  },
  {
    name: 'no stream but a whole answer',
    text: 'a',
    send: end(json({ choices: [{ message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] })),
  },
  {
    name: 'content in parts',
    text: 'ab',
    send: inChunks(delta({ content: [{ text: 'a' }, { text: 'b' }] }), DONE),
  },
]

describe('whatever a server sends ends in one sentence or in the right answer, and closes the connection:', () => {
  for (const { name, send, fails, remedy, text = '', timeout = 10_000 } of FAULTS) {
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
