/** The demo server and the real one are asked the same, one request after the other, and must answer alike. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { content, readRecordings, recordedModel, recordedModels, replay, shape } from '../demo/recorded.ts'
import { type DemoServer, startServer } from '../support/demo/server.ts'
import { host } from './real.ts'

/** What depends on what else the server has, or on somebody who kills its runner. */
const APART = ['version', 'tags', 'ps', 'error-runner-killed-mid-stream']

type Question = { path: string; request?: unknown; method?: string }

/** Not recorded, since nothing of gopi's asks it: what other clients and mistakes get. */
const MORE: Record<string, Question> = {
  'show without a name': { path: '/api/show', request: {} },
  'show of an empty body': { path: '/api/show', request: '' },
  'a name in capitals': { path: '/api/show', request: { model: 'GOPI-NATIVE' } },
  'a name with its tag': chat({}, 'gopi-native:latest'),
  'a name that is none': chat({}, 'a b'),
  'another tag': chat({}, 'gopi-native:other'),
  'think on a model without': chat({ think: 'high' }, 'gopi-plain'),
  'think with a word': chat({ think: 'high', messages: [user('think')] }, 'gopi-thinker'),
  'a keep_alive that is none': chat({ keep_alive: 'soon' }),
  'a keep_alive without a unit': chat({ keep_alive: '30' }),
  'no messages': { path: '/api/chat', request: { model: 'gopi-native' } },
  'format json': chat({ messages: [user('json:')], format: 'json' }),
  'a format that is none': chat({ format: 'yaml' }),
  'stop in the middle': chat({ options: { num_ctx: 8192, temperature: 0, stop: [' model'] } }),
  'an option of the wrong type': chat({ options: { num_ctx: 'many' } }),
  'an option that is none': chat({ options: { num_ctx: 8192, nonsense: 1 } }),
  'num_predict 0': chat({ options: { num_ctx: 8192, num_predict: 0 } }),
  'num_predict 3': chat({ options: { num_ctx: 8192, num_predict: 3 } }),
  'no stream, no tools': chat({ stream: false }),
  'no stream, context exceeded': chat({
    stream: false,
    truncate: false,
    messages: [user('word '.repeat(9000))],
  }),
  'an image for a model that sees none': chat({
    messages: [{ role: 'user', content: 'hello', images: ['aGk='] }],
  }),
  'messages that are a text': chat({ messages: 'hello' }),
  'a tool without a function': chat({ tools: [{ type: 'function' }] }),
  'a result of a tool': chat({
    messages: [
      user('call: x'),
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'bash', arguments: { command: 'ls' } } }],
      },
      { role: 'tool', tool_name: 'bash', content: 'hi' },
    ],
  }),
}

function user(content: string) {
  return { role: 'user', content }
}

function chat(fields: object, model = 'gopi-native'): Question {
  const request = { model, messages: [user('hello')], options: { num_ctx: 8192 }, ...fields }
  return { path: '/api/chat', request }
}

let demo: DemoServer

before(async () => {
  demo = await startServer({ model: recordedModel, models: ours(recordedModels) })
})
after(() => demo.close())

/** With the names that the models have here. */
function ours<T>(value: T): T {
  const text = JSON.stringify(value)
  return text === undefined
    ? value
    : JSON.parse(text.replaceAll(/gopi-(?=(native|plain|thinker|big)\b)/gi, 'gopi-test-'))
}

async function assertSame(question: Question): Promise<void> {
  const real = await replay(host, ours(question))
  const shown = await replay(demo.host, ours(question))
  assert.deepEqual([shown.status, shown.type], [real.status, real.type], `the real one says ${real.lines}`)
  const read = (line: string): unknown => JSON.parse(line)
  if (question.path !== '/api/chat')
    assert.deepEqual(shown.lines.map(read).map(shape), real.lines.map(read).map(shape))
  else assert.deepEqual(shown.lines.map(content), real.lines.map(content))
  assert.deepEqual(shown.lines.map(read).map(shape), real.lines.map(read).map(shape))
}

describe('the demo server answers as the real one:', () => {
  for (const [name, recorded] of Object.entries(readRecordings())) {
    if (APART.includes(name)) continue
    // What a model says to nothing at all is a matter of its weights.
    if (name === 'prewarm') continue
    it(name, () => assertSame(recorded))
  }
  for (const [name, question] of Object.entries(MORE)) it(name, () => assertSame(question))
})

describe('to whatever is no question of its protocol:', () => {
  const ways: [method: string, path: string, body?: string][] = [
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/api/nothing'],
    ['POST', '/api/version'],
    ['GET', '/api/chat'],
    ['DELETE', '/api/tags'],
    ['POST', '/api/show', 'garbage'],
    ['POST', '/api/chat', '[]'],
    ['POST', '/api/chat', 'null'],
  ]
  for (const [method, path, body] of ways) {
    it(`${method} ${path} ${body ?? ''}`, async () => {
      const [real, shown] = await Promise.all(
        [host, demo.host].map(async host => {
          const answer = await fetch(host + path, { method, ...(body !== undefined && { body }) })
          return [answer.status, answer.headers.get('content-type'), await answer.text()]
        }),
      )
      assert.deepEqual(shown, real)
    })
  }
})
