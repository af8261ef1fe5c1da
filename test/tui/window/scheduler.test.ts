import assert from 'node:assert/strict'
import { mock, type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createScheduler } from '../../../src/tui/window/scheduler.ts'

interface Clock {
  /** So many milliseconds pass. */
  pass(ms: number): Promise<void>
  frames: number
}

/** A scheduler in a time that only the test lets pass. */
function open(t: TestContext) {
  let now = 1000
  const timers = mock.timers
  timers.enable({ apis: ['setTimeout', 'setInterval'] })
  t.mock.method(performance, 'now', () => now)
  t.after(() => timers.reset())
  const clock: Clock = {
    frames: 0,
    async pass(ms) {
      for (let step = 0; step < ms; step++) {
        now++
        timers.tick(1)
        await turn()
      }
    },
  }
  return { clock, scheduler: createScheduler(() => clock.frames++) }
}

test('however often a frame is requested, there is one in 33 ms, and the last request is drawn', async t => {
  const { clock, scheduler } = open(t)
  for (let ms = 0; ms < 330; ms++) {
    scheduler.request()
    scheduler.request()
    await clock.pass(1)
  }
  assert.ok(clock.frames >= 9 && clock.frames <= 11, `${clock.frames} frames`)
  await clock.pass(40)
  const { frames } = clock
  await clock.pass(1000)
  assert.equal(clock.frames, frames)
  scheduler.request()
  await clock.pass(1)
  assert.equal(clock.frames, frames + 1)
})

test('what the person waits for does not wait for the next frame', async t => {
  const { clock, scheduler } = open(t)
  scheduler.request()
  await clock.pass(1)
  assert.equal(clock.frames, 1)
  scheduler.request()
  scheduler.now()
  scheduler.now()
  await clock.pass(1)
  assert.equal(clock.frames, 2)
  // The request before was drawn with it.
  await clock.pass(100)
  assert.equal(clock.frames, 2)
})

test('it ticks four times a second while that is on, once however often it was switched on', async t => {
  const { clock, scheduler } = open(t)
  scheduler.tick(true)
  scheduler.tick(true)
  await clock.pass(2020)
  assert.equal(clock.frames, 8)
  scheduler.tick(false)
  await clock.pass(2000)
  assert.equal(clock.frames, 8)
})

test('after it is stopped nothing is drawn', async t => {
  const { clock, scheduler } = open(t)
  scheduler.tick(true)
  scheduler.now()
  scheduler.stop()
  await clock.pass(1000)
  assert.equal(clock.frames, 0)
})
