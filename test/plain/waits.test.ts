import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellWaits } from '../../src/plain/waits.ts'
import type { SessionEvent } from '../../src/protocol/events.ts'
import { EN } from '../../src/words/en.ts'

test('a wait is told after five seconds, then more and more rarely, and not while text comes', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines: string[] = []
  const waits = tellWaits(line => lines.push(line.replace(/\d+(\.\d)? s$/, 'N s')), EN)
  const hears = (...events: SessionEvent[]) => events.forEach(waits.listen)
  hears({ type: 'phase', phase: 'waiting' }, { type: 'phase', phase: 'reading', tokens: 900 })
  t.mock.timers.tick(4999)
  assert.deepEqual(lines, [])
  t.mock.timers.tick(1)
  t.mock.timers.tick(9999)
  assert.deepEqual(lines, ['… reading 900 tokens · N s'])
  t.mock.timers.tick(1)
  assert.equal(lines.length, 2)
  hears({ type: 'phase', phase: 'writing' }, { type: 'message_delta', message_id: 'm', text: 'x' })
  t.mock.timers.tick(60_000)
  hears({ type: 'phase', phase: 'tool' })
  t.mock.timers.tick(5000)
  hears({ type: 'phase', phase: 'idle' })
  t.mock.timers.tick(60_000)
  assert.deepEqual(lines.slice(2), ['… running a tool · N s'])
  waits.begin('Asking at the side')
  t.mock.timers.tick(5000)
  assert.deepEqual(lines.slice(3), ['… Asking at the side · N s'])
  waits.stop()
})
