import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openServer, priceOf } from '../../src/assembly/provider.ts'
import { defaults } from '../../src/config/config.ts'
import { gate, type Reply, script } from '../support/demo/reply.ts'
import { type DemoServer, startServer } from '../support/demo/server.ts'
import { openHouse } from '../support/house.ts'

/** A pool of an Ollama and a server of chat completions, in that order. */
async function pool(t: TestContext, desk: Reply[], lab: Reply[]) {
  const servers = await Promise.all([desk, lab].map(replies => startServer({ model: script(replies) })))
  t.after(() => Promise.all(servers.map(server => server.close())))
  const [first, second] = servers as [DemoServer, DemoServer]
  const price = { input: 2, output: 8 }
  const { backend, isPaid } = await openServer({
    ...defaults,
    ollama: { ...defaults.ollama, model: 'pool/scripted' },
    providers: {
      desk: { type: 'ollama', host: first.host },
      lab: { type: 'openai', base_url: `${second.host}/v1`, models: { scripted: { price } } },
      pool: { type: 'pool', of: ['desk', 'lab'] },
    },
  })
  assert.equal(isPaid, true)
  const house = await openHouse(t, {
    backend,
    config: { ollama: { model: 'pool/scripted' } },
    modelNamed: true,
  })
  const asked = () => servers.map(({ requests }) => requests.filter(isChat).length)
  const said = () =>
    house
      .journal()
      .flatMap(entry => (entry.type === 'notice' && entry.code === 'pool' ? [entry.message] : []))
  return { ...house, desk: first, lab: second, asked, said }
}

const isChat = ({ path }: { path: string }) => /chat/.test(path)

test('a server that is killed in mid-reply: another goes on from what was said, and keeps the conversation', async t => {
  const held = gate()
  const lab = ['second half.', 'Yes.', 'Still here.']
  const {
    session,
    desk,
    lab: other,
    asked,
    said,
    seen,
  } = await pool(t, ['Hello.', ['The first half, ', { gate: held }, 'never']], lab)
  assert.equal((await session.prompt('hi')).text, 'Hello.')
  assert.deepEqual(asked(), [1, 0])
  const run = session.prompt('tell me')
  await seen(event => event.type === 'message_delta' && event.text.includes('half'))
  await desk.close()
  held.open()
  const { text, reason } = await run
  assert.deepEqual([text, reason], ['The first half, \n\nsecond half.', 'done'])
  assert.deepEqual(asked(), [2, 1])
  const { messages } = other.requests.find(isChat)!.body as { messages: { role: string; content: string }[] }
  const [kept, note] = messages.slice(-2)
  assert.deepEqual([kept?.role, kept?.content.trim()], ['assistant', 'The first half,'])
  assert.match(note?.content ?? '', /Go on exactly where it stopped/)
  assert.equal((await session.prompt('more')).text, 'Yes.')
  assert.deepEqual(asked(), [2, 2])
  assert.match(said().join('\n'), /^[^\n]*What was said is kept: another server[^\n]*$/)
  assert.deepEqual(other.violations, [])
})

test('a server that cannot be reached or has no room: the next one is asked at once, and it is said', async t => {
  const busy: Reply = { failure: { status: 503, error: 'server busy' } }
  const { session, desk, asked, said } = await pool(t, ['Hello.', busy], ['Two.', 'Three.'])
  await session.prompt('hi')
  assert.equal((await session.prompt('two')).text, 'Two.')
  assert.deepEqual([asked(), said().length], [[2, 1], 1])
  await desk.close()
  assert.equal((await session.prompt('three')).text, 'Three.')
  assert.deepEqual([asked(), said().length], [[2, 2], 1])
})

test('side conversations go where there is room, and stay there', async t => {
  const held = gate()
  const { session, asked } = await pool(t, [['One', { gate: held }, '.'], 'Two.'], ['Side.', 'Side again.'])
  const run = session.prompt('one')
  await held.reached
  const side = session.thread()
  const words = (content: string) => ({ id: content, role: 'user' as const, content })
  const { signal } = new AbortController()
  await side.run(words('a'), { signal })
  assert.deepEqual(asked(), [1, 1])
  held.open()
  await run
  await side.run(words('b'), { signal })
  await session.prompt('two')
  assert.deepEqual(asked(), [2, 2])
})

test('a pool has a price where all of it ask the same, and its main server tells of the model', async t => {
  const { session, desk } = await pool(t, ['Hello.'], [])
  await session.prompt('hi')
  const lab = (price?: { input: number; output: number }) => ({
    ...{ type: 'openai' as const, base_url: 'http://127.0.0.1:9/v1' },
    models: { big: { price } },
  })
  const pooled = (one: ReturnType<typeof lab>, other: ReturnType<typeof lab>) =>
    priceOf(
      {
        ...defaults,
        providers: { one, other, both: { type: 'pool', of: ['one', 'other'] } },
      },
      'both/big',
    )
  const price = { input: 1, output: 2 }
  assert.deepEqual(pooled(lab(price), lab({ ...price })), price)
  assert.equal(pooled(lab(price), lab()), undefined)
  assert.equal(pooled(lab(price), lab({ ...price, output: 3 })), undefined)

  const ollama = { type: 'ollama' as const, host: desk.host }
  const { backend } = await openServer({
    ...defaults,
    ollama: { ...defaults.ollama, model: 'both/scripted' },
    providers: { one: ollama, other: ollama, both: { type: 'pool', of: ['one', 'other'] } },
  })
  assert.ok((await backend.state?.('both/scripted'))?.context)
})
