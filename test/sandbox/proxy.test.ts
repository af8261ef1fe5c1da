/** The proxy of the sandbox by itself, over raw connections: who is reached, who is not, and what is passed on. */
import assert from 'node:assert/strict'
import type { lookup as systemLookup } from 'node:dns'
import { createServer, type IncomingMessage } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createRawServer,
  type Server,
  type Socket,
} from 'node:net'
import { type TestContext, test } from 'node:test'
import { readNamed } from '../../src/net/hosts.ts'
import { createProxy, type ProxyOptions } from '../../src/sandbox/proxy.ts'
import { wayOut } from '../../src/sandbox/way-out.ts'

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function listening(t: TestContext, server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return portOf(server)
}

/** A web server that tells what it was asked. */
async function web(t: TestContext) {
  const requests: { line: string; headers: IncomingMessage['headers']; raw: string[]; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url, headers, rawHeaders: raw } = request
    requests.push({ line: `${method} ${url}`, headers, raw, body })
    const text = `hello ${url}`
    const fields = ['X-Own', '1', 'X-Own', '2', 'Connection', 'close, X-Hop', 'X-Hop', 'secret']
    response.writeHead(200, [...fields, 'Content-Length', String(text.length)])
    response.end(text)
  })
  return { port: await listening(t, server), requests }
}

/** Answers with what it is told, in capitals, and ends when the other does. */
const shouter = (t: TestContext) =>
  listening(
    t,
    createRawServer({ allowHalfOpen: true }, socket => {
      socket.on('data', bytes => socket.write(String(bytes).toUpperCase()))
      socket.on('end', () => socket.end('BYE'))
    }),
  )

/** What names mean: a list for each, one entry for each time that it is asked. */
function namesOf(names: Record<string, string[][]>) {
  const asked: string[] = []
  const lookup = ((host: string, _: object, done: (error: Error | null, found: object[]) => void) => {
    asked.push(host)
    const found = (names[host]?.length ?? 0) > 1 ? names[host]?.shift() : names[host]?.[0]
    if (found === undefined) done(new Error(`no such host ${host}`), [])
    else
      done(
        null,
        found.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
  }) as unknown as typeof systemLookup
  return { asked, lookup }
}

async function proxied(t: TestContext, named: string[], options: Partial<ProxyOptions> = {}) {
  const hosts = named.map(text => readNamed(text) ?? assert.fail(text))
  const proxy = createProxy({ named: hosts, env: {}, ...options })
  await proxy.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => proxy.close())
  const say = (text: string) => talk(proxy.port(), text)
  return { proxy, say }
}

/** Says something, and gives all that comes back until the other side ends. */
function talk(port: number, text: string): Promise<string> {
  return new Promise(resolve => {
    let all = ''
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    socket.setEncoding('latin1').on('data', chunk => {
      all += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(all))
    socket.on('end', () => socket.destroy())
    socket.write(text)
  })
}

const get = (url: string, more = '') => `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`
const to = (goal: string) => `CONNECT ${goal} HTTP/1.1\r\nHost: ${goal}\r\n\r\n`
const status = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

test('a tunnel to a named host carries bytes both ways, also those that come too early, and each end by itself', async t => {
  const port = await shouter(t)
  const { proxy } = await proxied(t, [`127.0.0.1:${port}`])
  const answer = await new Promise<string>(resolve => {
    let all = ''
    const socket = connect({ host: '127.0.0.1', port: proxy.port(), allowHalfOpen: true })
    socket.write(`${to(`127.0.0.1:${port}`)}early `)
    socket.setEncoding('latin1').on('data', chunk => {
      all += chunk
      if (all.endsWith('EARLY ')) socket.end('late ')
    })
    socket.on('end', () => resolve(all))
  })
  assert.equal(answer, 'HTTP/1.1 200 Connection established\r\n\r\nEARLY LATE BYE')
})

test('what is not named is refused and remembered: other names, addresses, ports, spellings', async t => {
  const { port, requests } = await web(t)
  const { proxy, say } = await proxied(t, ['example.test', '*.below.test', `localhost:${port}`], {
    lookup: namesOf({ 'a.below.test': [['127.0.0.1']] }).lookup,
  })
  const refused = [
    ...[
      'evil.test:443',
      'example.test:22',
      'example.test.evil.test:443',
      'xexample.test:443',
      'below.test:443',
    ],
    ...[
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `0.0.0.0:${port}`,
      `2130706433:${port}`,
    ],
  ]
  for (const goal of refused) {
    const answer = await say(to(goal))
    assert.match(answer, /^HTTP\/1\.1 403 Not in sandbox\.network\r\n/, goal)
    assert.match(
      answer,
      /gopi: \S+ is not reached from the sandbox, for sandbox\.network does not name it\.\n$/,
    )
  }
  // Two of them are the same address.
  assert.equal(proxy.takeRefused().length, refused.length - 1)
  assert.deepEqual(proxy.takeRefused(), [])
  assert.equal(status(await say(get(`http://evil.test:${port}/`))), 403)
  assert.deepEqual(proxy.takeRefused(), [`evil.test:${port}`])
  for (let n = 0; n < 50; n++) await say(to(`n${n}.test:443`))
  assert.equal(proxy.takeRefused().length, 20)
  assert.deepEqual(requests, [])
})

test('what is no request to a proxy is none, and nothing of it goes on', async t => {
  const { port, requests } = await web(t)
  const here = `127.0.0.1:${port}`
  const { say } = await proxied(t, [here])
  const rows = [
    ...[
      get('/'),
      get(`https://${here}/`),
      get(`ftp://${here}/`),
      get(`http://user@${here}/`),
      get(`//${here}/`),
    ],
    ...[
      to('127.0.0.1'),
      to(`user@${here}`),
      to(`http://${here}/`),
      to(`${here}/`),
      to('[::1'),
      to('127.0.0.1:0'),
    ],
    ...[
      'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
      'HELLO\r\n\r\n',
      '\0\0\0\0\r\n\r\n',
      '\x16\x03\x01\x02\0\x01\r\n\r\n',
    ],
    get(`http://${here}/`, 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
    get(`http://${here}/`, 'Content-Length: 5\r\nContent-Length: 6\r\n'),
    get(`http://${here}/`, 'Transfer-Encoding: identity, chunked, x\r\n'),
    get(`http://${here}/`, 'X: a\r\n Content-Length: 5\0\r\n'),
    get(`http://${here}/`, `X: ${'a'.repeat(20_000)}\r\n`),
    get(`http://${here}/\x01`),
  ]
  for (const row of rows) {
    const code = status(await say(row))
    assert.ok(
      code === 400 || code === 431 || Number.isNaN(code),
      `${JSON.stringify(row.slice(0, 80))}: ${code}`,
    )
  }
  assert.deepEqual(requests, [])
  assert.equal(status(await say(get(`http://${here}/`))), 200)
})

test('the line of a request says where it goes, and what is about the connection stays behind', async t => {
  const { port, requests } = await web(t)
  const here = `127.0.0.1:${port}`
  const { say } = await proxied(t, [here])
  const answer = await say(
    `POST http://${here}?a=1 HTTP/1.1\r\nHost: evil.test\r\nHost: other.test\r\nProxy-Authorization: Basic abc\r\nConnection: close, X-Drop\r\nX-Drop: 1\r\nUpgrade: websocket\r\nX-Keep: 1\r\nCookie: a\r\nContent-Length: 4\r\n\r\nbody`,
  )
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(answer, /hello \/\?a=1$/)
  assert.doesNotMatch(answer, /secret/)
  assert.equal(answer.match(/x-own: [12]\r\n/gi)?.length, 2)
  const [request] = requests
  assert.equal(request?.line, 'POST /?a=1')
  assert.equal(request?.body, 'body')
  assert.equal(request?.raw.filter(name => /^host$/i.test(name)).length, 1)
  const { connection, ...headers } = request?.headers ?? {}
  assert.deepEqual(headers, { host: here, 'x-keep': '1', cookie: 'a', 'content-length': '4' })
})

test('a body where there is usually none is passed on as one, whatever it looks like', async t => {
  const { port, requests } = await web(t)
  const here = `127.0.0.1:${port}`
  const { say } = await proxied(t, [here])
  const inner = `GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`
  const chunked = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
  for (const method of ['GET', 'DELETE', 'POST'])
    await say(
      `${method} http://${here}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
    )
  await say(`POST http://${here}/none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  assert.deepEqual(
    requests.map(({ line, body }) => `${line} ${body}`),
    [...['GET', 'DELETE', 'POST'].map(method => `${method} / ${inner}`), 'POST /none '],
  )
})

test('each request of a connection is judged by itself', async t => {
  const { port, requests } = await web(t)
  const { say } = await proxied(t, [`127.0.0.1:${port}`])
  const first = `GET http://127.0.0.1:${port}/1 HTTP/1.1\r\nHost: x\r\n\r\n`
  const answer = await say(`${first}${get(`http://evil.test:${port}/2`)}`)
  assert.match(answer, /hello \/1HTTP\/1\.1 403 /)
  assert.deepEqual(
    requests.map(({ line }) => line),
    ['GET /1'],
  )
})

test('a named host that turns out to be this machine or its network is refused, every time it is looked up', async t => {
  const { port, requests } = await web(t)
  const near = [
    ['127.0.0.1'],
    ['10.0.0.7'],
    ['169.254.169.254'],
    ['192.168.1.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
  ]
  const { lookup, asked } = namesOf({
    ...Object.fromEntries(near.map((addresses, n) => [`near${n}.test`, [addresses]])),
    'rebind.test': [['127.0.0.1']],
    'both.test': [['10.255.255.1', '127.0.0.1']],
  })
  const { proxy, say } = await proxied(
    t,
    [`*.near.test:${port}`, ...near.map((_, n) => `near${n}.test:${port}`)],
    {
      lookup,
    },
  )
  for (const n of near.keys()) {
    assert.match(await say(to(`near${n}.test:${port}`)), /403[\s\S]*of this machine or of its network/)
    assert.match(
      await say(get(`http://near${n}.test:${port}/`)),
      /403[\s\S]*of this machine or of its network/,
    )
  }
  assert.equal(proxy.takeRefused().length, near.length)
  assert.equal(asked.length, 2 * near.length)
  // Who names the address, too, means it; at that port, and no other address of the name.
  const rows: [extra: string, host: string, code: number][] = [
    [`127.0.0.1:${port}`, 'rebind.test', 200],
    [`localhost:${port}`, 'rebind.test', 200],
    ['127.0.0.1', 'rebind.test', 403],
    ['127.0.0.1:1', 'rebind.test', 403],
    [`127.0.0.1:${port}`, 'both.test', 200],
  ]
  for (const [extra, host, code] of rows) {
    const other = await proxied(t, [`${host}:${port}`, extra], { lookup })
    assert.equal(status(await other.say(get(`http://${host}:${port}/${host}`))), code, `${extra} ${host}`)
  }
  assert.deepEqual(
    requests.map(({ headers }) => headers.host),
    ['rebind', 'rebind', 'both'].map(name => `${name}.test:${port}`),
  )
})

test('IPv6 is named and asked for in brackets', async t => {
  const server = createServer((_, response) => response.end('six'))
  const port = await listening(t, server, '::1').catch(() => undefined)
  if (port === undefined) return t.skip('there is no IPv6 here')
  const { say } = await proxied(t, [`[::1]:${port}`])
  assert.match(await say(get(`http://[0:0::1]:${port}/`)), /six$/)
  assert.match(await say(`${to(`[::1]:${port}`)}${get('/')}`), /200 Connection[\s\S]*six$/)
})

test('a host that is dead or silent is told of, and so is a name that means nothing', async t => {
  const dead = await listening(t, createRawServer())
  const gone = createRawServer()
  const goneAt = await listening(t, gone)
  gone.close()
  const lookup = ((host: string, _: object, done: (error: Error) => void) => {
    if (host !== 'silent.test') done(new Error(`no such host ${host}`))
  }) as unknown as typeof systemLookup
  const { say, proxy } = await proxied(
    t,
    [`127.0.0.1:${goneAt}`, 'silent.test', 'none.test', `127.0.0.1:${dead}`],
    {
      lookup,
      patience: { head: 10_000, connection: 100 },
    },
  )
  assert.match(await say(to(`127.0.0.1:${goneAt}`)), /^HTTP\/1\.1 502 [\s\S]*ECONNREFUSED/)
  assert.match(await say(get(`http://127.0.0.1:${goneAt}/`)), /^HTTP\/1\.1 502 [\s\S]*ECONNREFUSED/)
  assert.match(await say(to('none.test:443')), /^HTTP\/1\.1 502 [\s\S]*no such host/)
  assert.equal(status(await say(to('silent.test:443'))), 504)
  assert.equal(status(await say(get('http://silent.test/'))), 504)
  assert.deepEqual(proxy.takeRefused(), [])
})

test('a named host that answers with what nobody asked for ends only itself', async t => {
  const answers = [
    ...[
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      'HTTP/1.1 000 x\r\n\r\n',
    ],
    ...[
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      '\0\0',
      'HTTP/1.1 200',
      '',
    ],
    `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
  ]
  const port = await listening(
    t,
    createRawServer(socket =>
      socket.once('data', () => socket.end(answers.shift() ?? 'HTTP/1.1 204 No\r\n\r\n')),
    ),
  )
  const { say } = await proxied(t, [`127.0.0.1:${port}`])
  while (answers.length > 0)
    assert.equal(status(await say(get(`http://127.0.0.1:${port}/`))), 502, answers[0])
  assert.equal(status(await say(get(`http://127.0.0.1:${port}/`))), 204)
})

test('who does not say what they want has to go, and holds up nobody', async t => {
  const { port } = await web(t)
  const { say } = await proxied(t, [`127.0.0.1:${port}`], { patience: { head: 200, connection: 1000 } })
  const slow = Promise.all([
    say(''),
    say('CONNECT 127'),
    say(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nX:`),
  ])
  assert.equal(status(await say(get(`http://127.0.0.1:${port}/`))), 200)
  for (const answer of await slow) assert.ok(answer === '' || status(answer) === 408, answer)
})

test('a hundred at once are served, and more than can be wait for nobody', async t => {
  const { port } = await web(t)
  const raw = await shouter(t)
  const { say, proxy } = await proxied(t, [`127.0.0.1:${port}`, `127.0.0.1:${raw}`])
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      say(n % 2 === 0 ? get(`http://127.0.0.1:${port}/${n}`) : `${to(`127.0.0.1:${port}`)}${get(`/${n}`)}`),
    ),
  )
  for (const [n, answer] of all.entries()) assert.ok(answer.endsWith(`hello /${n}`), answer)
  const held: Socket[] = []
  t.after(() => {
    for (const socket of held) socket.destroy()
  })
  const answers = await Promise.all(
    Array.from(
      { length: 300 },
      () =>
        new Promise<boolean>(resolve => {
          const socket = connect(proxy.port(), '127.0.0.1')
          held.push(socket)
          socket.once('data', () => resolve(true))
          for (const end of ['close', 'error']) socket.once(end, () => resolve(false))
          socket.write(to(`127.0.0.1:${raw}`))
        }),
    ),
  )
  assert.equal(answers.filter(Boolean).length, 256)
  for (const socket of held) socket.destroy()
  let code = 0
  while (code !== 200) code = status(await say(get(`http://127.0.0.1:${port}/`))) || 0
})

test('where the person goes out through a proxy, it does, with their name and to what they do not except', async t => {
  const { port } = await web(t)
  const heard: string[] = []
  const other = createServer((request, response) => {
    heard.push(
      `${request.method} ${request.url} ${request.headers['proxy-authorization']} ${request.headers.host}`,
    )
    response.end('by proxy')
  })
  other.on('connect', (request, socket) => {
    heard.push(`CONNECT ${request.url} ${request.headers['proxy-authorization']}`)
    if (request.url === 'no.test:443') return void socket.end('HTTP/1.1 403 No\r\n\r\n')
    socket.end('HTTP/1.1 200 OK\r\n\r\ntunnelled')
  })
  const at = await listening(t, other)
  const env = {
    HTTPS_PROXY: `http://me:pw@127.0.0.1:${at}`,
    http_proxy: `127.0.0.1:${at}`,
    NO_PROXY: 'direct.test',
  }
  const { lookup } = namesOf({ 'near.test': [['10.0.0.1']], 'direct.test': [['10.0.0.1']] })
  const named = ['far.test', 'near.test', 'no.test', 'direct.test', `127.0.0.1:${port}`, '9.9.9.9']
  const { say } = await proxied(t, named, { env, lookup })
  assert.match(await say(to('far.test:443')), /tunnelled$/)
  assert.match(await say(to('9.9.9.9:443')), /tunnelled$/)
  assert.match(await say(get('http://far.test/x?y', 'Proxy-Authorization: Basic inner\r\n')), /by proxy$/)
  assert.match(await say(to('no.test:443')), /502[\s\S]*the proxy answered 403/)
  assert.match(await say(to('near.test:443')), /403[\s\S]*of this machine/)
  assert.match(await say(get('http://near.test/')), /403[\s\S]*of this machine/)
  assert.match(await say(get('http://direct.test/')), /403[\s\S]*of this machine/)
  assert.match(await say(get(`http://127.0.0.1:${port}/`)), /hello \/$/)
  assert.deepEqual(heard, [
    ...['CONNECT far.test:443 Basic bWU6cHc=', 'CONNECT 9.9.9.9:443 Basic bWU6cHc='],
    'GET http://far.test/x?y undefined far.test',
    'CONNECT no.test:443 Basic bWU6cHc=',
  ])
  const strange = await proxied(t, ['far.test'], { env: { ALL_PROXY: 'socks5://127.0.0.1:1' } })
  assert.match(await strange.say(to('far.test:443')), /502[\s\S]*none that gopi can go through/)
})

test('which proxy it is, and for whom there is none', () => {
  const env = { https_proxy: 'http://p:1', NO_PROXY: '.corp, a.test ,*.b.test,c.test:8443 ::2' }
  const of = (host: string, port = 443) => wayOut('https', { host, port }, env)
  for (const host of ['far.test', 'xa.test', 'c.test']) assert.equal(of(host), 'http://p:1', host)
  for (const host of ['x.corp', 'a.test', 'x.a.test', 'x.b.test', '::2', '::1', 'localhost', '127.0.0.9'])
    assert.equal(of(host), undefined, host)
  assert.equal(of('c.test', 8443), undefined)
  assert.equal(wayOut('http', { host: 'far.test', port: 80 }, env), undefined)
  assert.equal(wayOut('https', { host: 'far.test', port: 443 }, { ...env, NO_PROXY: '*' }), undefined)
  assert.equal(wayOut('https', { host: 'far.test', port: 443 }, { HTTPS_PROXY: '' }), undefined)
})

test('on a port that all can see it wants its key', async t => {
  const { port } = await web(t)
  const { say } = await proxied(t, [`127.0.0.1:${port}`], { key: 'gopi:abc' })
  const url = `http://127.0.0.1:${port}/`
  assert.equal(status(await say(get(url))), 407)
  assert.equal(status(await say(to(`127.0.0.1:${port}`))), 407)
  assert.equal(status(await say(get(url, 'Proxy-Authorization: Basic Z29waTphYmQ=\r\n'))), 407)
  assert.equal(status(await say(get(url, 'Proxy-Authorization: Basic Z29waTphYmM=\r\n'))), 200)
})

test('it keeps no process alive, and its end ends what it carries', async t => {
  const raw = await shouter(t)
  const { proxy } = await proxied(t, [`127.0.0.1:${raw}`])
  const sockets = () => process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length
  const before = sockets()
  const socket = connect(proxy.port(), '127.0.0.1')
  const isOver = new Promise(resolve => socket.on('close', resolve))
  socket.on('error', () => {})
  socket.write(`${to(`127.0.0.1:${raw}`)}a`)
  await new Promise<void>(resolve => {
    socket.on('data', bytes => String(bytes).endsWith('A') && resolve())
  })
  // Our end of it, and the shouter's.
  assert.equal(sockets() - before, 2)
  await proxy.close()
  await isOver
  await assert.rejects(
    new Promise((_, reject) => connect(proxy.port() || 1, '127.0.0.1').on('error', reject)),
  )
})
