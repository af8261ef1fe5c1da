import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missReason } from '../../src/backends/miss.ts'
import type { LoadedModel } from '../../src/backends/ollama/facts.ts'
import { contextTruth } from '../../src/backends/ollama/truth.ts'

const runner = (more: Partial<LoadedModel> = {}): LoadedModel => ({
  name: 'qwen3:8b',
  context_length: 32_768,
  size: 8e9,
  size_vram: 8e9,
  digest: undefined,
  expires_at: undefined,
  ...more,
})

test('what the server made of the request is said only where it is less than was asked for', () => {
  const rows: [what: string, loaded: LoadedModel[], said: RegExp | undefined][] = [
    ['all is well', [runner()], undefined],
    ['more context than asked for', [runner({ context_length: 65_536 })], undefined],
    ['not loaded', [], undefined],
    ['another model', [runner({ name: 'other:1b', context_length: 10 })], undefined],
    ['nothing is known', [runner({ context_length: undefined, size: 0, size_vram: 0 })], undefined],
    ['less than half a percent', [runner({ size_vram: 7.99e9 })], undefined],
    ['more on the GPU than there is', [runner({ size_vram: 9e9 })], undefined],
    [
      'a small context',
      [runner({ context_length: 4096 })],
      /^qwen3:8b runs with a context of 4,096 tokens instead of the 32,768 .* set context\.max_tokens to 4096/,
    ],
    [
      'a small context, under another name',
      [runner({ name: 'library/qwen3:8b', context_length: 4096 })],
      /4,096/,
    ],
    [
      'a share',
      [runner({ size_vram: 6e9 })],
      /^25 % of qwen3:8b runs on the CPU: .*smaller context.*OLLAMA_FLASH/,
    ],
    ['all of it', [runner({ size_vram: 0 })], /^qwen3:8b runs on the CPU alone/],
    ['both: the context comes first', [runner({ context_length: 4096, size_vram: 0 })], /^[^.]*4,096/],
  ]
  for (const [what, loaded, said] of rows) {
    const sentence = contextTruth({ model: 'qwen3:8b', context: 32_768 }, loaded)?.message
    if (said === undefined) assert.equal(sentence, undefined, what)
    else assert.match(sentence ?? '', said, what)
    assert.ok(!sentence || /^[^\n]+\.$/.test(sentence), what)
  }
})

test('a miss is explained by what is certain first', () => {
  const missed = { reloaded: false, missed: true }
  const rows: [facts: Partial<Parameters<typeof missReason>[0]>, said: RegExp | undefined][] = [
    [{}, undefined],
    [{ reading: missed }, /something else may have used/],
    [{ reading: missed, besides: true }, /a side conversation/],
    [{ besides: true }, undefined],
    [{ reading: missed, known: false }, undefined],
    [{ reading: { reloaded: true, missed: true } }, /loaded anew/],
    [{ reading: { reloaded: true, missed: false } }, /loaded anew/],
    [
      { reading: { reloaded: true, missed: true }, changed: { what: 'message', index: 3, role: 'user' } },
      /changed message 3 \(user\)/,
    ],
    [{ changed: { what: 'tools' } }, /changed the tools/],
  ]
  for (const [facts, said] of rows) {
    const sentence = missReason({
      reading: { reloaded: false, missed: false },
      known: true,
      besides: false,
      ...facts,
    })
    if (said === undefined) assert.equal(sentence, undefined)
    else assert.match(sentence?.message ?? '', said)
  }
})
