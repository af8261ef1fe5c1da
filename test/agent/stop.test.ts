/** A run ends when it is told to, whatever it waits for; and whatever fails in it, nothing of it goes on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tool } from '../../src/tools/tool.ts'
import { gate } from '../support/demo/reply.ts'
import { call, openHouse } from '../support/house.ts'

const never = () => new Promise<never>(() => {})

const asking = { permission: { mode: 'ask' } }

/** A tool without parameters that only `execute` describes. */
const tool = (name: string, execute: Tool['execute']): Tool => ({
  name,
  description: 'A tool of the test.',
  parameters: { type: 'object', properties: {}, required: [] },
  check: () => ({ ok: true, args: {} }),
  access: () => [{ unknown: 'A tool of the test.' }],
  execute,
})

test('an abort ends a run that waits for an answer nobody gives: to go on, to a call, to two calls', async t => {
  const echo = (text: string) => ({ name: 'bash', arguments: { command: `touch ${text}` } })
  const goingOn = await openHouse(t, { maxTurns: 1, goOn: never, replies: [{ calls: [echo('a')] }, 'Done.'] })
  const run = goingOn.session.prompt('go')
  await goingOn.seen(({ type }) => type === 'turn_end')
  goingOn.session.abort()
  assert.equal((await run).reason, 'aborted')
  assert.equal((await goingOn.session.prompt('go on')).text, 'Done.')

  for (const calls of [[echo('a')], [echo('a'), echo('b')]]) {
    const house = await openHouse(t, { config: asking, approve: never, replies: [{ calls }, 'Done.'] })
    const asked = house.session.prompt('go')
    await house.seen(({ type }) => type === 'permission_request')
    await house.session.close()
    assert.equal((await asked).reason, 'aborted')
    const results = house.session.messages.filter(({ role }) => role === 'tool')
    assert.equal(results.length, calls.length)
  }
})

test('an abort ends a run whose tool does not listen to it', async t => {
  const begun = gate()
  const deaf = tool('deaf', () => {
    begun.reach()
    return never()
  })
  const house = await openHouse(t, { tools: [deaf], replies: [call('deaf', {}), 'Done.'] })
  const run = house.session.prompt('go')
  await begun.reached
  house.session.abort()
  assert.equal((await run).reason, 'aborted')
  const [, , result] = house.session.messages
  assert.match(result?.content ?? '', /aborted/)
  assert.equal((await house.session.prompt('again')).text, 'Done.')
})

test('when a tool of ours breaks, the other calls of the reply are ended, and each call has a result', async t => {
  const begun = gate()
  let ended: unknown
  const slow = tool('slow', async (_, { signal }) => {
    begun.reach()
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    return { output: 'never' }
  })
  const broken = tool('broken', async () => {
    await begun.reached
    throw new TypeError('a bug')
  })
  const house = await openHouse(t, {
    tools: [{ ...slow, execute: (...args) => slow.execute(...args).finally(() => (ended = true)) }, broken],
    replies: [{ calls: ['broken', 'broken', 'slow'].map(name => ({ name, arguments: {} })) }, 'Fine.'],
  })
  const result = await house.session.prompt('go')
  assert.deepEqual([result.reason, result.error?.code, ended], ['error', 'internal', true])
  assert.equal(house.session.messages.filter(({ role }) => role === 'tool').length, 3)
  assert.equal((await house.session.prompt('again')).text, 'Fine.')
  assert.deepEqual(house.server.violations, [])
})

test('a listener that throws is heard of, and disturbs neither the run nor the other listeners', async t => {
  const house = await openHouse(t, { replies: [call('bash', { command: 'echo hi' }), 'Done.'] })
  const heard: unknown[] = []
  const catchIt = (error: unknown) => heard.push(error)
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', catchIt)
  t.after(() => {
    process.off('uncaughtException', catchIt)
    for (const other of others) process.on('uncaughtException', other)
  })
  house.session.subscribe(event => {
    if (event.type === 'agent_end' || event.type === 'tool_call_start')
      throw new Error('a bug of the listener')
  })
  const types: string[] = []
  house.session.subscribe(({ type }) => types.push(type))
  assert.equal((await house.session.prompt('go')).text, 'Done.')
  assert.equal(house.session.isStreaming, false)
  await new Promise(setImmediate)
  assert.equal(heard.length, 2)
  assert.equal(types.filter(type => type === 'agent_end').length, 1)
})
