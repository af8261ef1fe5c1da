import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PartialEntry } from '../../src/protocol/events.ts'
import { PartialWriter } from '../../src/session/partial.ts'

test('pieces are written at most four times a second, also of many short replies; what is whole is not written', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const written: PartialEntry[] = []
  const writer = new PartialWriter(partial => written.push(partial))
  for (let time = 0; time < 1_000; time += 10) {
    writer.add(`m${Math.floor(time / 100)}`, 'x')
    if (time % 100 === 90) writer.end()
    t.mock.timers.tick(10)
  }
  assert.equal(written.length, 4)
  assert.equal(written[0]?.text, 'x')
  for (const { text } of written) assert.ok(text.length <= 10, 'only of the message in progress')

  for (const text of ['y', 'z']) writer.add('last', text)
  const before = written.length
  writer.close()
  t.mock.timers.tick(1_000)
  assert.equal(written.length, before, 'nothing is written after the end')
})
