import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { builtinTools } from '../../src/tools/list.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { gate } from '../support/demo/reply.ts'
import { openHouse } from '../support/house.ts'

/** The built-in tools; resolves `ran` when the named one is executed. */
function watched(name: string) {
  let ran: () => void = () => {}
  const executed = new Promise<void>(resolve => {
    ran = resolve
  })
  let times = 0
  const tools = builtinTools().map(
    (tool): Tool =>
      tool.name !== name
        ? tool
        : {
            ...tool,
            execute(args, context) {
              times++
              ran()
              return tool.execute(args, context)
            },
          },
  )
  return { tools, executed, times: () => times }
}

const callOf = (name: string, args: Record<string, unknown>) => ({ call: { name, arguments: args } })

test('a call that only reads runs while the model is still writing, once, and its result is used', async t => {
  const held = gate()
  const { tools, executed, times } = watched('read')
  const { session, sent, events } = await openHouse(t, {
    tools,
    files: { 'a.txt': 'early' },
    replies: [[callOf('read', { path: 'a.txt' }), { gate: held }, callOf('ls', {})], 'ok'],
  })
  const run = session.prompt('go')
  await executed
  await held.reached
  assert.equal(
    events.some(({ type }) => type === 'tool_call_start'),
    false,
    'its events wait for the reply',
  )
  held.open()
  assert.equal((await run).reason, 'done')
  assert.equal(times(), 1)
  assert.match(sent(1)[2]?.content ?? '', /early/)
  const order = events.flatMap(({ type }) => (/^(tool_call|permission)/.test(type) ? [type] : []))
  assert.deepEqual(order.slice(0, 2).sort(), ['tool_call_start', 'tool_call_start'])
  assert.equal(order.filter(type => type === 'permission').length, 2)
})

test('a call that writes waits for the end of the reply, and so does what comes after it', async t => {
  const held = gate()
  const { tools, times } = watched('read')
  const { session, sent, cwd } = await openHouse(t, {
    tools,
    files: { 'a.txt': 'old' },
    replies: [
      [
        callOf('write', { path: 'a.txt', content: 'new' }),
        callOf('read', { path: 'a.txt' }),
        { gate: held },
        ' ',
      ],
      'ok',
    ],
  })
  const run = session.prompt('go')
  await held.reached
  await new Promise(setImmediate)
  assert.equal(times(), 0)
  writeFileSync(path.join(cwd, 'marker'), '')
  held.open()
  await run
  assert.match(sent(1)[2]?.content ?? '', /a\.txt/)
  assert.ok(existsSync(path.join(cwd, 'marker')))
})

test('a reply that is cut drops what ran ahead, and its calls have results', async t => {
  const held = gate()
  const { tools, executed } = watched('read')
  const { session, server, sent } = await openHouse(t, {
    tools,
    files: { 'a.txt': 'early' },
    replies: [[callOf('read', { path: 'a.txt' }), { gate: held }, 'never'], 'Fine.'],
  })
  const run = session.prompt('go')
  await executed
  await held.reached
  void session.steer('stop that')
  assert.equal((await run).text, 'Fine.')
  assert.deepEqual(
    sent(1).map(({ role }) => role),
    ['user', 'assistant', 'tool', 'user'],
  )
  assert.match(sent(1)[2]?.content ?? '', /Not run/)
  assert.deepEqual(server.violations, [])
})

test('generation is stopped as soon as nothing useful can follow a call', async t => {
  const held = gate()
  const reply = { a_kind: 'call', b_text: '', c_calls: [{ a_name: 'read', b_arguments: { path: 'a.txt' } }] }
  const { session, server } = await openHouse(t, {
    config: { ollama: { tool_calling: 'json' } },
    files: { 'a.txt': 'x' },
    replies: [
      [`${JSON.stringify(reply)} So`, { gate: held }, ' '],
      '{"a_kind": "chat", "b_text": "It holds x.", "c_calls": []}',
    ],
  })
  const result = await session.prompt('go')
  assert.equal(result.text, 'It holds x.')
  assert.equal((await server.chat(0)).aborted, true)
})
