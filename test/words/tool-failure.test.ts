import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolLine } from '../../src/text/tool-line.ts'
import { EN } from '../../src/words/en.ts'
import { ZH } from '../../src/words/zh.ts'
import { openHouse } from '../support/house.ts'

test('why a call failed stands in its row in the person’s language', async t => {
  const calls: [name: string, args: Record<string, unknown>][] = [
    ['read', { path: 'nothing.ts' }],
    ['read', { path: 'mian.ts' }],
    ['read', { path: 'src' }],
    ['read', { path: 'main.ts', offset: 99 }],
    ['read', { path: 'binary' }],
    ['ls', { path: 'main.ts' }],
    ['ls', { path: 'nothing' }],
    ['grep', { pattern: '(' }],
    ['find', { pattern: 'x', path: 'main.ts' }],
    ['edit', { path: 'unread.ts', old: 'a', new: 'b' }],
    ['edit', { path: 'nothing.ts', old: 'a', new: 'b' }],
    ['edit', { path: 'main.ts', old: 'missing', new: 'b' }],
    ['edit', { path: 'main.ts', old: 'two', new: 'b' }],
    ['edit', { path: 'main.ts', old: 'same', new: 'same' }],
    ['write', { path: 'main.ts', content: '' }],
  ]
  const house = await openHouse(t, {
    files: {
      ...{ 'main.ts': 'one\ntwo\ntwo\n', 'unread.ts': 'a\n', 'src/a.ts': '', binary: 'a\0b' },
    },
    config: { permission: { mode: 'yolo' } },
    replies: [
      { calls: [{ name: 'read', arguments: { path: 'main.ts' } }] },
      ...calls.map(([name, args]) => ({ calls: [{ name, arguments: args }] })),
      'Done.',
    ],
  })
  await house.session.prompt('go')
  const results = house.session.messages
    .flatMap(message => (message.role === 'tool' ? [message] : []))
    .slice(1)
  assert.equal(results.length, calls.length)
  for (const [at, result] of results.entries()) {
    const [name = '', args = {}] = calls[at] ?? []
    assert.ok(result.is_error, `${name} ${JSON.stringify(args)}: ${result.content}`)
    const tool = { ...result, name, arguments: args }
    const line = toolLine(tool, ZH)
    assert.match(line, /\(.*\p{Script=Han}.*\)$/u, line)
    const [why = ''] = /\(.*$/.exec(line) ?? []
    assert.doesNotMatch(why, /[a-z]{2,} [a-z]{2,}/, line)
    assert.ok(toolLine(tool, EN).includes(result.content.split('\n')[0]?.slice(0, 30) ?? '?'))
  }
})
