import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, openHouse } from '../support/house.ts'

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a command goes on in the background: it is read, ended, counted, and ends with the session', async t => {
  const house = await openHouse(t, {
    background: true,
    config: { permission: { deny: ['Bash(rm *)'] } },
    replies: [
      call('bash', { command: 'echo up; trap "" TERM; sleep 600 & wait; sleep 600', background: true }),
      call('bash_output', { id: 'b1', wait: 30 }),
      call('bash', { command: 'echo here' }),
      call('bash', { command: 'exec sleep 600', background: true }),
      call('bash_kill', { id: 'b1' }),
      call('bash_output', { id: 'b1' }),
      call('bash_output', { id: 'b7' }),
      call('bash', { command: 'rm -r x', background: true }),
      'Done.',
    ],
  })
  await house.session.prompt('go')
  const results = house.session.messages
    .filter(message => message.role === 'tool')
    .map(({ content }) => content)
  assert.equal(results[0], 'b1 runs in the background.')
  assert.equal(results[1], 'up\n(It still runs.)')
  assert.equal(results[2], 'here')
  assert.equal(results[4], 'b1 has ended.')
  assert.match(results[5] ?? '', /^\(nothing new\)\nended by SIGKILL$/)
  assert.match(results[6] ?? '', /no command b7; there are: b1, b2/)
  assert.match(results[7] ?? '', /^Denied: .*rm/)
  const counts = house.events.flatMap(event => (event.type === 'background' ? [event.running] : []))
  assert.deepEqual(counts, [1, 2, 1])
  const [left] = house.session.background?.running ?? []
  assert.ok(left?.pid && isAlive(left.pid))
  await house.session.close()
  assert.ok(!isAlive(left.pid))
  assert.deepEqual(house.server.violations, [])
})

test('unasked, in a sandbox or as harmless, nothing stays', async t => {
  const house = await openHouse(t, {
    background: true,
    config: { permission: { mode: 'ask' } },
    replies: [call('bash', { command: 'npm run dev', background: true }), 'No.'],
  })
  const { reason } = await house.session.prompt('go')
  assert.equal(reason, 'permission')
  assert.equal(house.session.background?.jobs.length, 0)
})
