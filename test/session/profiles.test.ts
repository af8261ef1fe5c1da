/** What is known of single models, as the server is asked because of it; and thinking, which can be changed on the way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Profiles, profileOf } from '../../src/config/profiles.ts'
import { gate } from '../support/demo/reply.ts'
import { type House, openHouse } from '../support/house.ts'

interface Body {
  think: unknown
  tools?: unknown
  options: Record<string, unknown>
}
const body = ({ server }: House, index: number) => server.chats[index]?.body as unknown as Body
const thinker = { models: [{ name: 'scripted', capabilities: ['completion', 'tools', 'thinking'] }] }

test('a model has what is built in for its family, and over that what the person says', () => {
  assert.deepEqual(profileOf('gpt-oss:20b').profile, { think: 'low' })
  assert.deepEqual(profileOf('mine/gpt-oss:20b').origins.think, { entry: 'gpt-oss*', builtIn: true })
  const own = {
    'gpt-oss': { think: 'high' },
    '*:20b': { context: 4096 },
    'gpt-oss:120b': { context: 1 },
  } as const
  assert.deepEqual(profileOf('gpt-oss:20b', own).profile, { think: 'high', context: 4096 })
  assert.match(profileOf('qwen2.5-coder:7b').family?.source ?? '', /^https:/)
  assert.match(profileOf('qwen3-coder:30b').family?.why ?? '', /function=/)
  assert.equal(profileOf('scripted').family, undefined)
})

test('what a family is only known for changes no byte of a request', async t => {
  const model = (name: string) => ({
    server: { models: [{ name }] },
    config: { ollama: { model: name } },
    replies: ['ok'],
  })
  const bodies = []
  for (const name of ['qwen2.5-coder:7b', 'qwen3:8b', 'devstral:24b', 'nobody:7b']) {
    const house = await openHouse(t, model(name))
    await house.session.prompt('go')
    bodies.push(JSON.stringify({ ...body(house, 0), model: '', messages: [] }))
  }
  assert.equal(new Set(bodies).size, 1)
})

test('settings of a model come before defaults, and after what was set', async t => {
  const own = {
    scripted: {
      context: 8192,
      tool_calling: 'react',
      options: { temperature: 0.2 },
      stop: ['END'],
      compaction_threshold: 0.5,
    },
  } satisfies Profiles
  const first = await openHouse(t, { profiles: { own, explicit: new Set() }, replies: ['ok'] })
  await first.session.prompt('go')
  assert.equal(body(first, 0).tools, undefined)
  assert.deepEqual(body(first, 0).options, { num_ctx: 8192, temperature: 0.2, stop: ['Observation:', 'END'] })
  const set = new Set(['context.max_tokens', 'ollama.tool_calling'] as const)
  const second = await openHouse(t, { profiles: { own, explicit: set }, replies: ['ok'] })
  await second.session.prompt('go')
  assert.ok(body(second, 0).tools)
  assert.notEqual(body(second, 0).options.num_ctx, 8192)
})

test('thinking is switched between two requests', async t => {
  const house = await openHouse(t, { server: thinker, replies: ['a', 'b', 'c'] })
  for (const level of ['on', 'high', 'off'] as const) {
    house.session.setThink(level)
    await house.session.prompt('go')
  }
  assert.deepEqual(
    [0, 1, 2].map(index => body(house, index).think),
    [true, 'high', false],
  )
})

test('a thought is cut when the person has enough of it, and the model answers without one', async t => {
  const held = gate()
  const house = await openHouse(t, {
    server: thinker,
    config: { ollama: { think: 'on' } },
    replies: [[{ thinking: 'Let me see. ' }, { gate: held }, 'late'], 'Forty-two.', 'Again.'],
  })
  const { session } = house
  assert.equal(session.enough(), false)
  const run = session.prompt('go')
  await house.seen(event => event.type === 'thinking_delta')
  assert.equal(session.enough(), true)
  const result = await run
  assert.deepEqual([result.reason, result.text, result.turns], ['done', 'Forty-two.', 1])
  await session.prompt('and now?')
  assert.deepEqual(
    [0, 1, 2].map(index => body(house, index).think),
    [true, false, true],
  )
  assert.deepEqual(house.sent(1), house.sent(0))
  assert.deepEqual(house.server.violations, [])
})

test('a budget cuts a thought by itself', async t => {
  const house = await openHouse(t, {
    server: thinker,
    config: { ollama: { think: 'on' } },
    profiles: { own: { scripted: { think_budget: 10 } }, explicit: new Set() },
    replies: [[{ thinking: 'Hm, wait. '.repeat(10) }, { hang: true }], 'Forty-two.'],
  })
  assert.equal((await house.session.prompt('go')).text, 'Forty-two.')
  assert.deepEqual(
    [0, 1].map(index => body(house, index).think),
    [true, false],
  )
})

test('tools are told in the system text, and an example comes before the conversation, where a model needs that', async t => {
  const own = { scripted: { tools_in_system: true, few_shot: true } } satisfies Profiles
  const house = await openHouse(t, {
    profiles: { own, explicit: new Set() },
    files: { 'a.txt': 'in here' },
    replies: ['{"name": "read", "arguments": {"path": "a.txt"}}', 'ok'],
  })
  assert.equal((await house.session.prompt('go')).reason, 'done')
  assert.equal(body(house, 0).tools, undefined)
  const first = house.sent(0)
  const [system] = (house.server.chats[0]!.body as { messages: { content: string }[] }).messages
  assert.match(system?.content ?? '', /^- read \{path, /m)
  assert.deepEqual(
    first.map(({ role, content }) => [role, content]),
    [
      ['user', 'What does notes.txt say?'],
      ['assistant', '{"name":"read","arguments":{"path":"notes.txt"}}'],
      ['user', 'Result of read:\n1\tbuy milk'],
      ['assistant', 'It says: buy milk.'],
      ['user', first.at(-1)?.content],
    ],
  )
  const second = house.sent(1)
  assert.deepEqual(second.slice(0, first.length), first)
  assert.match(second.at(-1)?.content ?? '', /^Result of read:[\s\S]*in here/)
})
