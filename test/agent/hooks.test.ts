import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { CallHook, Wish } from '../../src/agent/hooks.ts'
import { gate } from '../support/demo/reply.ts'
import { type HouseOptions, openHouse } from '../support/house.ts'

const callOf = (name: string, args: Record<string, unknown>) => ({ call: { name, arguments: args } })

/** One reply with calls, then words. */
async function talk(
  t: TestContext,
  calls: { call: { name: string; arguments: Record<string, unknown> } }[],
  options: HouseOptions,
) {
  const house = await openHouse(t, { replies: [calls, 'Done.'], ...options })
  const result = await house.session.prompt('go')
  const told = house.events.flatMap(event => (event.type === 'permission' ? [event] : []))
  const results = house.events.flatMap(event =>
    event.type === 'message' && event.role === 'tool' ? [event] : [],
  )
  return { ...house, result, told, results }
}

const before = (name: string, wish: Wish | ((args: Record<string, unknown>) => Wish)): CallHook => ({
  name,
  before: async call => (typeof wish === 'function' ? wish(call.arguments) : wish),
})

const ask = { permission: { mode: 'ask' } }

test('a step changes arguments, which are checked, judged and run as the model’s would be', async t => {
  const hooks = [before('mover', ({ path: file }) => ({ arguments: { path: `sub/${file}`, content: 'x' } }))]
  const { cwd, results, told } = await talk(t, [callOf('write', { path: 'a.txt', content: 'a' })], { hooks })
  assert.ok(existsSync(path.join(cwd, 'sub/a.txt')) && !existsSync(path.join(cwd, 'a.txt')))
  assert.match(results[0]?.content ?? '', /sub\/a\.txt/)
  assert.equal(told[0]?.decision, 'allow')

  const out = [before('mover', { arguments: { path: '../b.txt', content: 'x' } })]
  const outside = await talk(t, [callOf('write', { path: 'b.txt', content: 'a' })], { hooks: out })
  assert.match(outside.told[0]?.why ?? '', /writes outside the project/)

  const broken = [before('breaker', { arguments: { content: 'x' } })]
  const unusable = await talk(t, [callOf('write', { path: 'b.txt', content: 'a' })], { hooks: broken })
  assert.match(unusable.results[0]?.content ?? '', /"path" is missing/)
})

test('a step denies, and the person and the model hear why', async t => {
  const hooks = [before('guard', { decision: 'deny', because: 'not on Fridays' })]
  const { results, told, cwd } = await talk(t, [callOf('bash', { command: 'touch x' })], { hooks })
  assert.ok(!existsSync(path.join(cwd, 'x')))
  assert.deepEqual([told[0]?.decision, told[0]?.by], ['deny', 'hook'])
  assert.equal(told[0]?.why, 'guard: not on Fridays')
  assert.deepEqual(told[0]?.facts, { case: 'step_because', step: 'guard', reason: 'not on Fridays' })
  assert.match(results[0]?.content ?? '', /not on Fridays/)
})

test('a step has a call asked about that would run, and lets run what would ask', async t => {
  const asked: string[] = []
  const approve = async ({ why }: { why: string }) => {
    asked.push(why)
    return { allow: true as const }
  }
  const asking = [before('careful', { decision: 'ask' })]
  const careful = await talk(t, [callOf('bash', { command: 'touch x' })], { hooks: asking, approve })
  assert.deepEqual(asked, ['careful decided it'])
  assert.ok(existsSync(path.join(careful.cwd, 'x')))

  const letting = [before('helper', { decision: 'allow' })]
  const helped = await talk(t, [callOf('bash', { command: 'touch x' })], { hooks: letting, config: ask })
  assert.deepEqual([helped.told[0]?.decision, helped.told[0]?.by], ['allow', 'hook'])
  assert.ok(existsSync(path.join(helped.cwd, 'x')))
})

test('no step lets run what is hard or protected, or what a rule denies, and the strictest step wins', async t => {
  const hooks = [before('helper', { decision: 'allow' })]
  const rows: [command: string, config: Record<string, object>, by: string][] = [
    ['rm -rf ~', {}, 'nobody'],
    ['cat .env', {}, 'nobody'],
    ['echo x > .git/hooks/y', {}, 'nobody'],
    ['touch x', { permission: { deny: ['Bash(touch *)'] } }, 'rule'],
    ['touch x', { permission: { mode: 'plan' } }, 'mode'],
  ]
  for (const [command, config, by] of rows) {
    const { told } = await talk(t, [callOf('bash', { command })], { hooks, config, files: { '.env': 'A=1' } })
    assert.deepEqual([told[0]?.decision, told[0]?.by], ['deny', by], command)
  }
  const both = [...hooks, before('guard', { decision: 'deny' }), ...hooks]
  const { told } = await talk(t, [callOf('ls', {})], { hooks: both })
  assert.deepEqual([told[0]?.decision, told[0]?.why], ['deny', 'guard decided it'])
})

test('a step adds to a result; what it adds is masked like the rest', async t => {
  const key = `AKIA${'ABCDEFGHIJKLMNOP'}`
  const hooks: CallHook[] = [
    { name: 'linter', after: async (_, { is_error }) => `lint: ${is_error ? 'failed' : 'fine'}` },
    { name: 'teller', after: async () => `key ${key}` },
    { name: 'silent', after: async () => undefined },
  ]
  const { results } = await talk(
    t,
    [callOf('bash', { command: 'echo hi' }), callOf('read', { path: 'no' })],
    {
      hooks,
    },
  )
  assert.match(results[0]?.content ?? '', /^hi\n\nlint: fine\n\nkey \[masked/)
  assert.match(results[1]?.content ?? '', /does not exist[\s\S]*lint: failed/)
  assert.ok(!JSON.stringify(results).includes(key))
})

test('calls that run ahead of the end of a reply go the same way, and each step sees a call once', async t => {
  const seen: string[] = []
  const held = gate()
  let reached: () => void = () => {}
  const after = new Promise<void>(resolve => {
    reached = resolve
  })
  const hooks: CallHook[] = [
    {
      name: 'all',
      async before({ arguments: { path: file } }) {
        seen.push(`before ${file}`)
        if (file === 'denied.txt') return { decision: 'deny' }
        if (file === 'asked.txt') return { decision: 'ask' }
        return file === 'other.txt' ? { arguments: { path: 'a.txt' } } : undefined
      },
      async after({ arguments: { path: file } }) {
        seen.push(`after ${file}`)
        if (seen.filter(text => text.startsWith('after')).length === 2) reached()
        return `added to ${file}`
      },
    },
  ]
  const calls = ['a.txt', 'denied.txt', 'asked.txt', 'other.txt'].map(file => callOf('read', { path: file }))
  const files = { 'a.txt': 'early', 'denied.txt': 'no', 'asked.txt': 'yes', 'other.txt': 'other' }
  const house = await openHouse(t, {
    hooks,
    files,
    approve: async () => ({ allow: true }),
    replies: [[...calls, { gate: held }, callOf('ls', {})], 'Done.'],
  })
  const run = house.session.prompt('go')
  await after
  await held.reached
  assert.ok(!house.events.some(({ type }) => type === 'tool_call_start'), 'the reply has not ended')
  writeFileSync(path.join(house.cwd, 'a.txt'), 'late')
  held.open()
  assert.equal((await run).reason, 'done')
  const results = house.sent(1).flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
  assert.match(results[0] ?? '', /early\n\nadded to a\.txt$/)
  assert.match(results[1] ?? '', /all decided it/)
  assert.match(results[2] ?? '', /yes\n\nadded to asked\.txt$/)
  assert.match(results[3] ?? '', /early\n\nadded to a\.txt$/)
  assert.deepEqual(seen.filter(text => /before .*txt/.test(text)).sort(), [
    'before a.txt',
    'before asked.txt',
    'before denied.txt',
    'before other.txt',
  ])
})
