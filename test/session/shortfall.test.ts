import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Backend } from '../../src/backends/backend.ts'
import type { Remembered } from '../../src/memory/remembered.ts'
import { told } from '../../src/words/sayings/told.ts'
import { openHouse } from '../support/house.ts'
import { memory } from '../support/memory.ts'

test('that a model runs on the CPU is said once in a day; what can be mended is said every time', async t => {
  const remembered: Remembered = {
    models: memory(),
    speeds: memory(),
    tokens: memory(),
    offers: memory(),
    close() {},
  }
  const said: string[] = []
  const facts = { model: 'scripted' }
  const wants = [
    told('context.cpu', facts),
    told('context.cpu', facts),
    told('context.smaller', { ...facts, has: 4096, wanted: 8192 }),
    told('context.smaller', { ...facts, has: 4096, wanted: 8192 }),
  ]
  for (const want of wants) {
    const asked: string[] = []
    const backend: Backend = {
      host: 'there',
      chat: async function* () {
        yield { type: 'text', text: 'Yes.' }
        yield { type: 'end', reason: 'stop' }
      },
      facts: async () => ({ capabilities: ['tools'], trained_context: 32_768 }),
      models: async () => [{ name: 'scripted' }],
      shortfall: async model => {
        asked.push(model)
        return want
      },
    }
    const { session, events } = await openHouse(t, { remembered, backend })
    await session.prompt('hi')
    await new Promise(resolve => setImmediate(resolve))
    assert.deepEqual(asked, ['scripted'])
    said.push(events.flatMap(event => (event.type === 'notice' ? [String(event.facts?.case)] : [])).join())
    await session.close()
  }
  assert.deepEqual(said, ['cpu', '', 'smaller', 'smaller'])
})
