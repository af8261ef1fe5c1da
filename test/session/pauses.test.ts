import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pauses } from '../../src/session/pauses.ts'

/** Keys with these gaps between them (ms). */
function typed(...gaps: number[]): Pauses {
  const pauses = new Pauses()
  let now = 5_000
  pauses.key(now)
  for (const gap of gaps) pauses.key((now += gap))
  return pauses
}

test('a pause is likely to last as long as those before it that lasted as long so far', () => {
  const rows: [typed: Pauses, so: number, rest: number][] = [
    [typed(), 150, 850],
    [typed(80, 90, 149), 150, 850],
    [typed(200, 200, 200, 4_000), 150, 50],
    [typed(200, 200, 200, 4_000), 300, 3_700],
    [typed(200, 200, 200, 4_000), 5_000, 5_000],
  ]
  for (const [pauses, so, rest] of rows) assert.equal(pauses.rest(so), rest)
})

test('what was long ago is forgotten, Enter ends a pause, and what comes after it is none', () => {
  const pauses = typed(...Array<number>(15).fill(9_000), ...Array<number>(15).fill(400))
  assert.equal(pauses.rest(150), 250)
  const fresh = new Pauses()
  fresh.key(0)
  fresh.sent(700)
  fresh.key(60_700)
  assert.equal(fresh.rest(150), 550)
})
