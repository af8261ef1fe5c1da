/** A call is judged when it starts: after what the calls before it wrote. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Approval } from '../../src/session/session.ts'
import { openHouse } from '../support/house.ts'

const bash = (command: string) => ({ name: 'bash', arguments: { command } })
const write = (file: string, content: string) => ({ name: 'write', arguments: { path: file, content } })

test('a command sees what the calls before it wrote, and is judged by it', async t => {
  const asked: string[] = []
  const { session, sent } = await openHouse(t, {
    config: { permission: { mode: 'auto-edit' }, sandbox: { mode: 'off' } },
    approve: async ({ call }: Approval) => {
      asked.push(JSON.stringify(call.arguments))
      return { allow: false }
    },
    replies: [
      {
        calls: [
          write('new.txt', 'there\n'),
          bash('cat new.txt'),
          // A repository that was not there when the reply was written.
          ...['HEAD', 'config', 'objects/x', 'refs/x'].map(name => write(`s/${name}`, '')),
          bash('cd s && git status'),
          write('x.sh', 'echo hi\n'),
          bash('bash ./x.sh'),
        ],
      },
      'ok',
    ],
  })
  await session.prompt('go')
  const results = sent(1).filter(({ role }) => role === 'tool')
  assert.match(results[1]?.content ?? '', /there/)
  assert.deepEqual(asked, [
    JSON.stringify({ command: 'cd s && git status' }),
    JSON.stringify({ command: 'bash ./x.sh' }),
  ])
})
