import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate } from '../support/demo/reply.ts'
import { call, type House, openHouse } from '../support/house.ts'

const phases = ({ events }: House) => events.flatMap(event => (event.type === 'phase' ? [event.phase] : []))

test('a model that is not loaded is waited for, then known to be loading, then writes', async t => {
  const held = gate()
  const house = await openHouse(t, {
    server: { load: async () => void (await held.opened) },
    replies: [{ text: 'Hi.' }],
  })
  const run = house.session.prompt('hello')
  await house.seen(event => event.type === 'phase' && event.phase === 'loading')
  held.open()
  await run
  assert.deepEqual(phases(house), ['waiting', 'loading', 'writing', 'idle'])
})

test('after a finished request the next one is said to read, with the tokens that are new', async t => {
  const house = await openHouse(t, { replies: [call('ls', {}), 'One.', 'Two.'] })
  await house.session.prompt('one')
  await house.session.prompt('two words')
  const reading = house.events.flatMap(event =>
    event.type === 'phase' && event.phase === 'reading' ? [event] : [],
  )
  assert.equal(reading.length, 1 + 1)
  assert.ok((reading.at(-1)?.tokens ?? 0) < 20)
  assert.equal(phases(house).at(-1), 'idle')
})

test('from the start of a run to its end something is said to happen, also where nobody answers', async t => {
  const house = await openHouse(t)
  await house.server.close()
  const run = house.session.prompt('are you there?')
  await house.seen(event => event.type === 'phase' && event.phase === 'waiting')
  assert.ok(!house.events.some(({ type }) => type === 'error'))
  assert.equal((await run).reason, 'error')
  assert.deepEqual(phases(house), ['waiting', 'idle'])
})

test('what /api/ps proves after the run has ended is not shown any more', async t => {
  const asked = gate()
  const house = await openHouse(t, { replies: [[{ gate: gate() }]] })
  const run = house.session.prompt('hello')
  house.session.subscribe(event => {
    if (event.type === 'turn_start') setImmediate(() => house.session.abort())
    if (event.type === 'agent_end') asked.reach()
  })
  await run
  await asked.reached
  await new Promise(resolve => setTimeout(resolve, 100))
  assert.equal(phases(house).at(-1), 'idle')
})
