import assert from 'node:assert/strict'
import http from 'node:http'
import { describe, it } from 'node:test'
import { gate, script } from '../support/demo/reply.ts'
import { type DemoServer, type ServerOptions, startServer } from '../support/demo/server.ts'
import { assistant, called, chat, type Line, result, system, user } from './client.ts'

const messages = [system('You help.'), user('hello')]

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

/** A request with any method and Host header. */
function raw(server: DemoServer, options: { path: string; method?: string; host?: string; body?: string }) {
  return new Promise<{ status: number | undefined; type: string | undefined; text: string }>(
    (resolve, reject) => {
      const { path, method = 'GET', host, body } = options
      const headers = host === undefined ? {} : { host }
      const request = http.request(
        { port: server.port, path, method, headers, agent: false },
        async response => {
          let text = ''
          for await (const piece of response) text += piece
          resolve({ status: response.statusCode, type: response.headers['content-type'], text })
        },
      )
      request.on('error', reject)
      request.end(body)
    },
  )
}

async function loaded(
  server: DemoServer,
): Promise<{ name: string; context_length: number; expires_at: string }[]> {
  return JSON.parse((await raw(server, { path: '/api/ps' })).text).models
}

describe('what is no endpoint is answered as gin does', () => {
  const plain = 'text/plain'
  const cases: [string, Parameters<typeof raw>[1], number, string | undefined, string][] = [
    ['the root', { path: '/' }, 200, 'text/plain; charset=utf-8', 'Ollama is running'],
    ['the root asked by HEAD', { path: '/', method: 'HEAD' }, 200, 'text/plain; charset=utf-8', ''],
    ['an unknown path', { path: '/api/nothing' }, 404, plain, '404 page not found'],
    ['a wrong method', { path: '/api/chat' }, 405, plain, '405 method not allowed'],
    ['a foreign host', { path: '/api/version', host: 'evil.example' }, 403, undefined, ''],
    ['a foreign host with a port', { path: '/', host: 'evil.example:11434' }, 403, undefined, ''],
    ['a public address', { path: '/', host: '8.8.8.8' }, 403, undefined, ''],
  ]
  for (const [name, options, status, type, text] of cases) {
    it(name, () =>
      withServer({}, async server => {
        assert.deepEqual(await raw(server, options), { status, type, text })
      }),
    )
  }

  for (const host of [
    'localhost',
    'localhost:11434',
    '127.0.0.1:1',
    '[::1]:80',
    'box.local',
    '192.168.1.5',
  ]) {
    it(`${host} is no foreign host`, () =>
      withServer({}, async server => {
        assert.equal((await raw(server, { path: '/api/version', host })).status, 200)
      }))
  }
})

describe('a body that Ollama would not take is refused in its words', () => {
  const chatWith = (fields: object) => JSON.stringify({ model: 'demo', messages, ...fields })
  const cases: [string, string, number, string | RegExp][] = [
    ['nothing', '', 400, 'missing request body'],
    ['cut short', '{"model": "demo", "mess', 400, 'unexpected EOF'],
    ['no JSON', '{model}', 400, "invalid character 'm' looking for beginning of object key string"],
    ['no JSON at all', 'model', 400, "invalid character 'm' looking for beginning of value"],
    ['a list', '[]', 400, /cannot unmarshal array into Go value/],
    ['no model', chatWith({ model: '' }), 400, 'model is required'],
    ['a model name that is none', chatWith({ model: 'a b' }), 400, 'invalid model name'],
    [
      'a model that is a number',
      chatWith({ model: 7 }),
      400,
      /cannot unmarshal number into .*ChatRequest.model of type string/,
    ],
    [
      'messages that are text',
      chatWith({ messages: 'x' }),
      400,
      /ChatRequest.messages of type \[\]api.Message/,
    ],
    [
      'content that is a list',
      chatWith({ messages: [{ role: 'user', content: [] }] }),
      400,
      /cannot unmarshal array/,
    ],
    ['keep_alive without a unit', chatWith({ keep_alive: '-1' }), 400, 'time: missing unit in duration "-1"'],
    ['keep_alive that is none', chatWith({ keep_alive: 'soon' }), 400, 'time: invalid duration "soon"'],
    ['a think value', chatWith({ think: 'x' }), 400, /^invalid think value: "x" \(must be/],
    [
      'options of a wrong type',
      chatWith({ options: { num_ctx: '8' } }),
      500,
      'option "num_ctx" must be of type integer',
    ],
    [
      'a format that is none',
      chatWith({ format: 'yaml' }),
      500,
      /^invalid format: "\\"yaml\\""; expected "json"/,
    ],
    ['a missing model', chatWith({ model: 'other' }), 404, "model 'other' not found"],
    [
      'tools it cannot use',
      chatWith({ model: 'plain:8b', tools: [{}] }),
      400,
      'registry.ollama.ai/library/plain:8b does not support tools',
    ],
    ['thinking it cannot do', chatWith({ think: true }), 400, '"demo" does not support thinking'],
    ['an embedding model', chatWith({ model: 'embed' }), 400, '"embed" does not support chat'],
  ]
  const models = [
    'demo',
    { name: 'plain:8b', capabilities: ['completion'] },
    { name: 'embed', capabilities: ['embedding'] },
  ]
  for (const [name, body, status, error] of cases) {
    it(name, () =>
      withServer({ models }, async server => {
        const answer = await raw(server, { path: '/api/chat', method: 'POST', body })
        assert.equal(answer.status, status)
        // The one error that comes from where a runner is started.
        const isPlain = name === 'a format that is none'
        assert.equal(answer.type, isPlain ? 'application/json' : 'application/json; charset=utf-8')
        const told = JSON.parse(answer.text).error
        if (typeof error === 'string') assert.equal(told, error)
        else assert.match(told, error)
      }),
    )
  }
})

describe('a reply', () => {
  const reply = async (options: Partial<ServerOptions>, fields: object = {}) => {
    let lines: Line[] = []
    await withServer(options, async server => {
      lines = (await chat(server, { messages, ...fields })).lines
    })
    return lines
  }
  const texts = (lines: Line[]) => lines.map(line => line.message?.content)

  it('ends before a stop sequence that comes in pieces, and holds nothing else back', async () => {
    const model = script([['say ', 'Obs', 'erve ', 'Obs', 'ervation', ': no', ' more']])
    const lines = await reply({ model }, { options: { stop: ['Observation:'] } })
    assert.deepEqual(texts(lines), ['say ', 'Observe ', ''])
    assert.equal(lines.at(-1)?.eval_count, 6)
    assert.equal(lines.at(-1)?.done_reason, 'stop')
  })

  it('gives what looked like a stop sequence when the text ends', async () => {
    assert.deepEqual(
      texts(await reply({ model: script([['a', 'Obs']]) }, { options: { stop: ['Observation:'] } })),
      ['a', 'Obs', ''],
    )
  })

  it('gives it when the tokens are used up, too', async () => {
    const options = { stop: ['Observation:'], num_predict: 2 }
    assert.deepEqual(texts(await reply({ model: script([['a', 'Obs', 'x']]) }, { options })), [
      'a',
      'Obs',
      '',
    ])
  })

  it('of no tokens wanted is unlimited, of two is two', async () => {
    const model = () => ['a', 'b', 'c']
    assert.deepEqual(texts(await reply({ model }, { options: { num_predict: 0 } })), ['a', 'b', 'c', ''])
    const two = await reply({ model }, { options: { num_predict: 2 } })
    assert.deepEqual(texts(two), ['a', 'b', ''])
    assert.equal(two.at(-1)?.done_reason, 'length')
  })

  it('stops for length when the context is full and may not be shifted', async () => {
    const model = () => ({ text: Array.from({ length: 600 }, (_, index) => ` w${index}`) })
    const lines = await reply({ model }, { shift: false, options: { num_ctx: 64 } })
    const { done_reason, prompt_eval_count = 0, eval_count = 0 } = lines.at(-1) ?? {}
    assert.deepEqual([done_reason, prompt_eval_count + eval_count], ['length', 64])
  })

  it('carries its calls in the last chunk when it is told to', async () => {
    const calls = [{ name: 'bash', arguments: { command: 'ls' } }]
    const lines = await reply({ model: script([{ text: ['I look.'], calls, callsAtEnd: true }]) })
    assert.equal(lines.length, 2)
    assert.deepEqual(lines[1]?.message?.tool_calls?.[0]?.function, { index: 0, ...calls[0] })
    assert.equal(lines[1]?.done, true)
    assert.match(lines[1]?.message?.tool_calls?.[0]?.id ?? '', /^call_[a-z0-9]{8}$/)
  })

  it('thinks only when it is asked to', async () => {
    const options = {
      model: () => ({ thinking: ['hm'], text: ['yes'] }),
      capabilities: ['completion', 'thinking'],
    }
    const thoughts = (lines: Line[]) => lines.map(line => line.message?.thinking).join('')
    assert.equal(thoughts(await reply(options, { think: true })), 'hm')
    assert.equal(thoughts(await reply(options, { think: undefined })), 'hm')
    assert.equal(thoughts(await reply(options, { think: false })), '')
  })

  it('may fail, end without a final record, end in an error line, or be cut', async () => {
    const busy = 'server busy, please try again.  maximum pending requests exceeded'
    const failed = await reply({ model: script([{ failure: { status: 503, error: busy } }]) })
    assert.deepEqual(failed, [{ error: busy }])
    assert.deepEqual(texts(await reply({ model: script([{ text: ['a'], end: 'no-done' }]) })), ['a'])
    assert.equal((await reply({ model: script([['a', { error: 'boom' }]]) })).at(-1)?.error, 'boom')
    await assert.rejects(reply({ model: script([['a', { cut: true }]]) }), /terminated/)
  })

  it('that the script does not have, or fails to give, is an error and a violation', () => {
    const wrong = () => {
      throw new Error('I was sent the wrong thing')
    }
    return withServer({ model: script([wrong]) }, async server => {
      assert.equal((await chat(server, { messages })).status, 500)
      assert.equal((await chat(server, { messages })).status, 500)
      assert.deepEqual(server.violations, [
        'request 0, the script of the demo model failed: I was sent the wrong thing',
        'request 1, the script of the demo model failed: it has no reply for this request',
      ])
    })
  })

  it('with stream off is one object', () =>
    withServer(
      { model: script([{ text: ['a', 'b'], calls: [{ name: 'x', arguments: {} }] }]) },
      async server => {
        const { lines } = await chat(server, { messages, stream: false })
        assert.equal(lines.length, 1)
        assert.equal(lines[0]?.message?.content, 'ab')
        assert.equal(lines[0]?.message?.tool_calls?.length, 1)
      },
    ))

  it('answers a prewarm without taking a reply from the script', () =>
    withServer({ model: script(['the one']) }, async server => {
      const warm = await chat(server, { messages: [system('You help.')], options: { num_predict: 1 } })
      assert.equal(warm.lines.at(-1)?.done_reason, 'length')
      assert.equal((await chat(server, { messages })).text, 'the one')
      assert.deepEqual(server.violations, [])
    }))
})

describe('the context', () => {
  const long = system('word '.repeat(2000))

  it('refuses what is too long when nothing may be cut', () =>
    withServer({}, async server => {
      const answer = await chat(server, { messages: [long, user('x')], options: { num_ctx: 2048 } })
      assert.deepEqual(
        [answer.status, answer.lines],
        [400, [{ error: 'the input length exceeds the context length' }]],
      )
    }))

  it('loses the oldest messages silently otherwise, and never the system message', () =>
    withServer({}, async server => {
      const old = [user('old '.repeat(900)), assistant('older '.repeat(800))]
      const fields = { truncate: undefined, options: { num_ctx: 1024 } }
      await chat(server, { messages: [system('You help.'), ...old, user('new')], ...fields })
      await chat(server, { messages: [system('You help.'), user('new')], ...fields })
      assert.equal(server.chats[0]?.prompt, server.chats[1]?.prompt)
    }))
})

describe('the queue', () => {
  it('is served in order of arrival, one at a time', () => {
    const held = gate()
    return withServer({ model: script([[{ gate: held }, 'first'], 'second', 'third']) }, async server => {
      const answers = [0, 1, 2].map(async index => {
        if (index > 0) await server.chat(index - 1)
        return (await chat(server, { messages })).text
      })
      await server.chat(2)
      await held.reached
      assert.deepEqual(
        server.chats.map(({ prompt }) => prompt !== undefined),
        [true, false, false],
      )
      held.open()
      assert.deepEqual(await Promise.all(answers), ['first', 'second', 'third'])
    })
  })

  it('is left at once by a client that goes away', () => {
    const held = gate()
    return withServer({ model: script([[{ gate: held }, 'first'], 'third']) }, async server => {
      const first = chat(server, { messages })
      await held.reached
      const abort = new AbortController()
      const second = chat(server, { messages }, { signal: abort.signal })
      const waiting = await server.chat(1)
      abort.abort()
      await assert.rejects(second)
      await waiting.ended
      assert.deepEqual([waiting.aborted, waiting.prompt], [true, undefined])
      const third = chat(server, { messages })
      held.open()
      assert.deepEqual([(await first).text, (await third).text], ['first', 'third'])
    })
  })

  it('closes with requests in it', async () => {
    const server = await startServer({ model: () => [{ hang: true }] })
    const requests = [0, 1].map(() => chat(server, { messages }))
    await server.chat(1)
    await Promise.all([server.close(), ...requests.map(request => assert.rejects(request))])
    assert.deepEqual(
      server.chats.map(({ aborted }) => aborted),
      [false, false],
    )
  })
})

describe('loading', () => {
  it('happens once for requests that come together, and for a changed runner option, but not for a sampling one', () => {
    let loads = 0
    const load = async () => void loads++
    return withServer({ load }, async server => {
      const ask = (options: object) => chat(server, { messages, options: { num_ctx: 2048, ...options } })
      await Promise.all([ask({}), ask({})])
      assert.equal(loads, 1)
      for (const options of [
        { temperature: 0 },
        { stop: ['x'] },
        { num_gpu: -1 },
        { seed: 1, num_predict: 9 },
      ])
        await ask(options)
      assert.equal(loads, 1)
      for (const options of [{ num_ctx: 1024 }, {}, { num_batch: 64 }, { num_thread: 2 }]) await ask(options)
      assert.equal(loads, 5)
    })
  })

  it('goes on when the client that wanted it goes away', () => {
    const loading = gate()
    const load = async () => {
      loading.reach()
      await loading.opened
    }
    return withServer({ load }, async server => {
      const abort = new AbortController()
      const first = chat(server, { messages }, { signal: abort.signal })
      await loading.reached
      assert.deepEqual(await loaded(server), [])
      abort.abort()
      await assert.rejects(first)
      await server.chats[0]?.ended
      loading.open()
      await chat(server, { messages })
      assert.deepEqual(
        server.chats.map(({ aborted, loaded }) => [aborted, loaded]),
        [
          [true, undefined],
          [false, false],
        ],
      )
    })
  })

  it('of another context waits for the request that runs', () => {
    const held = gate()
    return withServer({ model: script([[{ gate: held }, 'first'], 'second']) }, async server => {
      const first = chat(server, { messages, options: { num_ctx: 2048 } })
      await held.reached
      const second = chat(server, { messages, options: { num_ctx: 1024 } })
      await server.chat(1)
      assert.equal((await loaded(server))[0]?.context_length, 2048)
      held.open()
      assert.deepEqual([(await first).text, (await second).text], ['first', 'second'])
      assert.equal((await loaded(server))[0]?.context_length, 1024)
    })
  })

  it('by an empty request, unloading by keep_alive 0, and what ps says meanwhile', () =>
    withServer({ contextLength: 2048 }, async server => {
      const ask = async (fields: object) => (await chat(server, { messages: [], ...fields })).lines
      assert.equal((await ask({}))[0]?.done_reason, 'load')
      assert.deepEqual(
        (await loaded(server)).map(({ name, context_length }) => [name, context_length]),
        [['demo:latest', 2048]],
      )
      assert.equal((await ask({ keep_alive: 0 }))[0]?.done_reason, 'unload')
      assert.deepEqual(await loaded(server), [])
      assert.equal((await ask({ messages, keep_alive: 0 })).at(-1)?.done_reason, 'stop')
      await server.chats[0]?.ended
      assert.deepEqual(await loaded(server), [])
      assert.equal(server.chats.length, 1)
    }))

  it('lasts as long as the last keep_alive that was given', () =>
    withServer({}, async server => {
      const left = async () =>
        Math.round((Date.parse((await loaded(server))[0]?.expires_at ?? '') - Date.now()) / 60_000)
      await chat(server, { messages })
      assert.equal(await left(), 5)
      await chat(server, { messages, keep_alive: '1h30m' })
      assert.equal(await left(), 90)
      await chat(server, { messages })
      assert.equal(await left(), 90)
      await chat(server, { messages, keep_alive: 600 })
      assert.equal(await left(), 10)
      await chat(server, { messages, keep_alive: -1 })
      assert.ok((await left()) > 60 * 24 * 365)
    }))

  it('is over when keep_alive has passed', () =>
    withServer({}, async server => {
      await chat(server, { messages, keep_alive: '20ms' })
      while ((await loaded(server)).length > 0);
      await chat(server, { messages })
      assert.equal(server.chats[1]?.loaded, true)
    }))
})

describe('violations of the history', () => {
  const S = system('s')
  const cases: [string, Parameters<typeof chat>[1]['messages'], RegExp | undefined][] = [
    [
      'none',
      [S, user('a'), assistant('b'), user('c'), called('x', {}), result('x', '1'), user('d')],
      undefined,
    ],
    ['none after a rescued call', [S, user('a'), assistant('<x>'), result('x', '1')], undefined],
    ['no system message', [user('a')], /first message is not the system/],
    ['a late system message', [S, user('a'), system('b')], /a system message after the first/],
    ['users in a row', [S, user('a'), user('b')], /two user messages in a row/],
    [
      'assistants in a row',
      [S, user('a'), assistant('b'), assistant('c'), user('d')],
      /two assistant messages/,
    ],
    ['an empty assistant', [S, user('a'), assistant(''), user('d')], /an empty assistant message/],
    [
      'a result that is missing',
      [S, user('a'), called('x', {}), user('d')],
      /1 tool calls are followed by 0/,
    ],
    [
      'a result of another tool',
      [S, user('a'), called('x', {}), result('y', '1')],
      /of x is followed by a result of y/,
    ],
    ['a result without a call', [S, user('a'), result('y', '1')], /answers no call/],
    ['nothing to answer', [S, user('a'), assistant('b')], /the last message is an assistant/],
  ]
  for (const [name, messages, wanted] of cases) {
    it(name, () =>
      withServer({}, async server => {
        await chat(server, { messages })
        if (wanted) assert.match(server.violations.join('\n'), wanted)
        else assert.deepEqual(server.violations, [])
      }),
    )
  }
})
