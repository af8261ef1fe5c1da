import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { createOllama } from '../../src/backends/ollama/ollama.ts'
import { ask, pair, REQUEST, watchConsole } from './asking.ts'
import {
  chunk,
  closed,
  DONE,
  HEAD,
  json,
  LAST_CHUNK,
  type RawRequest,
  type RawServer,
  said,
} from './raw-server.ts'

const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`

const turn = () => new Promise(resolve => setImmediate(resolve))

/** A promise and the function that resolves it. */
function gate<T = void>() {
  let open!: (value: T) => void
  const opened = new Promise<T>(resolve => (open = resolve))
  return { opened, open }
}

interface Moment {
  name: string
  /** The server's part; `now` is called when the client is to abort. */
  serve: (at: { request: RawRequest; socket: Socket; server: RawServer; now: () => void }) => void
  text?: string
  retry?: number[]
}

const MOMENTS: Moment[] = [
  { name: 'while the server loads or reads the prompt', serve: ({ now }) => now() },
  {
    name: 'in the middle of the headers',
    serve({ socket, now }) {
      socket.write('HTTP/1.1 200 OK\r\nContent-')
      setImmediate(now)
    },
  },
  {
    name: 'in the middle of a line',
    serve({ socket, now }) {
      socket.write(`${CHUNKED}40\r\n{"mess`)
      setImmediate(now)
    },
  },
  {
    name: 'in the body of an error',
    serve({ socket, now }) {
      socket.write('HTTP/1.1 500 Oh\r\nContent-Length: 900\r\n\r\n{"err')
      setImmediate(now)
    },
  },
  {
    name: 'while the installed names are looked up for a better sentence',
    serve({ request, socket, now }) {
      if (request.line.endsWith('/tags')) now()
      else socket.write(json({ error: "model 'm' not found" }, '404 Not Found'))
    },
  },
]

describe('an abort ends a request at once with the reason it was given, and closes the connection:', () => {
  for (const { name, serve } of MOMENTS) {
    it(name, { timeout: 10_000 }, async t => {
      const printed = watchConsole(t)
      const reached = gate()
      const { server, model } = await pair(t, (request, socket, server) =>
        serve({ request, socket, server, now: reached.open }),
      )
      const controller = new AbortController()
      const asked = ask(model, REQUEST, controller.signal)
      await reached.opened
      const reason = { kind: 'steer' }
      controller.abort(reason)
      assert.equal((await asked).error, reason)
      await Promise.all(server.sockets.slice(-1).map(closed))
      assert.deepEqual(printed, [])
    })
  }

  it('in the stream, after what had come', { timeout: 10_000 }, async t => {
    const { server, model } = await pair(t, (_, socket) => void socket.write(CHUNKED + chunk(said('one'))))
    const controller = new AbortController()
    const seen: string[] = []
    await assert.rejects(
      async () => {
        for await (const event of model.chat(REQUEST, { signal: controller.signal })) {
          seen.push(event.type)
          setImmediate(() => controller.abort('user'))
        }
      },
      error => error === 'user',
    )
    assert.deepEqual(seen, ['text'])
    await server.allClosed()
  })

  it('before it began: nothing is sent', async t => {
    const { server, model } = await pair(t, () => {})
    assert.equal((await ask(model, REQUEST, AbortSignal.abort('early'))).error, 'early')
    await assert.rejects(model.version({ signal: AbortSignal.abort('early') }), error => error === 'early')
    assert.equal(server.sockets.length, 0)
  })

  it('while it connects', { timeout: 10_000 }, async t => {
    // A TLS handshake that is never answered.
    const { server } = await pair(t, () => {})
    const model = createOllama({ host: server.host.replace('http', 'https'), timeout: 10_000 })
    const controller = new AbortController()
    const asked = ask(model, REQUEST, controller.signal)
    while (server.sockets.length === 0) await turn()
    controller.abort('user')
    assert.equal((await asked).error, 'user')
    await server.allClosed()
  })

  it('while it waits to ask again', { timeout: 10_000 }, async t => {
    const busy = json(
      { error: 'server busy, please try again.  maximum pending requests exceeded' },
      '503 Busy',
    )
    const { server, model } = await pair(t, (_, socket) => void socket.write(busy), {
      retry: { refused: [], busy: [60_000] },
    })
    const controller = new AbortController()
    const seen: string[] = []
    await assert.rejects(
      async () => {
        for await (const event of model.chat(REQUEST, { signal: controller.signal })) {
          seen.push(event.type)
          setImmediate(() => controller.abort('user'))
        }
      },
      error => error === 'user',
    )
    assert.deepEqual(seen, ['notice'])
    assert.equal(server.requests.length, 1)
  })

  it('at the small endpoints', { timeout: 10_000 }, async t => {
    const { server, model } = await pair(t, ({ line }, socket) => {
      if (!line.endsWith('/version')) socket.write('HTTP/1.1 500 Oh\r\nContent-Length: 900\r\n\r\n{"err')
    })
    const questions: [name: string, ask: (signal: AbortSignal) => Promise<unknown>][] = [
      ['version', signal => model.version({ signal })],
      ['models', signal => model.models({ signal })],
      ['facts', signal => model.facts('m', { signal })],
      // With the session, whose last word to its server it is.
      ['user', () => model.state('m')],
    ]
    for (const [name, question] of questions) {
      const controller = new AbortController()
      const asked = question(controller.signal)
      while (server.requests.length === 0) await turn()
      // All but the first have begun to read an error by then.
      for (let turns = 0; turns < 5; turns++) await turn()
      if (name === 'user') model.close()
      else controller.abort(name)
      await assert.rejects(asked, error => error === name)
      await server.allClosed()
      server.requests.length = 0
    }
  })
})

describe('leaving the loop', () => {
  it('closes the connection at the first text, and at a notice', { timeout: 10_000 }, async t => {
    const { server, model } = await pair(
      t,
      (request, socket) => {
        if (request.line.endsWith('/ps')) socket.end(json({ models: [] }))
        else if (request.body.includes('"talk"')) socket.write(CHUNKED + chunk(said('one')))
      },
      { timeout: 30 },
    )
    for (const name of ['talk', 'silent']) {
      const types: string[] = []
      for await (const event of model.chat(
        { ...REQUEST, model: name },
        { signal: new AbortController().signal },
      )) {
        types.push(event.type)
        break
      }
      assert.deepEqual(types, [name === 'talk' ? 'text' : 'notice'])
      await server.allClosed()
    }
  })

  it('leaves no listener on the signal', async t => {
    const { model } = await pair(
      t,
      (_, socket) => void socket.write(CHUNKED + chunk(said('a')) + chunk(DONE) + LAST_CHUNK),
    )
    const { signal } = new AbortController()
    const added = t.mock.method(signal, 'addEventListener')
    const removed = t.mock.method(signal, 'removeEventListener')
    await ask(model, REQUEST, signal)
    await model.version({ signal }).catch(() => {})
    assert.ok(added.mock.callCount() > 0)
    assert.equal(removed.mock.callCount(), added.mock.callCount())
  })
})

describe('two requests at once', () => {
  it('do not touch each other: one is aborted, the other goes on to its end', {
    timeout: 10_000,
  }, async t => {
    const sockets = new Map<string, Socket>()
    const both = gate()
    const { model } = await pair(t, (request, socket) => {
      sockets.set(JSON.parse(request.body).model, socket)
      socket.write(CHUNKED + chunk(said('one ')))
      if (sockets.size === 2) both.open()
    })
    const controller = new AbortController()
    const first = ask(model, { ...REQUEST, model: 'first' }, controller.signal)
    const second = ask(model, { ...REQUEST, model: 'second' })
    await both.opened
    controller.abort('user')
    assert.equal((await first).error, 'user')
    await closed(sockets.get('first')!)
    const survivor = sockets.get('second')!
    survivor.write(`${chunk(said('two'))}${chunk(DONE)}${LAST_CHUNK}`)
    const { text, error } = await second
    assert.deepEqual([text, error], ['one two', undefined])
    assert.equal(survivor.destroyed, false)
  })
})

describe('connections', () => {
  const answer = (line: string) =>
    line.endsWith('/chat')
      ? CHUNKED + chunk(said('a')) + chunk(DONE) + LAST_CHUNK
      : json({ version: '1.2.3', models: [] })

  it('serve one request after the other', async t => {
    const { server, model } = await pair(t, ({ line }, socket) => void socket.write(answer(line)))
    for (let round = 0; round < 5; round++) {
      assert.equal((await ask(model)).text, 'a')
      await model.version()
    }
    assert.equal(server.requests.length, 10)
    assert.ok(
      server.sockets.length <= 2,
      `${server.sockets.length} connections for ten requests one after the other`,
    )
  })

  it('that the server closed meanwhile lose no request', { timeout: 10_000 }, async t => {
    const used = new Set<Socket>()
    const { server, model } = await pair(t, ({ line }, socket) => {
      if (used.has(socket)) socket.resetAndDestroy()
      else socket.write(answer(line))
      used.add(socket)
    })
    assert.equal((await ask(model)).text, 'a')
    assert.equal(await model.version(), '1.2.3')
    assert.equal((await ask(model)).text, 'a')
    assert.ok(server.requests.length > 3, 'a reused connection was reset')
  })

  it('that are new and break are never tried again: the server may be reading the prompt', async t => {
    const { server, model } = await pair(t, (_, socket) => void socket.resetAndDestroy(), {
      retry: { refused: [0, 0], busy: [0] },
    })
    assert.ok((await ask(model)).error)
    assert.equal(server.requests.length, 1)
  })

  it('that have sent a byte are never tried again either', { timeout: 10_000 }, async t => {
    let requests = 0
    const { server, model } = await pair(t, async ({ line }, socket) => {
      requests++
      if (requests === 1) return void socket.write(answer(line))
      socket.end('HTTP/1.1 2')
    })
    await ask(model)
    await model.version().catch(() => {})
    assert.equal(server.requests.length, 2)
  })

  it('that are idle do not keep the process alive', async t => {
    const { server } = await pair(t, ({ line }, socket) => void socket.write(answer(line)))
    const { spawn } = await import('node:child_process')
    const source = `
      import { createOllama } from ${JSON.stringify(new URL('../../src/backends/ollama/ollama.ts', import.meta.url).href)}
      const model = createOllama({ host: ${JSON.stringify(server.host)}, timeout: 10000 })
      for await (const event of model.chat(${JSON.stringify(REQUEST)}, { signal: new AbortController().signal })) {
        if (event.type === 'text') console.log(event.text)
      }`
    const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', data => (printed += data))
    const [code] = await once(child, 'close')
    assert.deepEqual([code, printed], [0, 'a\n'])
  })
})
