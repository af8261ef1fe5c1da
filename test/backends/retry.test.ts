import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { retryAfter } from '../../src/backends/http/reply.ts'
import { DEFAULT_RETRY } from '../../src/backends/http/retry.ts'
import { createOllama } from '../../src/backends/ollama/ollama.ts'
import { ask, assertSentence, pair, REQUEST } from './asking.ts'
import { DONE, json, said, stream } from './raw-server.ts'

const BUSY = json({ error: 'server busy, please try again.  maximum pending requests exceeded' }, '503 Busy')

/** Waits that are noted instead of waited for. */
function waits(during: (count: number) => void | Promise<void> = () => {}) {
  const waited: number[] = []
  return {
    waited,
    async wait(ms: number) {
      waited.push(ms)
      await during(waited.length)
    },
  }
}

/** A port on which nobody listens, below the range from which other tests get theirs. */
async function freePort(): Promise<number> {
  const server = createServer()
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}

describe('a refused connection', () => {
  it('is tried three times within a second, then the sentence says how to start, install, or do without', async () => {
    const { waited, wait } = waits()
    const model = createOllama({ host: `127.0.0.1:${await freePort()}`, timeout: 1000, wait })
    const { events, error } = await ask(model)
    assertSentence(error)
    assert.equal(error.code, 'no_server')
    for (const words of [model.host, 'ollama serve', 'https://ollama.com/download', 'gopi --demo']) {
      assert.ok(error.message.includes(words), words)
    }
    assert.deepEqual(events, [])
    assert.equal(waited.length, 2)
    assert.ok(waited[0]! + waited[1]! < 1000)
  })

  it('is tried again at the small endpoints too, but not by who asks whether anybody is there', async () => {
    const { waited, wait } = waits()
    const model = createOllama({ host: `127.0.0.1:${await freePort()}`, timeout: 1000, wait })
    for (const question of [() => model.facts('m'), () => model.state('m'), model.models]) {
      await assert.rejects(question(), { code: 'no_server' })
      assert.equal(waited.splice(0).length, 2)
    }
    await assert.rejects(model.version(), { code: 'no_server' })
    assert.deepEqual(waited, [])
  })

  it('is no failure when the server has come up meanwhile', async t => {
    const port = await freePort()
    const server = createServer((_, response) => response.end(said('up') + DONE))
    t.after(() => server.close())
    const { wait } = waits(async count => {
      if (count === 2) await once(server.listen(port, '127.0.0.1'), 'listening')
    })
    const { text, error } = await ask(createOllama({ host: `127.0.0.1:${port}`, timeout: 1000, wait }))
    assert.deepEqual([text, error], ['up', undefined])
    server.closeAllConnections()
  })
})

describe('a busy server', () => {
  for (const status of ['503 Busy', '429 Too Many', '502 Bad Gateway', '504 Gateway Timeout']) {
    it(`(${status}) is asked again after 1, 2, 4 and 8 s, each said, and then is an error`, async t => {
      const { waited, wait } = waits()
      const { server, model } = await pair(
        t,
        (_, socket) => void socket.write(json({ error: 'no room' }, status)),
        {
          retry: DEFAULT_RETRY,
          wait,
        },
      )
      const { events, error } = await ask(model)
      assertSentence(error)
      assert.equal(error.code, 'busy')
      assert.deepEqual(waited, [1000, 2000, 4000, 8000])
      assert.equal(server.requests.length, 5)
      assert.equal(new Set(server.requests.map(({ body }) => body)).size, 1)
      assert.deepEqual(
        events.map(event => (event.type === 'notice' ? `${event.code}: ${event.message}` : event)),
        [1, 2, 4, 8].map(
          seconds =>
            `retry: Ollama at ${server.host} cannot answer now (${status.slice(0, 3)}: "no room"); asking again in ${seconds} s.`,
        ),
      )
    })
  }

  it('that has room at the second time answers, and the person has read one notice', async t => {
    const { wait } = waits()
    const { server, model } = await pair(
      t,
      (_, socket, { requests }) =>
        void socket.write(requests.length === 1 ? BUSY : stream(said('now'), DONE)),
      { retry: DEFAULT_RETRY, wait },
    )
    const { events, text, error } = await ask(model)
    assert.deepEqual([text, error, server.requests.length], ['now', undefined, 2])
    assert.deepEqual(
      events.map(({ type }) => type),
      ['notice', 'text', 'end'],
    )
  })

  it('is given the time it asks for, up to half a minute', async t => {
    const { waited, wait } = waits()
    const asked = ['3', '0', '9999', 'Thu, 01 Jan 1970 00:00:00 GMT']
    const { model } = await pair(
      t,
      (_, socket, { requests }) => {
        const after = asked[requests.length - 1]
        socket.write(BUSY.replace('\r\n', after === undefined ? '\r\n' : `\r\nRetry-After: ${after}\r\n`))
      },
      { retry: DEFAULT_RETRY, wait },
    )
    await ask(model)
    assert.deepEqual(waited, [3000, 2000, 30_000, 8000])
  })

  it('is told from one that refuses for good: no other status is asked again', async t => {
    for (const status of ['400 Bad', '401 No', '403 No', '404 No', '408 Late', '500 Oh', '501 What']) {
      const { waited, wait } = waits()
      const { server, model } = await pair(
        t,
        (_, socket) => void socket.write(json({ error: 'x' }, status)),
        {
          retry: DEFAULT_RETRY,
          wait,
        },
      )
      assertSentence((await ask(model)).error)
      assert.deepEqual([status, waited.length, server.requests.length], [status, 0, 1])
    }
  })

  it('in the middle of a stream is not asked again: the prompt was read', async t => {
    const { waited, wait } = waits()
    const { server, model } = await pair(
      t,
      (_, socket) => void socket.write(stream(said('a'), '{"error":"server busy, please try again"}\n')),
      { retry: DEFAULT_RETRY, wait },
    )
    const { error } = await ask(model)
    assertSentence(error)
    assert.deepEqual([error.code, waited.length, server.requests.length], ['busy', 0, 1])
  })
})

describe('what is never sent twice', () => {
  it('is a prompt that the server had taken, however the connection broke', async t => {
    const { waited, wait } = waits()
    for (const bytes of ['', 'HTTP/1.1 200 OK\r\n', stream(said('a')).slice(0, -9)]) {
      const { server, model } = await pair(t, (_, socket) => void socket.end(bytes), {
        retry: DEFAULT_RETRY,
        wait,
      })
      assertSentence((await ask(model, REQUEST)).error)
      assert.equal(server.requests.length, 1)
    }
    assert.deepEqual(waited, [])
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const rows: [header: string | undefined, ms: number | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['0', 0],
    [' 7 ', 7000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Thu, 01 Jan 2015 00:00:05 GMT', 0],
  ]
  for (const [header, ms] of rows) {
    it(`${JSON.stringify(header)} is ${ms} ms`, () => assert.equal(retryAfter(header, now), ms))
  }
})
