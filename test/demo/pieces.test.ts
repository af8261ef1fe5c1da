import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { goDuration, goJson, goMapJson, goTime } from '../../src/demo/go.ts'
import { parseName } from '../../src/demo/models.ts'
import { stepsOf } from '../../src/demo/reply.ts'
import { fillSchema } from '../../src/demo/rules/schema.ts'
import { renderPrompt } from '../../src/demo/template.ts'
import { loadTokenizer } from '../../src/demo/tokens.ts'
import { assistant, called, result, system, user } from './client.ts'

describe('Go’s habits', () => {
  it('JSON escapes the signs of HTML, and maps are sorted at every depth', () => {
    assert.equal(goJson({ b: '<a> & b\u2028', a: 1 }), '{"b":"\\u003ca\\u003e \\u0026 b\\u2028","a":1}')
    assert.equal(goMapJson({ b: [{ d: 1, c: 2 }], a: null }), '{"a":null,"b":[{"c":2,"d":1}]}')
  })

  it('times have up to nine digits and no zeros at their end', () => {
    assert.equal(goTime(0), '1970-01-01T00:00:00Z')
    assert.equal(goTime(1500), '1970-01-01T00:00:01.5Z')
    assert.equal(goTime(1.25), '1970-01-01T00:00:00.00125Z')
  })

  const durations: [string | number, number][] = [
    [30, 30_000],
    [0, 0],
    [-1, Number.POSITIVE_INFINITY],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['20ms', 20],
    ['0', 0],
    ['-1m', Number.POSITIVE_INFINITY],
  ]
  for (const [value, ms] of durations) {
    it(`${JSON.stringify(value)} is ${ms} ms`, () => assert.equal(goDuration(value), ms))
  }
  for (const value of ['', '5', '-1', 'm', '5 m', '5x']) {
    it(`${JSON.stringify(value)} is no duration`, () =>
      assert.throws(() => goDuration(value), /^Error: time: /))
  }
})

describe('model names', () => {
  const names: [string, string | undefined, string?][] = [
    ['qwen3', 'qwen3:latest', 'registry.ollama.ai/library/qwen3:latest'],
    ['qwen2.5-coder:7b', 'qwen2.5-coder:7b', 'registry.ollama.ai/library/qwen2.5-coder:7b'],
    ['me/mine', 'me/mine:latest', 'registry.ollama.ai/me/mine:latest'],
    ['hf.co/a/b:Q4_K_M', 'hf.co/a/b:Q4_K_M', 'hf.co/a/b:Q4_K_M'],
    ['', undefined],
    ['a b', undefined],
    ['a/b/c/d', undefined],
    [':7b', undefined],
  ]
  for (const [name, short, full] of names) {
    it(JSON.stringify(name), () => assert.deepEqual(parseName(name), short && { short, full }))
  }
})

describe('the prompt', () => {
  const text = (...messages: Parameters<typeof renderPrompt>[0][number][]) =>
    renderPrompt(messages, []).join('')

  it('of a longer conversation begins with the shorter one’s', () => {
    const talk = [
      system('s'),
      user('a'),
      called('bash', { command: 'ls' }),
      result('bash', 'x'),
      assistant('b'),
      user('c'),
    ]
    for (let length = 2; length < talk.length; length++) {
      const short = text(...talk.slice(0, length)).replace(/<\|im_start\|>assistant\n$/, '')
      assert.ok(text(...talk).startsWith(short))
    }
  })

  it('has every system message in front, and one message of neighbours of the same role', () => {
    assert.equal(text(user('a'), system('x'), user('b')), text(system('x'), user('a\n\nb')))
  })

  it('hides the calls of a message with content, and thinking before the last user message', () => {
    const both = { ...called('bash', { command: 'ls' }), content: 'I look.' }
    assert.ok(!text(user('a'), both).includes('tool_call'))
    const thinking = { ...called('bash', {}), thinking: 'hm' }
    assert.ok(text(user('a'), thinking, result('bash', '1')).includes('hm'))
    assert.ok(!text(user('a'), thinking, result('bash', '1'), user('b')).includes('hm'))
  })
})

describe('tokens', () => {
  for (const counting of ['chars', 'cl100k'] as const) {
    it(`of ${counting} are the same for the same text, and a longer text begins with most of a shorter one’s`, async () => {
      const { encode } = await loadTokenizer(counting)
      const text = 'The quick brown fox 跳过了 the lazy dog. '.repeat(20)
      assert.deepEqual(encode(text), encode(text.slice()))
      const [short, long] = [encode(text.slice(0, 400)), encode(text)]
      assert.deepEqual(long.slice(0, short.length - 3), short.slice(0, -3))
      assert.equal(encode('<|im_start|>').length, 1)
    })
  }

  it('of a word without end are counted in time, and a special word in a text is no special token', async () => {
    const { encode } = await loadTokenizer('cl100k')
    assert.ok(encode('a'.repeat(50_000)).length > 3_000)
    assert.ok(encode('see <|endoftext|> here').length > 5)
  })

  it('of a scripted text join to the text again', () => {
    for (const text of [
      'Hello, world! 你好，世界。\n\n  indented\t`x` 12345 👋🏽 naïve',
      '',
      ' ',
      '\u0000é\u0301',
    ]) {
      assert.equal(stepsOf(text).join(''), text)
    }
    assert.ok(stepsOf('Hello, world! 你好').length >= 6)
  })
})

describe('a schema is filled', () => {
  const calls = [{ name: 'ls', arguments: { path: '.' } }]
  const string = { type: 'string' }

  it('with keys in its order, and the thought left empty', () => {
    const schema = {
      properties: {
        a_thought: string,
        b_kind: { enum: ['answer', 'tool'] },
        c_answer: string,
        d: { type: 'integer' },
      },
    }
    const filled = fillSchema(schema, { text: 'hi', calls: [] })
    assert.equal(JSON.stringify(filled), '{"a_thought":"","b_kind":"answer","c_answer":"hi","d":0}')
  })

  it('by the variant that fits, of the whole and of each call', () => {
    const item = (name: string) => ({
      properties: { a_name: { const: name }, b_arguments: { type: 'object' } },
    })
    const schema = {
      anyOf: [
        { properties: { a_kind: { const: 'chat' }, b_text: string } },
        {
          properties: {
            a_kind: { const: 'call' },
            b_calls: { type: 'array', items: { anyOf: [item('bash'), item('ls')] } },
          },
        },
      ],
    }
    assert.deepEqual(fillSchema(schema, { text: '', calls }), {
      a_kind: 'call',
      b_calls: [{ a_name: 'ls', b_arguments: { path: '.' } }],
    })
    assert.deepEqual(fillSchema(schema, { text: 'hi', calls: [] }), { a_kind: 'chat', b_text: 'hi' })
  })
})
