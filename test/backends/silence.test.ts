import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import type { ModelEvent } from '../../src/backends/backend.ts'
import { createOllama } from '../../src/backends/ollama/ollama.ts'
import { ask, assertSentence, pair, REQUEST } from './asking.ts'
import { chunk, closed, DONE, HEAD, json, LAST_CHUNK, said } from './raw-server.ts'

const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const LOADED = json({ models: [{ name: 'm:latest', size: 1, size_vram: 0 }] })
const OTHERS = json({ models: [{ name: 'other:latest' }] })

/** A server whose chat is silent; /api/ps answers what `ps` gives, look by look. */
function silent(ps: (look: number, chat: Socket) => string, begin = '') {
  let chat: Socket
  let looks = 0
  return ({ line }: { line: string }, socket: Socket) => {
    if (line.endsWith('/chat')) {
      chat = socket
      socket.write(begin)
    } else {
      socket.write(ps(++looks, chat))
    }
  }
}

const notices = (events: ModelEvent[]) =>
  events.flatMap(event => (event.type === 'notice' ? [event.message] : []))
const speak = (chat: Socket) => chat.write(`${CHUNKED}${chunk(said('at last'))}${chunk(DONE)}${LAST_CHUNK}`)

describe('a chat request in which nothing happens', { timeout: 20_000 }, () => {
  it('is told about again and again, with what /api/ps says, and goes on', async t => {
    const serve = silent((look, chat) => {
      if (look === 4) speak(chat)
      return LOADED
    })
    const { server, model } = await pair(t, serve, { timeout: 40 })
    const { events, text, error } = await ask(model)
    assert.deepEqual([text, error], ['at last', undefined])
    const told = notices(events)
    assert.ok(told.length >= 3)
    for (const sentence of told) {
      assert.match(
        sentence,
        /^Nothing has come from http\S+ for [\d.]+ m?s; "m" is loaded there, .* interrupt\.$/,
      )
    }
    assert.ok(events.every(event => event.type !== 'notice' || event.code === 'silence'))
    assert.equal(server.requests.filter(({ line }) => line === 'POST /api/chat').length, 1)
  })

  it('is not given up while a model that was never there may still be loading', async t => {
    const serve = silent((look, chat) => {
      if (look === 6) speak(chat)
      return OTHERS
    })
    const { model } = await pair(t, serve, { timeout: 30 })
    const { events, error } = await ask(model)
    assert.equal(error, undefined)
    assert.match(
      notices(events)[0]!,
      /"m" is not loaded there, so it is still being loaded or waits for room/,
    )
  })

  it('ends when the model is no longer in /api/ps', async t => {
    const { server, model } = await pair(
      t,
      silent(look => (look === 1 ? LOADED : OTHERS)),
      { timeout: 30 },
    )
    const { error } = await ask(model)
    assertSentence(error)
    assert.equal(error.code, 'stream')
    assert.match(error.message, /sent nothing for [\d.]+ m?s and no longer has the model loaded/)
    await closed(server.sockets[0]!)
  })

  it('ends likewise in the middle of an answer', async t => {
    const { model } = await pair(
      t,
      silent(() => OTHERS, CHUNKED + chunk(said('a'))),
      { timeout: 30 },
    )
    const { text, error } = await ask(model)
    assertSentence(error)
    assert.deepEqual([text, error.code], ['a', 'stream'])
  })

  it('survives a model that is missing once, between two loads', async t => {
    const serve = silent((look, chat) => {
      if (look === 6) speak(chat)
      return look % 2 === 0 ? OTHERS : LOADED
    })
    const { model } = await pair(t, serve, { timeout: 30 })
    assert.equal((await ask(model)).error, undefined)
  })

  it('survives a server that does not answer /api/ps, and says that it does not', async t => {
    const serve = silent((look, chat) => {
      if (look === 3) speak(chat)
      return json({ error: 'oh' }, '500 Oh')
    })
    const { model } = await pair(t, serve, { timeout: 30 })
    const { events, error } = await ask(model)
    assert.equal(error, undefined)
    assert.match(notices(events)[0]!, /and it does not say what it has loaded/)
  })

  it('is not silent while bytes drip, even if no line is ever whole', async t => {
    const { model } = await pair(
      t,
      async ({ line }, socket) => {
        if (!line.endsWith('/chat')) return void socket.write(LOADED)
        socket.write(CHUNKED)
        for (const byte of Buffer.from(said('drip').trim())) {
          socket.write(chunk(Uint8Array.of(byte)))
          await new Promise(resolve => setTimeout(resolve, 4))
        }
        socket.write(`${chunk('\n')}${chunk(DONE)}${LAST_CHUNK}`)
      },
      { timeout: 200 },
    )
    const { events, text } = await ask(model)
    assert.equal(text, 'drip')
    assert.deepEqual(notices(events), [])
  })

  it('is not silent while the consumer takes its time, and outlives the model then', async t => {
    const serve = silent(() => OTHERS, CHUNKED + chunk(said('a')))
    const { server, model } = await pair(t, serve, { timeout: 20 })
    const types: string[] = []
    for await (const { type } of model.chat(REQUEST, { signal: new AbortController().signal })) {
      types.push(type)
      await new Promise(resolve => setTimeout(resolve, 100))
      if (type === 'text') server.sockets[0]!.write(`${chunk(DONE)}${LAST_CHUNK}`)
    }
    assert.deepEqual(types, ['text', 'end'])
  })
})

describe('the timeout', { timeout: 20_000 }, () => {
  it('ends a question to a small endpoint that gets no answer, or half of one', async t => {
    for (const begin of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"ver']) {
      const { server, model } = await pair(t, (_, socket) => void socket.write(begin), { timeout: 50 })
      await assert.rejects(model.version(), error => {
        assertSentence(error)
        assert.equal(error.code, 'no_server')
        return /took the connection but did not answer within 50 ms/.test(error.message)
      })
      await server.allClosed()
    }
  })

  it('ends connecting, for chats and questions', async t => {
    // A TLS handshake that is never answered.
    const { server } = await pair(t, () => {})
    const model = createOllama({ host: server.host.replace('http', 'https'), timeout: 50 })
    for (const error of [(await ask(model)).error, await model.version().catch(error => error)]) {
      assertSentence(error)
      assert.equal(error.code, 'no_server')
      assert.match(error.message, /could not be reached within 50 ms/)
    }
    await server.allClosed()
  })
})
