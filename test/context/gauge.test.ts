import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatRequest } from '../../src/backends/backend.ts'
import { createGauge } from '../../src/context/gauge.ts'
import type { AssistantMessage } from '../../src/protocol/messages.ts'
import type { Metrics, WireMessage } from '../../src/protocol/wire.ts'
import { memory } from '../support/memory.ts'

const words = 'Please look at how a session starts, and tell me which of its parts wait for the server. '
/** Milliseconds: what a server that reads 1000 tokens a second needs. */
const reading = (tokens: number) => 20 + tokens

function talk() {
  const gauge = createGauge({ key: 'k', memories: { tokens: memory(), speeds: memory() } })
  const messages: WireMessage[] = [{ role: 'system', content: words.repeat(20) }]
  let prompt = 400
  const request = (): ChatRequest => ({
    model: 'm',
    messages: [...messages],
    think: false,
    context: 32_768,
    keep_alive: '5m',
  })
  /** Says something of about `tokens`; the server really reads `read` of the prompt. */
  const turn = (tokens: number, read = tokens, more: Partial<Metrics> = {}, isExpected = true) => {
    messages.push({ role: 'user', content: words.repeat(Math.round(tokens / 19)) })
    prompt += tokens
    const asked = request()
    const { new_tokens, eta_ms } = isExpected ? gauge.expect(asked) : { new_tokens: 0, eta_ms: 0 }
    const reply: AssistantMessage = { id: 'a', role: 'assistant', content: 'Yes.', stop_reason: 'stop' }
    const metrics: Metrics = {
      prompt_tokens: prompt,
      completion_tokens: 2,
      load_ms: 50,
      prefill_ms: reading(read),
      decode_ms: 50,
      total_ms: 0,
      ...more,
    }
    const usage = gauge.answered(asked, { metrics, reply })
    assert.ok(usage)
    messages.push({ role: 'assistant', content: 'Yes.' })
    prompt += 8
    return { new_tokens, eta_ms, usage }
  }
  return { gauge, messages, request, turn }
}

test('a turn reads what is new, says how long that takes, and reuses the rest', () => {
  const { turn } = talk()
  turn(200, 600, { load_ms: 4000 })
  for (const tokens of [400, 300]) assert.equal(turn(tokens).eta_ms, undefined)
  for (const tokens of [300, 700, 150]) {
    const { usage, new_tokens, eta_ms = 0 } = turn(tokens)
    assert.equal(usage.miss, undefined)
    assert.equal(usage.read_tokens + usage.reused_tokens, usage.prompt_tokens)
    for (const found of [usage.read_tokens, new_tokens, eta_ms - 20]) {
      assert.ok(Math.abs(found - tokens) < tokens * 0.2 + 20, `${found} instead of ${tokens}`)
    }
  }
})

test('a miss is seen by the time that reading took, and by a load', () => {
  const { turn } = talk()
  turn(200, 600, { load_ms: 4000 })
  for (const tokens of [1000, 900]) turn(tokens)
  assert.match(turn(100, 1700).usage.miss ?? '', /read the conversation again/)
  assert.equal(turn(100).usage.miss, undefined)
  assert.match(turn(100, 2000, { load_ms: 4000 }).usage.miss ?? '', /loaded anew/)
})

test('a miss that is our own doing names what was changed', () => {
  const { turn, messages } = talk()
  turn(200, 600, { load_ms: 4000 })
  for (const tokens of [2000, 1000, 300]) turn(tokens)
  messages[1] = { role: 'user', content: 'something else' }
  assert.match(turn(100, 2500, {}, false).usage.miss ?? '', /gopi changed message 1 \(user\)/)
})

test('a reply without figures tells nothing, and is still held by the server', () => {
  const { gauge, turn, messages, request } = talk()
  turn(200, 600, { load_ms: 4000 })
  messages.push({ role: 'user', content: words.repeat(30) })
  const reply: AssistantMessage = { id: 'c', role: 'assistant', content: 'cut', stop_reason: 'aborted' }
  assert.equal(gauge.answered(request(), { reply }), undefined)
  messages.push({ role: 'assistant', content: 'cut' }, { role: 'user', content: 'no' })
  assert.ok(gauge.expect(request()).new_tokens < 40)
})

test('what was given up before anything came of it may not have been read', () => {
  const { gauge, turn, messages, request } = talk()
  turn(200, 600, { load_ms: 4000 })
  messages.push({ role: 'user', content: words.repeat(30) })
  gauge.answered(request(), {})
  messages.push({ role: 'user', content: 'no' })
  assert.ok(gauge.expect(request()).new_tokens > 400)
})
