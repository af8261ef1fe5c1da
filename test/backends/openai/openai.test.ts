import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { createOpenAi } from '../../../src/backends/openai/openai.ts'
import { RunError } from '../../../src/protocol/errors.ts'
import { ask, assertSentence, REQUEST } from '../asking.ts'
import { json, type RawRequest } from '../raw-server.ts'
import { DONE, pair, said, whole } from './asking.ts'

const bodyOf = ({ body }: RawRequest) => JSON.parse(body) as Record<string, unknown>
const error = (message: string, more: object = {}) => ({ error: { message, ...more } })
const OK = whole(said('hi'), DONE)

test('a request in its own words: calls, results, images, a schema, the conversation', async t => {
  const { server, model } = await pair(t, (_, socket) => void socket.end(OK), {
    api_key: 'sk-secret',
    headers: { 'X-Team': 'blue' },
    conversation_header: 'X-Session-ID',
  })
  const { text, error } = await ask(model, {
    ...REQUEST,
    messages: [
      { role: 'user', content: 'look', images: ['iVBORw0KGgo='] },
      {
        role: 'assistant',
        content: '',
        thinking: 'hm',
        tool_calls: [{ id: 'a', function: { name: 'read', arguments: { path: 'x' } } }],
      },
      { role: 'tool', content: 'of x', tool_name: 'read', tool_call_id: 'a' },
    ],
    format: { type: 'object' },
    think: 'high',
    most: 1,
    stop: ['Observation:'],
    conversation: 'abc',
  })
  assert.deepEqual([text, error], ['hi', undefined])
  const [request] = server.requests
  assert.equal(request?.line, 'POST /v1/chat/completions')
  assert.match(request?.head ?? '', /^authorization: bearer sk-secret$/im)
  assert.match(request?.head ?? '', /^x-team: blue$/im)
  assert.match(request?.head ?? '', /^x-session-id: abc$/im)
  assert.deepEqual(bodyOf(request!), {
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    prompt_cache_key: 'abc',
    reasoning_effort: 'high',
    stop: ['Observation:'],
    max_tokens: 1,
    response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: { type: 'object' } } },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: '',
        reasoning_content: 'hm',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'of x' },
    ],
  })
})

test('a field that a server refuses by its name is left out, now and at the next start', async t => {
  const kept = new Map<string, object>()
  const memory = {
    recall: (key: string) => kept.get(key),
    keep: (key: string, value: object) => void kept.set(key, value),
  }
  const refuse = ['prompt_cache_key', 'json_schema', 'reasoning_effort']
  const { server, model } = await pair(
    t,
    ({ body }, socket) => {
      const field = refuse.find(name => body.includes(`"${name}"`))
      if (field)
        socket.write(
          json({ detail: [{ msg: 'Extra inputs are not permitted', loc: ['body', field] }] }, '422 No'),
        )
      else socket.end(OK)
    },
    { memory },
  )
  const request = { ...REQUEST, conversation: 'abc', format: { type: 'object' } }
  assert.equal((await ask(model, request)).text, 'hi')
  assert.equal(server.requests.length, 4)
  const last = bodyOf(server.requests.at(-1)!)
  assert.deepEqual(last.response_format, { type: 'json_object', schema: { type: 'object' } })
  assert.equal((await ask(model, request)).text, 'hi')
  const anew = createOpenAi({ name: 'lab', base_url: `${server.host}/v1`, timeout: 1000, memory })
  assert.equal((await ask(anew, request)).text, 'hi')
  assert.equal(server.requests.length, 6)

  // Thinking that was asked for is not left out in silence.
  kept.clear()
  const asked = createOpenAi({ name: 'lab', base_url: `${server.host}/v1`, timeout: 1000 })
  const { error } = await ask(asked, { ...REQUEST, think: 'high' })
  assertSentence(error)
  assert.equal(error.remedy, 'no_thinking')
})

const KEY = 'sk-very-secret-key'
const REFUSALS: [status: string, body: unknown, code: string, words: RegExp, remedy?: string][] = [
  [
    '401 No',
    error(`Incorrect API key provided: ${KEY}`),
    'no_server',
    /Incorrect API key provided: •••.*: set a key that it accepts: providers\.lab\.api_key, such as \$\{OPENAI_API_KEY\}/,
  ],
  ['403 No', error('Forbidden'), 'no_server', /set a key/],
  ['402 Pay', error('Insufficient Balance'), 'no_server', /has to be paid up/],
  [
    '429 No',
    error('You exceeded your current quota', { code: 'insufficient_quota' }),
    'no_server',
    /has to be paid up/,
  ],
  ['429 Slow', error('Rate limit reached for requests'), 'busy', /you have asked more than it allows/],
  [
    '404 No',
    error('The model `m` does not exist.', { code: 'model_not_found' }),
    'no_model',
    /"m" is not there; choose another with --model/,
  ],
  [
    '404 No',
    { detail: 'Not Found' },
    'no_server',
    /nothing there speaks chat completions; check providers\.lab .*\/v1/,
  ],
  ['405 No', '', 'no_server', /nothing there speaks chat completions/],
  ['413 Big', 'too big', 'context', /larger than it takes; compact/],
  [
    '400 Bad',
    error("This model's maximum context length is 4096 tokens. However, you requested 5000"),
    'context',
    /no longer fits into the context of "m"/,
  ],
  ['400 Bad', error('Requested tokens (900) exceed context window of 512'), 'context', /no longer fits/],
  [
    '400 Bad',
    error('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    'no_tools',
    /takes no tools from the server; use --tool-calling react/,
    'no_tools',
  ],
  ['500 Oh', error('tools param requires --jinja flag'), 'no_tools', /takes no tools/, 'no_tools'],
  ['500 Oh', error('CUDA out of memory'), 'memory', /does not fit into the memory/],
  ['500 Oh', 'Internal Server Error', 'stream', /\(500: "Internal Server Error"\): ask again/],
  ['502 Bad', '', 'busy', /cannot reach it/],
  ['503 No', { detail: 'Service Unavailable' }, 'busy', /"Service Unavailable"\): it has too much to do/],
  [
    '529 Full',
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'busy',
    /too much to do/,
  ],
  ['422 No', { detail: [{ msg: 'Field required' }, { msg: 'Wrong' }] }, 'stream', /"Field required, Wrong"/],
]

for (const [status, body, code, words, remedy] of REFUSALS) {
  test(`${status}: ${JSON.stringify(body).slice(0, 60)}`, async t => {
    const { server, model } = await pair(t, (_, socket) => void socket.write(json(body, status)), {
      api_key: KEY,
    })
    const { error } = await ask(model)
    assertSentence(error)
    assert.match(error.message, words)
    assert.deepEqual([error.code, error.remedy], [code, remedy])
    assert.match(error.message, /^The server at http:/)
    const everything = JSON.stringify([error.told, error.stack, String((error.cause as Error).message)])
    assert.ok(!everything.includes(KEY))
    assert.equal(server.requests.length, 1)
  })
}

test('who is busy is asked again when it says, who is unpaid is not', async t => {
  const waits: number[] = []
  let busy = 2
  const { server, model } = await pair(
    t,
    (_, socket) => void socket.write(busy-- > 0 ? json(error('slow down'), '429 No\r\nRetry-After: 7') : OK),
    {
      retry: { refused: [], busy: [10, 20] },
      wait: async ms => void waits.push(ms),
    },
  )
  const { events, text } = await ask(model)
  assert.equal(text, 'hi')
  assert.deepEqual(waits, [7000, 7000])
  assert.match(JSON.stringify(events[0]), /The server at .* cannot answer now .*429.*asking again in 7 s/)
  assert.equal(server.requests.length, 3)

  const poor = await pair(t, (_, socket) => void socket.end(json(error('insufficient_quota'), '429 No')), {
    retry: { refused: [], busy: [1, 1] },
  })
  assertSentence((await ask(poor.model)).error)
  assert.equal(poor.server.requests.length, 1)
})

test('models and their context, as each kind of server tells it', async t => {
  const rows: [models: object, props: object | undefined, context: number | undefined][] = [
    [{ data: [{ id: 'm', max_model_len: 4096 }] }, undefined, 4096],
    [{ data: [{ id: 'other' }, { id: 'm', context_length: 8192 }] }, undefined, 8192],
    [{ data: [{ id: 'm', max_context_length: 100, loaded_context_length: 50 }] }, undefined, 50],
    [{ data: [{ id: 'm', context_window: 77 }] }, undefined, 77],
    [
      { data: [{ id: '/models/m.gguf', owned_by: 'llamacpp', meta: { n_ctx: 9 } }] },
      { default_generation_settings: { n_ctx: 512 } },
      512,
    ],
    [{ data: [{ id: 'm', owned_by: 'llamacpp', meta: { n_ctx: 9 } }] }, undefined, 9],
    [{ data: [{ id: 'm' }] }, undefined, undefined],
  ]
  for (const [models, props, context] of rows) {
    const { server, model } = await pair(t, ({ line }, socket) => {
      if (line === 'GET /v1/models') socket.end(json(models))
      else socket.end(line === 'GET /props' && props ? json(props) : json({ detail: 'no' }, '404 No'))
    })
    const facts = await model.facts('m')
    assert.deepEqual(facts, { capabilities: [], trained_context: context }, JSON.stringify(models))
    const asked = server.requests.length
    const untold = await model.shortfall?.('m', 32_768)
    assert.equal(
      untold?.message.startsWith('lab does not tell how long'),
      context === undefined ? true : undefined,
    )
    assert.equal(server.requests.length, asked)
  }
  const { server, model } = await pair(t, (_, socket) => void socket.end(json({ data: [{ id: 'a' }] })), {
    models: { a: {}, m: { context: 100 } },
  })
  assert.equal((await model.facts('m')).trained_context, 100)
  assert.equal(server.requests.length, 0)
  assert.deepEqual(await model.models(), [{ name: 'a' }, { name: 'm' }])
  const stranger = await pair(t, (_, socket) => void socket.end(json({ hello: 1 })))
  await assert.rejects(stranger.model.models(), /does not answer as an OpenAI-compatible server does/)
  for (const base_url of ['lab', 'ftp://lab/v1', ''])
    assert.throws(() => createOpenAi({ name: 'lab', base_url, timeout: 1 }), RunError)
})

test('a stopped request is over at once, and so is its connection', async t => {
  const controller = new AbortController()
  const { server, model } = await pair(t, () => controller.abort('user'))
  const { error } = await ask(model, REQUEST, controller.signal)
  assert.equal(error, 'user')
  await server.allClosed()
})

test('through a proxy the whole address is asked for, with the proxy’s own login', async t => {
  const seen: string[] = []
  const proxy = createServer((request, response) => {
    seen.push(
      `${request.method} ${request.url} ${request.headers.host} ${request.headers['proxy-authorization']}`,
    )
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(said('hi') + DONE)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.close())
  const { port } = proxy.address() as AddressInfo
  const model = createOpenAi({
    name: 'lab',
    base_url: 'http://lab.invalid:8000/v1',
    proxy: `http://me:pass@127.0.0.1:${port}`,
    timeout: 1000,
  })
  t.after(() => model.close?.())
  assert.equal((await ask(model)).text, 'hi')
  assert.deepEqual(seen, [
    'POST http://lab.invalid:8000/v1/chat/completions lab.invalid:8000 Basic bWU6cGFzcw==',
  ])
})

const tls = (name: string) => path.join(import.meta.dirname, '../../fixtures/tls', name)

/** A server of chat completions behind TLS, with a certificate that nobody knows, and a proxy that makes tunnels. */
async function behindProxy(t: TestContext, { isRefused = false } = {}) {
  const seen: string[] = []
  const options = { key: readFileSync(tls('key.pem')), cert: readFileSync(tls('cert.pem')) }
  const server = createSecureServer(options, (_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(said('hi') + DONE),
  )
  const proxy = createServer().on('connect', (request, socket) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`)
    socket.on('error', () => {})
    if (isRefused) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const tunnel = connect(portOf(server), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(tunnel).pipe(socket)
    })
    return tunnel.on('error', () => socket.destroy())
  })
  for (const one of [server, proxy]) {
    await new Promise<void>(resolve => one.listen(0, '127.0.0.1', resolve))
    t.after(() => one.close())
  }
  return { seen, port: portOf(server), proxy: `http://me:pass@127.0.0.1:${portOf(proxy)}` }
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

test('TLS goes through a tunnel, and a certificate counts that the configuration names', async t => {
  const { seen, port, proxy } = await behindProxy(t)
  const there = { name: 'lab', base_url: 'https://lab.invalid:8000/v1', proxy, timeout: 5000 }
  const model = createOpenAi({ ...there, ca: tls('cert.pem') })
  t.after(() => model.close?.())
  assert.equal((await ask(model)).text, 'hi')
  assert.deepEqual(seen, ['CONNECT lab.invalid:8000 Basic bWU6cGFzcw=='])

  const wary = createOpenAi(there)
  t.after(() => wary.close?.())
  const { error } = await ask(wary)
  assertSentence(error)
  assert.equal((error as RunError).code, 'no_server')

  const straight = createOpenAi({
    ...{ name: 'lab', base_url: `https://127.0.0.1:${port}/v1`, timeout: 5000 },
    ca: tls('cert.pem'),
  })
  t.after(() => straight.close?.())
  assert.equal((await ask(straight)).text, 'hi')
})

test('a proxy that makes no tunnel, and certificates that cannot be read, are told in a sentence', async t => {
  const { proxy } = await behindProxy(t, { isRefused: true })
  const there = { name: 'lab', base_url: 'https://lab.invalid:8000/v1', timeout: 5000 }
  for (const way of [{ proxy }, { ca: tls('none.pem') }]) {
    const model = createOpenAi({ ...there, ...way })
    t.after(() => model.close?.())
    const { error } = await ask(model)
    assertSentence(error)
    assert.match((error as RunError).message, 'proxy' in way ? /proxy answered 407/ : /none\.pem/)
  }
})
