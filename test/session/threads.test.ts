import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry, SessionEvent } from '../../src/protocol/events.ts'
import type { UserMessage } from '../../src/protocol/messages.ts'
import { builtinTools } from '../../src/tools/list.ts'
import { toWire } from '../../src/tools/tool.ts'
import { gate } from '../support/demo/reply.ts'
import { call, type House, openHouse } from '../support/house.ts'

const said = (content: string, id = content): UserMessage => ({ id, role: 'user', content })
const { signal } = new AbortController()
const bodyOf = ({ server }: House, index: number) =>
  (server.chats[index]?.body ?? { messages: [] }) as { messages: { content: string }[] }
const ls = builtinTools().filter(({ name }) => name === 'ls')
const namesOf = (body: unknown) =>
  (body as { tools: { function: { name: string } }[] }).tools.map(tool => tool.function.name)

test('a side conversation has a history, tools and a setup of its own, and the main one does not see it', async t => {
  const house = await openHouse(t, {
    files: { 'a.txt': 'a' },
    replies: ['Main one.', call('ls', {}), 'Side one.', 'Main two.'],
  })
  const { session, server, events } = house
  const all: SessionEvent[] = []
  session.subscribe(event => all.push(event), { threads: true })
  await session.prompt('one')
  const before = events.length

  const side = session.thread({
    tools: ls,
    setup: main => ({ ...main, system: 'You look around.', wireTools: ls.map(toWire) }),
  })
  const { end } = await side.run(said('look'), { signal })
  assert.equal(end.text, 'Side one.')
  assert.equal(events.length, before, 'who does not ask for threads hears nothing of it')
  const heard = all.slice(before)
  assert.ok(heard.length > 10 && heard.every(({ thread }) => thread === side.id))

  assert.deepEqual(namesOf(server.chats[1]?.body), ['ls'])
  assert.equal(bodyOf(house, 1).messages[0]?.content, 'You look around.')
  assert.deepEqual(
    house.sent(1).map(({ content }) => content),
    ['look'],
  )

  await session.prompt('two')
  assert.deepEqual(
    house.sent(3).map(({ content }) => content),
    ['one', 'Main one.', 'two'],
  )
  assert.deepEqual(
    session.messages.map(({ content }) => content),
    ['one', 'Main one.', 'two', 'Main two.'],
  )
  assert.deepEqual(session.threads, [side.id])
  assert.deepEqual(server.violations, [])
})

test('a branch goes on from the main conversation: the server reads nothing of it again', async t => {
  const house = await openHouse(t, { replies: ['A long answer. '.repeat(200), 'Branch.', 'Main.'] })
  await house.session.prompt('one')
  await house.session.thread({ branch: true }).run(said('aside'), { signal })
  assert.deepEqual(
    house.sent(1).map(({ role }) => role),
    ['user', 'assistant', 'user'],
  )
  const [first, branch] = house.server.chats
  assert.ok((branch?.read ?? 1e9) < 60, `the branch read ${branch?.read} of ${first?.read}`)
  await house.session.prompt('two')
  assert.ok((house.server.chats[2]?.read ?? 1e9) < 60, 'and neither does the main one after it')
})

test('both are resumed from one journal, and send the bytes that they sent before', async t => {
  const first = await openHouse(t, { files: { 'a.txt': 'a' }, replies: ['Main.', call('ls', {}), 'Side.'] })
  await first.session.prompt('one')
  const side = first.session.thread({
    tools: ls,
    setup: main => ({ ...main, system: 'You look around.', wireTools: ls.map(toWire) }),
  })
  await side.run(said('look'), { signal })
  const asked = bodyOf(first, 2).messages
  await first.session.close()
  const entries = first.journal() as (Entry & { thread?: string })[]
  assert.ok(entries.some(({ type, thread }) => type === 'thread_start' && thread === side.id))

  const next = await openHouse(t, {
    before: first,
    resume: { last: true },
    replies: ['Side again.', 'Main again.'],
  })
  assert.deepEqual(
    next.session.messages.map(({ content }) => content),
    ['one', 'Main.'],
  )
  assert.deepEqual(next.session.threads, [side.id])
  await next.session.connect()
  const again = next.session.thread({ id: side.id ?? '', tools: ls })
  await again.run(said('more'), { signal })
  const now = bodyOf(next, 0).messages
  assert.deepEqual(now.slice(0, asked.length), asked)
  assert.deepEqual(namesOf(next.server.chats[0]?.body), ['ls'])
  await next.session.prompt('two')
  assert.deepEqual(
    next.sent(1).map(({ content }) => content),
    ['one', 'Main.', 'two'],
  )
  assert.throws(() => next.session.thread({ id: 'nobody' }), /no side conversation/)
})

test('a branch that a crash cut is mended by itself, and the main conversation is not touched', async t => {
  const held = gate()
  const first = await openHouse(t, { replies: ['Main.', ['Half of ', { gate: held }, 'it']] })
  await first.session.prompt('one')
  const side = first.session.thread({ branch: true })
  const begun = new Promise<void>(resolve =>
    first.session.subscribe(({ type }) => type === 'message_delta' && resolve(), { threads: true }),
  )
  const running = side.run(said('aside'), { signal })
  await begun
  const next = await openHouse(t, {
    before: first,
    resume: { fork: first.session.id },
    replies: ['Again.', 'Two.'],
  })
  held.open()
  await running
  await next.session.connect()
  assert.deepEqual(
    next.session.messages.map(({ content }) => content),
    ['one', 'Main.'],
  )
  await next.session.thread({ id: side.id ?? '' }).run(said('go on'), { signal })
  assert.deepEqual(
    next.sent(0).map(({ role }) => role),
    ['user', 'assistant', 'user', 'assistant', 'user'],
  )
  const mended = (next.journal() as (Entry & { thread?: string })[]).filter(
    entry => entry.type === 'agent_end' && entry.reason === 'aborted',
  )
  assert.deepEqual(
    mended.map(({ thread }) => thread),
    [side.id],
  )
})

test('closing the session ends what still runs at its side', async t => {
  const held = gate()
  const house = await openHouse(t, { replies: ['Main.', ['Half', { gate: held }]] })
  await house.session.prompt('one')
  const running = house.session.thread().run(said('aside'), { signal })
  await held.reached
  await house.session.close()
  assert.equal((await running).end.reason, 'aborted')
  held.open()
  assert.throws(() => house.session.thread(), /closed/)
})
