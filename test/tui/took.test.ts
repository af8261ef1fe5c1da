import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Usage } from '../../src/protocol/messages.ts'
import { tookOf } from '../../src/tui/took.ts'

const usage = (completion_tokens: number, decode_ms: number): Usage => ({
  ...{ prompt_tokens: 10, completion_tokens, context_tokens: 20, read_tokens: 4, reused_tokens: 6 },
  ...{ estimated: true, load_ms: 0, prefill_ms: 1, decode_ms },
})

it('a rate is told of a run that wrote for half a second: of two tokens nobody knows one', () => {
  const rateOf = (...usages: Usage[]) =>
    tookOf({ since: 0, asks: 0, askedAt: 0, askedMs: 0, usages }, 1000)?.rate
  assert.equal(rateOf(usage(2, 4)), undefined)
  assert.equal(rateOf(usage(30, 300)), undefined)
  assert.equal(rateOf(usage(30, 300), usage(30, 300)), 100)
})
