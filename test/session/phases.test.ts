import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gate } from '../../src/demo/reply.ts'
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
