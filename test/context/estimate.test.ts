import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import type { ChatRequest } from '../../src/backends/backend.ts'
import type { Changed } from '../../src/backends/miss.ts'
import { createOllama } from '../../src/backends/ollama/ollama.ts'
import { Estimate, type Sent } from '../../src/context/estimate.ts'
import { systemPrompt } from '../../src/context/system.ts'
import type { Counting } from '../../src/demo/tokens.ts'
import { native } from '../../src/dialect/native.ts'
import type { Memory } from '../../src/protocol/memory.ts'
import type { AssistantMessage, Message, Usage } from '../../src/protocol/messages.ts'
import type { Metrics, WireMessage } from '../../src/protocol/wire.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { toWire } from '../../src/tools/tool.ts'
import type { Reply } from '../support/demo/reply.ts'
import { type DemoServer, startServer } from '../support/demo/server.ts'
import { memory as emptyMemory } from '../support/memory.ts'

/** One server per encoding: its tables take a second to load. */
const servers = new Map<Counting, Promise<DemoServer>>()
after(async () => {
  for (const server of servers.values()) await (await server).close()
})
/** What they answer next. */
let replies: Iterator<Reply>

function serverFor(counting: Counting): Promise<DemoServer> {
  const started =
    servers.get(counting) ??
    startServer({
      model: () => replies.next().value,
      count: counting,
      capabilities: ['completion', 'tools', 'thinking'],
    })
  servers.set(counting, started)
  return started
}

const code = readFileSync(new URL('../fixtures/code.txt', import.meta.url), 'utf8')
const english = 'Please look at how a session starts, and tell me which of its parts wait for the server. '
const chinese = '请看一下会话是如何开始的，并告诉我其中哪些部分在等待服务器。请用中文回答，并且给出例子。'
const listing = Array.from(
  { length: 150 },
  (_, n) => `src/${n % 9}/file-${n}.ts:${n * 37}: const n = ${n * 7919}`,
)
const tools = builtinTools().map(toWire)
const system = systemPrompt({
  cwd: '/home/ada/project',
  os: 'Linux',
  timeout: '30s',
  dialect: 'native',
  tools,
  instructions: [],
})

/** One turn: what the person or a tool says, and what the model answers. */
interface Turn {
  says?: string
  result?: string
  answer: Reply
}
const call = (name: string, args: Record<string, unknown>, thinking?: string): Reply => ({
  ...(thinking !== undefined && { thinking }),
  calls: [{ name, arguments: args }],
})
const turns: Turn[] = [
  { says: english, answer: call('grep', { pattern: 'connect', path: 'src' }) },
  { result: listing.slice(0, 12).join('\n'), answer: `${english.repeat(3)}\n\n- one\n- two` },
  { says: chinese.repeat(4), answer: chinese.repeat(3) },
  // Each kind of writing has come by once; from here on the estimates must be good.
  { says: chinese.repeat(8), answer: call('read', { path: 'src/session/session.ts' }) },
  {
    result: code.slice(0, 9000),
    answer: call('bash', { command: 'ls -l <here> && pwd' }),
  },
  { result: listing.join('\n'), answer: call('write', { path: 'a.ts', content: code.slice(4000, 10_000) }) },
  { result: 'Wrote 5 KB.', answer: 'Done.' },
  { says: code.slice(9000, 11_500), answer: code.slice(11_000, 12_500) },
  { says: `${english}\n${chinese}`, answer: 'As you wish.' },
]

interface Talk {
  counting: Counting
  memory?: Memory
  turns: Turn[]
  think?: boolean
}

/** Plays the turns against the demo server and says how far off each estimate was, as a share of the server's count. */
async function errors({ counting, memory = emptyMemory(), turns, think = false }: Talk): Promise<number[]> {
  replies = turns.map(({ answer }) => answer).values()
  const server = await serverFor(counting)
  const chat = createOllama({ host: server.host, timeout: 10_000 })
  const estimate = new Estimate({ memory, key: 'k' })
  const history: Message[] = []
  const found: number[] = []
  for (const [index, { says, result }] of turns.entries()) {
    if (says !== undefined) history.push({ id: `u${index}`, role: 'user', content: says })
    if (result !== undefined) history.push(resultOf(history, result))
    const request = {
      ...base,
      think,
      messages: [{ role: 'system' as const, content: system }, ...native.encode(history)],
    }
    const { tokens } = estimate.expect(request)
    const { reply, metrics } = await ask(chat, request, index)
    found.push((tokens - metrics.prompt_tokens) / metrics.prompt_tokens)
    estimate.answered(request, { counts: metrics, reply })
    history.push(reply)
  }
  assert.deepEqual(server.violations, [])
  return found
}

const base = {
  model: 'm',
  tools,
  context: 32_768,
  keep_alive: '5m',
} satisfies Partial<ChatRequest>

function resultOf(history: Message[], content: string): Message {
  const last = history.at(-1)
  assert.ok(last?.role === 'assistant' && last.tool_calls?.[0])
  const { id, name } = last.tool_calls[0]
  return {
    id: `t${history.length}`,
    role: 'tool',
    content,
    tool_call_id: id,
    tool_name: name,
    is_error: false,
  }
}

async function ask(chat: ReturnType<typeof createOllama>, request: ChatRequest, index: number) {
  const reply: AssistantMessage = { id: `a${index}`, role: 'assistant', content: '', stop_reason: 'stop' }
  let metrics: Metrics | undefined
  for await (const event of chat.chat(request, { signal: new AbortController().signal })) {
    if (event.type === 'text') reply.content += event.text
    if (event.type === 'thinking') reply.thinking = (reply.thinking ?? '') + event.text
    if (event.type === 'call')
      reply.tool_calls = [
        ...(reply.tool_calls ?? []),
        { id: `c${index}`, name: event.name, arguments: event.arguments },
      ]
    if (event.type === 'end') metrics = event.metrics
  }
  assert.ok(metrics)
  return { reply, metrics }
}

const percent = (list: number[]) => list.map(error => `${(error * 100).toFixed(1)} %`).join(', ')

/** The shares of error that are allowed: of the first three requests, and of those that follow. */
type Allowed = [early: number, late: number]

function within(found: number[], [early, late]: Allowed, what: string): void {
  const worst = (list: number[]) => Math.max(...list.map(Math.abs))
  assert.ok(worst(found.slice(0, 3)) <= early, `${what}, at first: ${percent(found)}`)
  assert.ok(worst(found.slice(3)) <= late, `${what}, later: ${percent(found)}`)
}

describe('the estimate of the next request against the server’s count, in another encoding', () => {
  const rows: [counting: Counting, allowed: Allowed, again: Allowed][] = [
    ['cl100k', [0.05, 0.03], [0.03, 0.03]],
    // Nothing like an encoding that a model has: what was never seen can be further off.
    ['chars', [0.12, 0.1], [0.05, 0.1]],
  ]
  for (const [counting, allowed, again] of rows) {
    test(`${counting}; a second session starts with what the first has learned`, async () => {
      const memory = emptyMemory()
      within(await errors({ counting, memory, turns }), allowed, 'the first session')
      within(await errors({ counting, memory, turns }), again, 'the second session')
    })
  }

  test('another order of the same: code first, Chinese late', async () => {
    const order = [...turns.slice(7), ...turns.slice(0, 2), ...turns.slice(3, 7), ...turns.slice(2, 3)]
    within(await errors({ counting: 'cl100k', turns: order }), [0.06, 0.05], 'in another order')
  })

  test('thinking is counted while its run lasts, and is gone from the next', async () => {
    const thought = english.repeat(4)
    const think = (reply: Reply): Reply => ({ thinking: thought, ...(reply as object) })
    const thinking = turns.map(turn => ({
      ...turn,
      answer: think(typeof turn.answer === 'string' ? { text: turn.answer } : turn.answer),
    }))
    within(await errors({ counting: 'cl100k', turns: thinking, think: true }), [0.05, 0.03], 'thinking')
  })
})

describe('what the server has to read', () => {
  const user = (content: string): WireMessage => ({ role: 'user', content })
  const said = (content: string): WireMessage => ({ role: 'assistant', content })
  const system: WireMessage = { role: 'system', content: english.repeat(5) }
  const request = (messages: WireMessage[], list = tools) => ({
    messages: [system, ...messages],
    tools: list,
  })
  const long = english.repeat(20)
  const answer = (content: string, more: Partial<AssistantMessage> = {}): AssistantMessage => ({
    id: 'a',
    role: 'assistant',
    content,
    stop_reason: 'stop',
    ...more,
  })
  const question = request([user(long)])
  const calls = [{ id: 'c', name: 'ls', arguments: { path: '.' } }]
  const called: WireMessage = {
    role: 'assistant',
    content: '',
    tool_calls: [{ function: { name: 'ls', arguments: { path: '.' } } }],
  }
  const result: WireMessage = { role: 'tool', content: 'a.ts\nb.ts', tool_name: 'ls' }

  interface Row {
    reply?: AssistantMessage
    next: Sent
    /** About how many tokens are read anew; `all` of them. */
    reads: [least: number, most: number] | 'all'
    unseen: [least: number, most: number]
    changed?: Changed
  }
  const rows: Record<string, Row> = {
    'the same again': { next: question, reads: [1, 1], unseen: [0, 0] },
    'an answer sent back as it was, and new words': {
      reply: answer(long),
      next: request([user(long), said(long), user('go on')]),
      reads: [4, 15],
      unseen: [2, 3],
    },
    'a call is rendered anew, its result is new': {
      reply: answer('', { tool_calls: calls }),
      next: request([user(long), called, result]),
      reads: [20, 60],
      unseen: [3, 8],
    },
    'a draft that goes on': { next: request([user(`${long}${english}`)]), reads: [15, 35], unseen: [15, 25] },
    'another draft is no change of what was sent': {
      next: request([user('no')]),
      reads: [4, 12],
      unseen: [1, 2],
    },
    'another answer than the one that was given': {
      reply: answer(long),
      next: request([user(long), said(english), user('go on')]),
      reads: [25, 50],
      unseen: [2, 3],
    },
    'other tools': {
      next: request([user(long)], tools.slice(1)),
      reads: 'all',
      unseen: [0, 0],
      changed: { what: 'tools' },
    },
    'another system message': {
      next: { messages: [user('x'), user(long)], tools },
      reads: 'all',
      unseen: [0, 0],
      changed: { what: 'message', index: 0, role: 'user' },
    },
  }
  for (const [name, { reply, next, reads, unseen, changed }] of Object.entries(rows)) {
    test(name, async () => {
      const estimate = new Estimate({ memory: emptyMemory(), key: 'k' })
      const counts = { prompt_tokens: 1400, completion_tokens: 340 }
      estimate.answered(question, { counts, ...(reply && { reply }) })
      const found = estimate.expect(next)
      const isIn = (value: number, [least, most]: [number, number]) =>
        assert.ok(value >= least && value <= most, `${value} is not in ${least}–${most}`)
      if (reads === 'all') assert.equal(found.new_tokens, found.tokens)
      else isIn(found.new_tokens, reads)
      isIn(found.unseen_tokens, unseen)
      assert.deepEqual(found.changed, changed)
    })
  }

  test('a change in the middle is named by its place', async () => {
    const estimate = new Estimate({ memory: emptyMemory(), key: 'k' })
    const before = request([user('one'), said('two'), user('three')])
    estimate.answered(before, { counts: { prompt_tokens: 900, completion_tokens: 1 }, reply: answer('four') })
    const after = request([user('one'), said('2'), user('three'), said('four'), user('five')])
    assert.deepEqual(estimate.expect(after).changed, { what: 'message', index: 2, role: 'assistant' })
  })

  test('thinking that is not sent back any more is no change, but what follows it is read again', async () => {
    const estimate = new Estimate({ memory: emptyMemory(), key: 'k' })
    const before = request([user('one'), { ...called, thinking: long }, result])
    const { tokens } = estimate.expect(before)
    const counts = { prompt_tokens: tokens, completion_tokens: 2 }
    estimate.answered(before, { counts, reply: answer('done') })
    const found = estimate.expect(request([user('one'), called, result, said('done'), user('two')]))
    const thought = estimate.text(long)
    assert.equal(found.changed, undefined)
    assert.ok(found.new_tokens > 30 && found.new_tokens < 90, String(found.new_tokens))
    assert.ok(Math.abs(found.tokens - (tokens - thought)) < 25, `${found.tokens} after ${tokens}`)
  })

  test('without counts of a cut reply, what was sent counts as read', async () => {
    const estimate = new Estimate({ memory: emptyMemory(), key: 'k' })
    const first = request([user('one')])
    estimate.answered(first, { counts: { prompt_tokens: 900, completion_tokens: 3 }, reply: answer('two') })
    const second = request([user('one'), said('two'), user(long)])
    estimate.answered(second, { reply: answer('half of') })
    const third = estimate.expect(
      request([user('one'), said('two'), user(long), said('half of'), user('no')]),
    )
    assert.ok(third.new_tokens < 15, String(third.new_tokens))
    assert.ok(third.tokens > 1200 && third.tokens < 1500, String(third.tokens))
  })

  test('a resumed conversation goes on from the count in its journal', async () => {
    const estimate = new Estimate({ memory: emptyMemory(), key: 'k' })
    const usage: Usage = {
      prompt_tokens: 20_000,
      completion_tokens: 340,
      context_tokens: 20_340,
      read_tokens: 1,
      reused_tokens: 1,
      estimated: true,
      load_ms: 0,
      prefill_ms: 0,
      decode_ms: 0,
    }
    estimate.resume(question, answer(long, { usage }))
    const { tokens, new_tokens } = estimate.expect(request([user(long), said(long), user('go on')]))
    assert.ok(tokens > 20_340 && tokens < 20_380, String(tokens))
    assert.ok(new_tokens < 15)
  })

  test('after a compaction the first count leads there, not the last', async () => {
    const estimate = new Estimate({ memory: emptyMemory(), key: 'k' })
    estimate.answered(request([]), { counts: { prompt_tokens: 1000, completion_tokens: 1 } })
    estimate.answered(request([user(listing.join('\n').repeat(5))]), {
      counts: { prompt_tokens: 25_000, completion_tokens: 1 },
      reply: answer('ok'),
    })
    const { tokens } = estimate.expect(request([user(english)]))
    assert.ok(Math.abs(tokens - 1027) < 20, String(tokens))
  })
})

test('a bare text is measured by its characters', () => {
  const tokens = new Estimate({ memory: emptyMemory(), key: 'k' }).text(english.repeat(10))
  assert.ok(tokens > 150 && tokens < 250, String(tokens))
})

test('nothing that memory says is believed unless it can be', () => {
  const expected = (kept: unknown) => {
    const estimate = new Estimate({
      memory: { recall: () => kept, keep: () => {} },
      key: 'k',
    })
    return estimate.expect({ messages: [{ role: 'user', content: english.repeat(50) }] }).tokens
  }
  const usual = expected(undefined)
  const damaged: unknown[] = [
    'text',
    null,
    { weights: { words: { mean: 1e9, deviation: 0.1 }, message: { mean: 'x' } } },
    { weights: { words: { mean: 2 }, foreign: { mean: Number.NaN, deviation: null } } },
    { weights: [] },
  ]
  for (const kept of damaged) assert.equal(expected(kept), usual, JSON.stringify(kept))
  assert.ok(expected({ weights: { words: { mean: 2, deviation: 0.1 } } }) > usual * 1.5)
})
