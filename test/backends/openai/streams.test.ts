/** Streams as engines and routers send them, by their documentation, their tests and their bug reports. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelEvent } from '../../../src/backends/backend.ts'
import { ask } from '../asking.ts'
import { delta, event, LAST, pair, STOP, whole } from './asking.ts'

const call = (index: number | undefined, id: string | undefined, name?: string, args?: string) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id, type: 'function' }),
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
})
const calls = (...pieces: object[]) => delta({ tool_calls: pieces })
const CALLED = delta({}, 'tool_calls')
const made = (name: string, path: string, id?: string): ModelEvent => ({
  type: 'call',
  name,
  arguments: { path },
  ...(id !== undefined && { id }),
})
const figures = (usage: object, more: object = {}) =>
  event({
    choices: [],
    usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, ...usage },
    ...more,
  })

interface Row {
  name: string
  stream: string[]
  pieces: ModelEvent[]
  reason?: string
  cached?: number | 'untold'
}

const ROWS: Row[] = [
  {
    name: 'vLLM: reasoning, then text, its fields full of null; cached tokens where the server was told to tell',
    stream: [
      delta({ role: 'assistant', content: '' }, null, { usage: null }),
      event({
        choices: [{ index: 0, delta: { reasoning_content: 'hm' }, logprobs: null, finish_reason: null }],
      }),
      delta({ content: 'yes' }),
      event({ choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop', stop_reason: null }] }),
      figures({ prompt_tokens_details: { cached_tokens: 96 } }),
      LAST,
    ],
    pieces: [
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'yes' },
    ],
    cached: 96,
  },
  {
    name: 'vLLM since 0.11: reasoning has another name; details that are null tell nothing',
    stream: [delta({ reasoning: 'hm' }), STOP, figures({ prompt_tokens_details: null }), LAST],
    pieces: [{ type: 'thinking', text: 'hm' }],
    cached: 'untold',
  },
  {
    name: 'vLLM: a call in pieces, its id empty after the first',
    stream: [
      calls(call(0, 'chatcmpl-tool-1', 'read', '')),
      calls(call(0, '', undefined, '{"path": ')),
      calls(call(0, '', undefined, '"a"}')),
      CALLED,
      LAST,
    ],
    pieces: [made('read', 'a', 'chatcmpl-tool-1')],
  },
  {
    name: 'vLLM before 0.9: a new id with every piece',
    stream: [
      calls(call(0, 'x1', 'read', '')),
      calls(call(0, 'x2', undefined, '{"path":')),
      calls(call(0, 'x3', undefined, '"a"}')),
      CALLED,
      LAST,
    ],
    pieces: [made('read', 'a', 'x1')],
  },
  {
    name: 'vLLM and SGLang: two calls that are both number 0',
    stream: [
      calls(call(0, '0', 'read', '')),
      calls(call(0, '0', undefined, '{"path":"a"}')),
      calls(call(0, '1', 'read', '')),
      calls(call(0, '1', undefined, '{"path":"b"}')),
      CALLED,
      LAST,
    ],
    pieces: [made('read', 'a', '0'), made('read', 'b', '1')],
  },
  {
    name: 'OpenAI: two calls at once, their pieces mixed, the second one first',
    stream: [
      delta({ role: 'assistant', content: null, refusal: null }),
      calls(call(1, 'b', 'ls', '{"path"'), call(0, 'a', 'read', '')),
      calls(call(0, undefined, undefined, '{"path":"a')),
      calls(call(1, undefined, undefined, ':"b"}')),
      calls(call(0, undefined, undefined, '"}')),
      CALLED,
      figures({ prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 } }),
      LAST,
    ],
    pieces: [made('ls', 'b', 'b'), made('read', 'a', 'a')],
    cached: 0,
  },
  {
    name: 'llama.cpp: the name with every piece, times beside the figures',
    stream: [
      calls(call(0, 'k', 'read', '{"path"')),
      calls(call(0, 'k', 'read', ':"a"}')),
      CALLED,
      figures(
        {},
        { timings: { cache_n: 60, prompt_n: 40, prompt_ms: 12.5, predicted_n: 5, predicted_ms: 25 } },
      ),
      LAST,
    ],
    pieces: [made('read', 'a', 'k')],
    cached: 60,
  },
  {
    name: 'Ollama: whole calls, its arguments one text',
    stream: [
      calls(call(0, 'call_1', 'read', '{"path":"a.txt"}')),
      calls(call(1, 'call_2', 'read', '{"path":"b.txt"}')),
      delta({ role: 'assistant', content: '' }, 'tool_calls'),
      figures({}),
      LAST,
    ],
    pieces: [made('read', 'a.txt', 'call_1'), made('read', 'b.txt', 'call_2')],
    cached: 'untold',
  },
  {
    name: 'calls without numbers, one without an id; arguments as an object, and as a text in a text',
    stream: [
      calls({ function: { name: 'read', arguments: { path: 'a' } } }),
      calls(call(undefined, 'z', 'ls', '"{\\"path\\":\\"b\\"}"')),
      CALLED,
      LAST,
    ],
    pieces: [made('read', 'a'), made('ls', 'b', 'z')],
  },
  {
    name: 'the old single call',
    stream: [
      delta({ function_call: { name: 'read', arguments: '{"path":"a"}' } }),
      delta({}, 'function_call'),
      LAST,
    ],
    pieces: [made('read', 'a')],
  },
  {
    name: 'no arguments at all',
    stream: [calls(call(0, 'a', 'now', '')), CALLED, LAST],
    pieces: [{ type: 'call', name: 'now', arguments: {}, id: 'a' }],
  },
  {
    name: 'the reason comes with the last piece, and an intermittent one never comes',
    stream: [delta({ tool_calls: [call(0, 'a', 'read', '{"path":"a"}')] }, 'tool_calls'), LAST],
    pieces: [made('read', 'a', 'a')],
  },
  {
    name: 'a reply that was cut has no half call',
    stream: [
      calls(call(0, 'a', 'read', '{"path":"a"}')),
      calls(call(1, 'b', 'read', '{"pa')),
      delta({}, 'length'),
      LAST,
    ],
    pieces: [made('read', 'a', 'a')],
    reason: 'length',
  },
  {
    name: 'DeepSeek: what the cache had under a name of its own',
    stream: [delta({ content: 'a' }), STOP, figures({ prompt_cache_hit_tokens: 64 }), LAST],
    pieces: [{ type: 'text', text: 'a' }],
    cached: 64,
  },
  {
    name: 'OpenRouter: comments while a model is waited for, figures with the last word',
    stream: [
      ': OPENROUTER PROCESSING\n\n',
      delta({ content: 'a' }),
      delta({ content: '' }, 'stop'),
      figures({}),
      LAST,
    ],
    pieces: [{ type: 'text', text: 'a' }],
    cached: 'untold',
  },
]

for (const { name, stream, pieces, reason = 'stop', cached } of ROWS) {
  test(name, async t => {
    const { model } = await pair(t, (_, socket) => void socket.end(whole(...stream)))
    const { events, error } = await ask(model)
    assert.equal(error, undefined)
    assert.deepEqual(events.slice(0, -1), pieces)
    const last = events.at(-1)
    assert.ok(last?.type === 'end')
    assert.equal(last.reason, reason)
    if (cached === undefined) assert.equal(last.metrics, undefined)
    else {
      assert.equal(last.metrics?.prompt_tokens, 100)
      assert.equal(last.metrics?.cached_tokens ?? 'untold', cached)
    }
    if (name.startsWith('llama'))
      assert.deepEqual([last.metrics?.prefill_ms, last.metrics?.decode_ms], [12.5, 25])
  })
}
