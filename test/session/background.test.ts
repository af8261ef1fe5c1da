import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { SessionEvent } from '../../src/protocol/events.ts'
import { EN } from '../../src/words/en.ts'
import { call, openHouse } from '../support/house.ts'
import { eventually } from '../support/program.ts'

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
  const [[, left] = []] = house.session.background.running
  assert.ok(left?.pid && isAlive(left.pid))
  await house.session.close()
  assert.ok(!isAlive(left.pid))
  assert.deepEqual(house.session.alongside, [left.command], 'what ended with the session')
  assert.deepEqual(house.server.violations, [])
})

/** The command has said `up`. */
const started = ({ events }: { events: readonly SessionEvent[] }) =>
  events.some(event => event.type === 'tool_output' && event.text.includes('up'))

test('a command that runs is sent to the background, the run goes on, and its end is told', async t => {
  const house = await openHouse(t, {
    files: { 'a.txt': 'x' },
    replies: [
      call('bash', {
        command:
          'cd /; export N=1; echo up; until [ -e "$OLDPWD/go" ]; do sleep 0.01; done; echo down; exit 3',
      }),
      call('bash', { command: 'pwd; echo "N=$N"' }),
      'It goes on.',
      'So it failed.',
    ],
  })
  const { session } = house
  assert.equal(session.toBackground(), false)
  const run = session.prompt('go')
  await eventually('it has begun', () => started(house))
  assert.equal(session.toBackground(), true)
  assert.equal((await run).text, 'It goes on.')
  const [first, second] = session.messages.filter(message => message.role === 'tool')
  assert.match(first?.content ?? '', /^up\nThe user sent this command to the background, .* as b1\./)
  assert.equal(first?.is_error, false)
  // The next shell is where the one before was, before that command.
  assert.equal(second?.content, `${house.cwd}\nN=`)
  assert.deepEqual(
    session.background.running.map(([id]) => id),
    ['b1'],
  )
  writeFileSync(path.join(house.cwd, 'go'), '')
  const notice = await house.seen(event => event.type === 'notice')
  assert.match(notice.type === 'notice' ? notice.message : '', /ended: cd .* \(exit code 3\)/)
  assert.deepEqual(session.background.running, [])
  await session.prompt('and?')
  assert.match(
    house.sent(3).at(-1)?.content ?? '',
    /^A command that I had sent to the background has ended:\n\$ cd [^\n]*\ndown\nexit code 3\n\nand\?$/,
  )
  assert.deepEqual(house.server.violations, [])
})

test('a command of the person’s own goes to the background too, and what was kept out stays out', async t => {
  const house = await openHouse(t, { replies: ['Yes.', 'No.'] })
  const { session } = house
  const { signal } = new AbortController()
  for (const forModel of [true, false]) {
    const begun = { is: false }
    const onOutput = () => {
      begun.is = true
    }
    const ran = session.shell.run('echo up; until [ -e go ]; do sleep 0.01; done', {
      ...{ forModel, signal, onOutput },
    })
    await eventually('it has begun', () => begun.is)
    assert.equal(session.toBackground(), true)
    assert.ok('content' in (await ran))
  }
  writeFileSync(path.join(house.cwd, 'go'), '')
  await eventually('both have ended', () => session.background.running.length === 0)
  await session.prompt('and?')
  const told = house.sent(0).at(-1)?.content ?? ''
  assert.equal(told.match(/had sent to the background has ended/g)?.length, 1)
  assert.equal(told.match(/I ran a command myself/g)?.length, 1)
})

test('what was sent to the background ends with the session, and a resumed one knows', async t => {
  const house = await openHouse(t, {
    replies: [
      call('bash', { command: 'echo up; trap "" TERM; sleep 600 & echo $! >pid; wait' }),
      'On it goes.',
    ],
  })
  const run = house.session.prompt('go')
  await eventually('it has begun', () => started(house) && existsSync(path.join(house.cwd, 'pid')))
  assert.equal(house.session.toBackground(), true)
  await run
  const pid = Number(readFileSync(path.join(house.cwd, 'pid'), 'utf8'))
  assert.ok(isAlive(pid))
  await house.session.close()
  await eventually('it is gone', () => !isAlive(pid))
  const next = await openHouse(t, { before: house, resume: { last: true }, replies: ['Yes.'] })
  await next.session.prompt('and?')
  assert.match(next.sent(0).at(-1)?.content ?? '', /has ended:\n\$ echo up[^\n]*\nended by SIGKILL\n\nand\?$/)
})

test('unasked, in a sandbox or as harmless, nothing stays', async t => {
  const house = await openHouse(t, {
    background: true,
    config: { permission: { mode: 'ask' } },
    replies: [call('bash', { command: 'npm run dev', background: true }), 'No.'],
  })
  const { reason } = await house.session.prompt('go')
  assert.equal(reason, 'permission')
  assert.equal(house.session.background.ids.length, 0)
})

test('a line that only reads does nothing else there either, whatever stands in the environment', async t => {
  const trap = mkdtempSync(path.join(tmpdir(), 'gopi-test-'))
  t.after(() => rmSync(trap, { recursive: true }))
  writeFileSync(path.join(trap, 'env.sh'), `: > '${trap}/CANARY'\nls() { :; }\n`)
  const { BASH_ENV: before } = process.env
  process.env.BASH_ENV = path.join(trap, 'env.sh')
  t.after(() => {
    process.env.BASH_ENV = before ?? ''
  })
  const house = await openHouse(t, {
    background: true,
    files: { 'a.txt': 'a\n' },
    config: { permission: { mode: 'ask' } },
    replies: [
      call('bash', { command: 'ls', background: true }),
      call('bash_output', { id: 'b1', wait: 30 }),
      'Done.',
    ],
  })
  await house.session.prompt('go')
  const results = house.session.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
  assert.match(results[1] ?? '', /^a\.txt\n/)
  assert.equal(existsSync(path.join(trap, 'CANARY')), false)
})

test('whoever ends what they had sent to the background hears that they did, and so does the model', async t => {
  const house = await openHouse(t, {
    replies: [call('bash', { command: 'echo up; exec sleep 600' }), 'On it goes.', 'Yes.'],
  })
  const { session } = house
  const run = session.prompt('go')
  await eventually('it has begun', () => started(house))
  assert.equal(session.toBackground(), true)
  await run
  const [[, job] = []] = session.background.running
  await job?.stop()
  await eventually('it is told', () =>
    house.events.some(
      event =>
        event.type === 'notice' &&
        EN.say(event) ===
          'In the background, ended by you: echo up; exec sleep 600. The model is told with your next words.',
    ),
  )
  await session.prompt('and?')
  assert.match(
    house.sent(2).at(-1)?.content ?? '',
    /has ended:\n\$ echo up[^\n]*\n[\s\S]*ended by the user\n\nand\?$/,
  )
})
