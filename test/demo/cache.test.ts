import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WireMessage } from '../../src/protocol/wire.ts'
import { gate, type Step, script } from '../support/demo/reply.ts'
import { type DemoServer, type ServerOptions, startServer } from '../support/demo/server.ts'
import { assistant, called, chat, result, system, user } from './client.ts'

/** Long enough that "nearly nothing" and "nearly everything" cannot be mixed up. */
const rules = (first: string) =>
  system(`${first} ${Array.from({ length: 350 }, (_, rule) => `rule ${rule} applies`).join('. ')}`)
const S = rules('You help.')
const OTHER = rules('We help.')
const options = { num_ctx: 8192 }

async function withServer(
  options: Partial<ServerOptions>,
  use: (server: DemoServer) => Promise<void>,
): Promise<void> {
  const server = await startServer({ model: () => ['Hello', ', I am here.'], ...options })
  try {
    await use(server)
  } finally {
    await server.close()
  }
}

/** Sends messages one request after the other and says what each one read: all, little, or exactly so many tokens. */
async function readings(server: DemoServer, requests: (WireMessage[] | object)[]): Promise<string[]> {
  for (const request of requests) {
    const fields = Array.isArray(request) ? { messages: request } : request
    await chat(server, { messages: [], options, ...fields })
  }
  return server.chats.map(({ prompt = 0, cached = 0, read = 0 }) => {
    assert.equal(cached + read, prompt)
    assert.ok(prompt > 1000)
    return read === 1 ? 'one' : read < 100 ? 'little' : cached < 20 ? 'all' : `${read} of ${prompt}`
  })
}

describe('what is read anew is what the recorded cache table says', () => {
  for (const count of ['chars', 'cl100k'] as const) {
    it(`counting ${count}`, () =>
      withServer({ count }, async server => {
        const told = await readings(server, [
          [S, user('hello')],
          [S, user('hello')],
          [S, user('other words')],
          [OTHER, user('hello')],
          [S, user('hello')],
          { messages: [OTHER], options: { ...options, num_predict: 1 } },
          [OTHER, user('hello')],
          [OTHER, user('hello'), assistant('Hello, I am here.'), user('go on')],
          { messages: [OTHER, user('hello')], options: { num_ctx: 4096 } },
        ])
        assert.deepEqual(told, ['all', 'one', 'little', 'all', 'all', 'all', 'little', 'little', 'all'])
        assert.deepEqual(
          server.chats.map(({ loaded }) => loaded),
          [true, false, false, false, false, false, false, false, true],
        )
        assert.deepEqual(server.violations, [])
      }))
  }
})

it('a reply that is sent back as it was generated is not read again', () =>
  withServer({ model: script(['Hello there, how are you doing today?', 'Fine.']) }, async server => {
    await chat(server, { messages: [S, user('hi')], options })
    await chat(server, {
      messages: [S, user('hi'), assistant('Hello there, how are you doing today?'), user('go on')],
      options,
    })
    const [first, second] = server.chats
    assert.ok((second?.cached ?? 0) > (first?.prompt ?? 0) + 5, `${second?.cached} after ${first?.prompt}`)
  }))

it('a call is written otherwise than it is sent back, so its arguments are read again and nothing before them', () =>
  withServer(
    { model: script([{ calls: [{ name: 'bash', arguments: { command: 'ls' } }] }, 'Done.']) },
    async server => {
      await chat(server, { messages: [S, user('hi')], options })
      await chat(server, {
        messages: [S, user('hi'), called('bash', { command: 'ls' }), result('bash', 'a')],
        options,
      })
      const [first, second] = server.chats
      assert.ok((second?.cached ?? 0) > (first?.prompt ?? 0))
      assert.ok((second?.read ?? 0) < 60)
    },
  ))

it('tools stand in the system block: another order of them is read anew, a late system message too', () =>
  withServer({}, async server => {
    const tool = (name: string) => ({
      type: 'function' as const,
      function: {
        name,
        description: `the ${name} tool`,
        parameters: { type: 'object', properties: {}, required: [] },
      },
    })
    const tools = [tool('bash'), tool('read')]
    const short = system('You help.')
    const read = async (fields: object) => {
      await chat(server, { messages: [short, user('hello')], options, ...fields })
      return server.chats.at(-1)?.read ?? 0
    }
    const cold = await read({ tools })
    assert.equal(await read({ tools }), 1)
    assert.ok((await read({ tools: [...tools].reverse() })) > cold / 2)
    assert.ok((await read({ tools, messages: [short, user('hello'), system('new')] })) > cold / 2)
  }))

it('a request that is aborted while it is read is read to its end, keeps the slot until then, and is not read again', () => {
  const reading = gate()
  const prefill = async () => {
    reading.reach()
    await reading.opened
  }
  return withServer({ prefill }, async server => {
    const abort = new AbortController()
    const first = chat(server, { messages: [S, user('hello')], options }, { signal: abort.signal })
    await reading.reached
    abort.abort()
    await assert.rejects(first)
    const second = chat(server, { messages: [S, user('hello')], options })
    const waiting = await server.chat(1)
    assert.equal(waiting.prompt, undefined, 'the second request must wait for the slot')
    reading.open()
    assert.equal((await second).text, 'Hello, I am here.')
    const [aborted, again] = server.chats
    assert.equal(aborted?.aborted, true)
    assert.equal(aborted?.generated, 0)
    assert.equal(again?.read, 1)
    assert.equal(again?.aborted, false)
  })
})

it('a reply cut in the middle stays in the cache as far as it came, and the words that follow are little to read', () => {
  const held = gate()
  const steps: Step[] = ['one ', 'two ', 'three ', { gate: held }, 'four ', 'five']
  return withServer({ model: script([steps, 'as you wish']) }, async server => {
    const abort = new AbortController()
    const cut = chat(server, { messages: [S, user('count')], options }, { signal: abort.signal })
    await held.reached
    abort.abort()
    await assert.rejects(cut)
    await server.chats[0]?.ended
    const messages = [S, user('count'), assistant('one two three '), user('stop that')]
    await chat(server, { messages, options })
    const [first, second] = server.chats
    assert.equal(first?.generated, 3)
    assert.ok((second?.cached ?? 0) > (first?.prompt ?? 0))
    assert.ok((second?.read ?? 0) < 30)
  })
})

it('a free slot is taken instead of waiting, and each keeps its conversation', () => {
  const held = gate()
  return withServer({ parallel: 2, model: script([[{ gate: held }, 'a'], 'b', 'c']) }, async server => {
    const first = chat(server, { messages: [S, user('hello')], options })
    await held.reached
    await chat(server, { messages: [OTHER, user('hello')], options })
    held.open()
    await first
    await chat(server, { messages: [OTHER, user('hello')], options })
    assert.equal(server.chats[2]?.read, 1)
  })
})
