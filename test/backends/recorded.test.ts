import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChatRequest, ModelEvent } from '../../src/backends/backend.ts'
import type { WireTool } from '../../src/protocol/wire.ts'
import { ask, assertSentence, pair, REQUEST, watchConsole } from './asking.ts'
import { chunk, LAST_CHUNK } from './raw-server.ts'
import { type Recorded, readRecordings } from './recordings.ts'

const recordings = readRecordings()

/** The recorded answer, byte for byte, each line in a chunk of its own. */
function replay({ status, type, lines }: Recorded): Buffer {
  const head = `HTTP/1.1 ${status} Recorded\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const body = lines.map(({ line }) => chunk(`${line}\n`))
  return Buffer.concat([Buffer.from(head), ...body, Buffer.from(LAST_CHUNK)])
}

const text = (...texts: string[]): ModelEvent[] => texts.map(text => ({ type: 'text', text }))
const thinking = (...texts: string[]): ModelEvent[] => texts.map(text => ({ type: 'thinking', text }))
const call = (id: string, name: string, args: Record<string, unknown>): ModelEvent => ({
  type: 'call',
  id,
  name,
  arguments: args,
})

/** Text, thinking and calls, and how it ended. */
const ANSWERS: Record<string, [ModelEvent[], 'stop' | 'length']> = {
  'tool-call': [[call('call_4thn5n0v', 'bash', { command: 'echo hi' })], 'stop'],
  'two-tool-calls': [
    [call('call_5xueearv', 'read', { path: 'a.txt' }), call('call_atix6nr8', 'read', { path: 'b.txt' })],
    'stop',
  ],
  'text-then-tool-call': [
    [...text('I will', ' look', ' first.\n'), call('call_35i8qkg1', 'bash', { command: 'ls' })],
    'stop',
  ],
  'unknown-tool-is-swallowed': [[], 'stop'],
  thinking: [[...thinking('hm', ', let me', ' think', '\n'), ...text('Forty', '-two')], 'stop'],
  length: [text(' w0x', ' w1x', ' w2x', ' w3x', ' w4x'), 'length'],
  load: [[], 'stop'],
  unload: [[], 'stop'],
  'no-stream': [[call('call_09iwhtq4', 'bash', { command: 'echo hi' })], 'stop'],
}

describe('what a real server sent becomes events:', () => {
  for (const [name, [pieces, reason]] of Object.entries(ANSWERS)) {
    it(name, async t => {
      const printed = watchConsole(t)
      const { model } = await pair(t, (_, socket) => void socket.write(replay(recordings[name]!)))
      const { events, error } = await ask(model)
      assert.equal(error, undefined)
      const end = events.pop()
      assert.deepEqual(events, pieces)
      assert.ok(end?.type === 'end')
      assert.equal(end.reason, reason)
      assert.deepEqual(printed, [])
    })
  }

  it('metrics, in tokens and milliseconds', async t => {
    const { model } = await pair(t, (_, socket) => void socket.write(replay(recordings.thinking!)))
    assert.deepEqual((await ask(model)).events.at(-1), {
      type: 'end',
      reason: 'stop',
      metrics: {
        prompt_tokens: 104,
        completion_tokens: 9,
        load_ms: 70.667549,
        prefill_ms: 10.244261,
        decode_ms: 57.352726,
        total_ms: 154.305226,
      },
    })
  })
})

const ERRORS: Record<string, [code: string, remedy: string | undefined, words: RegExp]> = {
  'error-no-tools': ['no_tools', 'no_tools', /does not support tools"\): "m" takes no tools/],
  'error-no-thinking': ['stream', 'no_thinking', /cannot think on request; use --think off/],
  'error-think-value': ['stream', undefined, /400: "invalid think value/],
  'error-missing-model': ['no_model', undefined, /has no model "m": get it with "ollama pull m"/],
  'error-no-model': ['stream', undefined, /400: "model is required"/],
  'error-bad-json': ['stream', undefined, /400: "unexpected EOF"/],
  'error-no-body': ['stream', undefined, /400: "missing request body"/],
  'error-arguments-as-string': ['stream', undefined, /400: "Value looks like object/],
  'error-context': ['context', undefined, /no longer fits into the context of "m"; compact it/],
  'error-runner-killed-mid-stream': ['stream', undefined, /the process that runs "m" died; ask again/],
}

describe('what a real server refused becomes a sentence:', () => {
  for (const [name, [code, remedy, words]] of Object.entries(ERRORS)) {
    it(name, async t => {
      const printed = watchConsole(t)
      const { model } = await pair(t, ({ line }, socket) => {
        socket.write(replay(recordings[line.endsWith('/tags') ? 'tags' : name]!))
      })
      const { error } = await ask(model)
      assertSentence(error)
      assert.match(error.message, words)
      assert.deepEqual([error.code, error.remedy], [code, remedy])
      assert.deepEqual(printed, [])
    })
  }

  it('a model that is not installed: the sentence names those that are, also when facts are asked for', async t => {
    const { model } = await pair(t, ({ line }, socket) => {
      socket.write(replay(recordings[line.endsWith('/tags') ? 'tags' : 'show-missing']!))
    })
    const request = { ...REQUEST, model: 'gopi-nativ' }
    for (const error of [
      (await ask(model, request)).error,
      await model.facts('gopi-nativ').catch(error => error),
    ]) {
      assertSentence(error)
      assert.equal(error.code, 'no_model')
      assert.match(error.message, /"gopi-nativ": get it .*\(installed: gopi-native:latest, /)
    }
  })
})

describe('the request', () => {
  const tool: WireTool = {
    type: 'function',
    function: { name: 'ls', description: 'd', parameters: { type: 'object', properties: {}, required: [] } },
  }

  it('never lets the server truncate, always says whether to think, and is the same bytes whatever the order of its fields', async t => {
    const { server, model } = await pair(t, (_, socket) => void socket.write(replay(recordings.text!)))
    const request: ChatRequest = { ...REQUEST, tools: [tool], format: { type: 'object' } }
    const shuffled = Object.fromEntries(Object.entries(request).reverse()) as unknown as ChatRequest
    await ask(model, request)
    await ask(model, shuffled)
    const [first, second] = server.requests
    assert.equal(
      first?.body,
      '{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"ls","description":"d","parameters":{"type":"object","properties":{},"required":[]}}}],"format":{"type":"object"},"think":false,"truncate":false,"keep_alive":"30m","options":{"num_ctx":4096},"stream":true}',
    )
    assert.equal(second?.body, first?.body)
    assert.equal(second?.head, first?.head)
    assert.match(first?.head ?? '', /^POST \/api\/chat HTTP\/1\.1/)
    assert.match(first?.head ?? '', /accept-encoding: identity/i)
  })

  it('leaves out what was not given, and sends images as they are', async t => {
    const { server, model } = await pair(t, (_, socket) => void socket.write(replay(recordings.text!)))
    await ask(model, {
      ...REQUEST,
      think: 'max',
      keep_alive: -1,
      messages: [{ role: 'user', content: '', images: ['aGk='] }],
    })
    assert.equal(
      server.requests[0]?.body,
      '{"model":"m","messages":[{"role":"user","content":"","images":["aGk="]}],"think":"max","truncate":false,"keep_alive":-1,"options":{"num_ctx":4096},"stream":true}',
    )
  })

  it('goes to the path of the address with its credentials, which nobody is shown', async t => {
    const { server } = await pair(t, () => {})
    const { createOllama } = await import('../../src/backends/ollama/ollama.ts')
    const host = server.host.replace('//', '//me:s%40cret@')
    const model = createOllama({ host: `${host}/behind/`, timeout: 50 })
    assert.equal(model.host, `${server.host}/behind`)
    await assert.rejects(model.version(), error => {
      assertSentence(error)
      return (
        !error.message.includes('cret') && error.message.includes(`${server.host}/behind took the connection`)
      )
    })
    const { line, head } = server.requests[0]!
    assert.equal(line, 'GET /behind/api/version')
    assert.ok(head.includes(`Authorization: Basic ${Buffer.from('me:s@cret').toString('base64')}`))
  })
})
