import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate } from '../support/demo/reply.ts'
import { type House, openHouse } from '../support/house.ts'

interface Body {
  messages: { role: string; content: string }[]
  options: { num_ctx: number; num_predict?: number }
}

const bodyOf = (house: House, index: number) => house.server.chats[index]?.body as Body

/** About twice the tokens from which a draft is worth reading. */
const long = Array.from({ length: 300 }, (_, n) => `word${n}`).join(' ')

/** Everything of a request but what may differ in a prewarm. */
function comparable({ options: { num_predict: _, ...options }, messages, ...rest }: Body) {
  return { options, ...rest, first: messages[0] }
}

test('opening a session has the server read system, tools and history with the options of the real request', async t => {
  const house = await openHouse(t, { prewarm: 'open', replies: ['Hi.', 'Again.'] })
  await house.session.open()
  await (await house.server.chat(0)).ended
  await house.session.prompt('hello there')
  const [prewarm, real] = [bodyOf(house, 0), bodyOf(house, 1)]
  assert.equal(prewarm.options.num_predict, 1)
  assert.equal(prewarm.messages.length, 1)
  assert.deepEqual(comparable(prewarm), comparable(real))
  const { read = Number.NaN } = house.server.chats[1] ?? {}
  assert.ok(read <= 32 + 'hello there'.length / 4, `the real request read ${read} tokens`)
})

test('a resumed session has its history read too', async t => {
  const first = await openHouse(t, { replies: ['A long answer about something. '.repeat(50)] })
  await first.session.prompt('one')
  await first.session.close()
  const next = await openHouse(t, {
    before: first,
    resume: { last: true },
    prewarm: 'open',
    replies: ['Two.'],
  })
  await next.session.open()
  await (await next.server.chat(0)).ended
  await next.session.prompt('two')
  assert.ok((next.server.chats[1]?.read ?? Number.NaN) <= 40)
})

test('a prompt during the prewarm goes out at once and queues behind it; the prewarm is not aborted', async t => {
  let letRead = () => {}
  const reading = new Promise<void>(resolve => {
    letRead = resolve
  })
  let readings = 0
  const prefill = async () => {
    if (readings++ === 0) await reading
  }
  const house = await openHouse(t, { prewarm: 'open', server: { prefill }, replies: ['Hi.'] })
  await house.session.open()
  await house.server.chat(0)
  const run = house.session.prompt('hello')
  await house.server.chat(1)
  letRead()
  assert.equal((await run).text, 'Hi.')
  assert.equal(house.server.chats[0]?.aborted, false)
  assert.ok((house.server.chats[1]?.read ?? Number.NaN) <= 32)
})

test('a long draft is read while it is typed, and Enter leaves only the rest', async t => {
  const house = await openHouse(t, { prewarm: 'type', replies: ['Fine.'] })
  await house.session.open()
  await (await house.server.chat(0)).ended
  house.session.draft(long)
  await (await house.server.chat(1)).ended
  assert.equal(bodyOf(house, 1).messages.at(-1)?.content, long)
  await house.session.prompt(`${long} and the end`)
  assert.ok((house.server.chats[2]?.read ?? Number.NaN) <= 32)
  assert.equal(
    house.journal().some(entry => JSON.stringify(entry).includes('"content":""')),
    false,
  )
})

/** Some 25 tokens. */
const short = 'Which of the files in this directory is the longest one, and what is it there for? Look at it.'

test('a short draft is read in a pause in which it can be read, and Enter leaves the note of the date', async t => {
  const house = await openHouse(t, { prewarm: 'type', replies: ['Fine.'] })
  await house.session.open()
  await (await house.server.chat(0)).ended
  house.session.draft(short)
  await (await house.server.chat(1)).ended
  assert.equal(bodyOf(house, 1).messages.at(-1)?.content, short)
  await house.session.prompt(short)
  assert.ok((house.server.chats[2]?.read ?? Number.NaN) <= 16)
})

test('a short draft that takes longer to read than the pause is likely to last waits for a longer one', async t => {
  const house = await openHouse(t, { prewarm: 'type', replies: ['Fine.'] })
  await house.session.open()
  await (await house.server.chat(0)).ended
  // A person's pauses are taken to last a second until they are known.
  const long = 2_000
  house.session.main.gauge.ahead_ms = () => long
  const began = performance.now()
  house.session.draft(short)
  await house.server.chat(1)
  const pause = performance.now() - began
  assert.ok(pause >= long, `read after ${pause} ms`)
})

test('very short drafts, drafts during a run, and drafts with prewarm open or off send nothing', async t => {
  for (const [prewarm, text] of [
    ['type', 'short'],
    ['open', long],
    ['off', long],
  ] as const) {
    const house = await openHouse(t, { prewarm, replies: ['Fine.'] })
    await house.session.connect()
    house.session.draft(text)
    await house.session.prompt('go')
    assert.equal(house.server.chats.length, 1, prewarm)
  }
  const held = gate()
  const house = await openHouse(t, { prewarm: 'type', replies: [['a', { gate: held }, 'b']] })
  const run = house.session.prompt('go')
  await held.reached
  house.session.draft(long)
  held.open()
  await run
  assert.equal(house.server.chats.length, 1)
})

test('drafts are read one at a time; one that goes another way is abandoned', async t => {
  const held = gate()
  let readings = 0
  const prefill = async () => {
    if (readings++ !== 1) return
    held.reach()
    await held.opened
  }
  const house = await openHouse(t, { prewarm: 'type', server: { prefill }, replies: ['Fine.'] })
  await house.session.open()
  await (await house.server.chat(0)).ended
  house.session.draft(long)
  await held.reached
  house.session.draft(`${long} more`)
  assert.equal(house.server.chats[1]?.aborted, false, 'what is still a prefix goes on')
  house.session.draft(`other ${long}`)
  const next = await house.server.chat(2)
  held.open()
  await next.ended
  assert.equal(house.server.chats[1]?.aborted, true)
  assert.equal(bodyOf(house, 2).messages.at(-1)?.content, `other ${long}`)
  assert.equal((await house.session.prompt(`other ${long}!`)).text, 'Fine.')
  assert.equal(house.server.chats.length, 4)
})

test('a prewarm that fails is silent and leaves the work to the real request', async t => {
  const house = await openHouse(t, {
    prewarm: 'open',
    model: (_, index) => (index === 0 ? 'Fine.' : undefined),
    server: { contextLength: 4096 },
  })
  await house.session.open()
  assert.equal((await house.session.prompt('hi')).text, 'Fine.')
  assert.equal(
    house.events.some(({ type }) => type === 'error'),
    false,
  )
})

test('the first key after a pause warms again what the server has lost meanwhile, and nothing it still has', async t => {
  for (const lost of [true, false]) {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const house = await openHouse(t, { prewarm: 'type', replies: [] })
    await house.session.open()
    await (await house.server.chat(0)).ended
    const asked = () => house.server.requests.filter(({ path }) => path === '/api/ps').length
    while (asked() < 2) await new Promise(setImmediate)
    if (lost) {
      const body = JSON.stringify({ model: 'scripted', messages: [], keep_alive: 0 })
      await (await fetch(`${house.server.host}/api/chat`, { method: 'POST', body })).text()
    }
    const before = asked()
    t.mock.timers.setTime(Date.now() + 20_000)
    house.session.draft('h')
    house.session.draft('he')
    while (asked() === before) await new Promise(setImmediate)
    if (lost) await (await house.server.chat(1)).ended
    await house.session.close()
    assert.equal(house.server.chats.length, lost ? 2 : 1)
    t.mock.timers.reset()
  }
})
