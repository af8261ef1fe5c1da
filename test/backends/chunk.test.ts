import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ChunkError, readChunk } from '../../src/backends/ollama/chunk.ts'

const METRICS = {
  prompt_tokens: 0,
  completion_tokens: 0,
  load_ms: 0,
  prefill_ms: 0,
  decode_ms: 0,
  total_ms: 0,
}

describe('a chunk', () => {
  it('may hold thinking, text and calls at once, and the final one too', () => {
    const message = {
      role: 'assistant',
      content: 'So:',
      thinking: 'hm',
      tool_calls: [
        { id: 'call_1', function: { index: 0, name: 'ls', arguments: { path: '.' } } },
        { function: { name: 'bash', arguments: {} } },
      ],
    }
    const pieces = [
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'So:' },
      { type: 'call', id: 'call_1', name: 'ls', arguments: { path: '.' } },
      { type: 'call', name: 'bash', arguments: {} },
    ]
    assert.deepEqual(readChunk({ message, done: false }), { pieces })
    assert.deepEqual(readChunk({ message, done: true, done_reason: 'stop' }), {
      pieces,
      end: { reason: 'stop', metrics: METRICS },
    })
  })

  it('ends as stop unless the server says length', () => {
    const reasons = { stop: 'stop', length: 'length', load: 'stop', unload: 'stop', tool_calls: 'stop' }
    for (const [done_reason, reason] of Object.entries(reasons)) {
      assert.equal(readChunk({ done: true, done_reason }).end?.reason, reason)
    }
    assert.equal(readChunk({ done: true }).end?.reason, 'stop')
  })

  it('tells nanoseconds, which become milliseconds, and may leave any figure out', () => {
    const figures = { total_duration: 5e6, load_duration: 1e6, prompt_eval_count: 7, eval_count: 3 }
    assert.deepEqual(readChunk({ done: true, ...figures, eval_duration: '5' }).end?.metrics, {
      ...METRICS,
      prompt_tokens: 7,
      completion_tokens: 3,
      load_ms: 1,
      total_ms: 5,
    })
  })

  const ARGUMENTS: [given: unknown, read: object | RegExp][] = [
    [{ a: 1 }, { a: 1 }],
    ['{"a":{"b":[1]}}', { a: { b: [1] } }],
    ['', {}],
    [' ', {}],
    [undefined, {}],
    [null, {}],
    ['{"a":', /the arguments of the tool call "ls" are no JSON/],
    ['[1]', /are a list, not an object/],
    ['"text"', /are a string, not an object/],
    ['null', /are missing, not an object/],
    [7, /are a number, not an object/],
    [[{}], /are a list, not an object/],
  ]
  for (const [given, read] of ARGUMENTS) {
    it(`takes arguments ${JSON.stringify(given)} ${read instanceof RegExp ? 'for a malformed call' : 'as an object'}`, () => {
      const chunk = { message: { tool_calls: [{ function: { name: 'ls', arguments: given } }] } }
      if (read instanceof RegExp) {
        assert.throws(
          () => readChunk(chunk),
          error => error instanceof ChunkError && error.malformedCall && read.test(error.message),
        )
      } else {
        assert.deepEqual(readChunk(chunk).pieces, [{ type: 'call', name: 'ls', arguments: read }])
      }
    })
  }

  it('with a call without a name is the model’s fault, with a field of another kind the server’s', () => {
    for (const call of [
      {},
      null,
      5,
      { function: null },
      { function: { name: '' } },
      { function: { name: 7 } },
    ]) {
      assert.throws(
        () => readChunk({ message: { tool_calls: [call] } }),
        error => error instanceof ChunkError && error.malformedCall,
      )
    }
    for (const chunk of [
      {},
      { message: [] },
      { message: { content: {} } },
      { message: { thinking: true } },
    ]) {
      assert.throws(
        () => readChunk({ done: false, ...chunk }),
        error => error instanceof ChunkError && !error.malformedCall,
      )
    }
  })
})
