import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { call, type HouseOptions, openHouse } from '../support/house.ts'

/** Something happens while the person looks at the question; → what the model is told. */
async function whileAsked(
  t: TestContext,
  meanwhile: (cwd: string, outside: string) => void,
  { files = {}, ...options }: HouseOptions,
) {
  const outside = mkdtempSync(path.join(tmpdir(), 'gopi-outside-'))
  t.after(() => rmSync(outside, { recursive: true, force: true }))
  writeFileSync(path.join(outside, 'a.txt'), 'outside\n')
  let cwd = ''
  const house = await openHouse(t, {
    config: { permission: { mode: 'ask' } },
    files,
    ...options,
    async approve() {
      meanwhile(cwd, outside)
      return { allow: true }
    },
  })
  cwd = house.cwd
  await house.session.prompt('go')
  const results = house.session.messages.filter(({ role }) => role === 'tool')
  return { house, outside, told: results.at(-1)?.content ?? '' }
}

test('a directory that becomes a link after the yes is not written through', async t => {
  const { told, outside } = await whileAsked(
    t,
    (cwd, other) => {
      renameSync(path.join(cwd, 'sub'), path.join(cwd, 'moved'))
      symlinkSync(other, path.join(cwd, 'sub'))
    },
    { files: { 'sub/x': '' }, replies: [call('write', { path: 'sub/new.txt', content: 'x' }), 'Done.'] },
  )
  assert.match(told, /changed/)
  assert.equal(existsSync(path.join(outside, 'new.txt')), false)
})

test('a file that becomes a link after the yes is neither edited nor followed', async t => {
  const { told, outside } = await whileAsked(
    t,
    (cwd, other) => {
      rmSync(path.join(cwd, 'a.txt'))
      symlinkSync(path.join(other, 'a.txt'), path.join(cwd, 'a.txt'))
    },
    {
      files: { 'a.txt': 'one\n' },
      replies: [
        call('read', { path: 'a.txt' }),
        call('edit', { path: 'a.txt', old: 'o', new: 'x', all: true }),
        'Done.',
      ],
    },
  )
  assert.match(told, /changed/)
  assert.equal(readFileSync(path.join(outside, 'a.txt'), 'utf8'), 'outside\n')
})

test('a redirect whose target becomes an existing file, or leaves the project, after the yes is not run', async t => {
  const { told, outside } = await whileAsked(
    t,
    (cwd, other) => symlinkSync(path.join(other, 'a.txt'), path.join(cwd, 'out.txt')),
    { replies: [call('bash', { command: 'echo x > out.txt' }), 'Done.'] },
  )
  assert.match(told, /changed after it was allowed/)
  assert.equal(readFileSync(path.join(outside, 'a.txt'), 'utf8'), 'outside\n')
})

test('what the person wrote while being asked is not overwritten', async t => {
  const { told, house } = await whileAsked(
    t,
    cwd => writeFileSync(path.join(cwd, 'a.txt'), 'one, by the person\n'),
    {
      files: { 'a.txt': 'one\n' },
      replies: [call('read', { path: 'a.txt' }), call('write', { path: 'a.txt', content: 'two\n' }), 'Done.'],
    },
  )
  assert.match(told, /has changed since you saw it[\s\S]*\+one, by the person/)
  assert.equal(readFileSync(path.join(house.cwd, 'a.txt'), 'utf8'), 'one, by the person\n')
})

test('a mode that is set while the question stands counts', async t => {
  const house = await openHouse(t, {
    config: { permission: { mode: 'ask' } },
    async approve() {
      house.session.setMode('plan')
      return { allow: true }
    },
    replies: [call('write', { path: 'a.txt', content: 'x' }), 'Done.'],
  })
  await house.session.prompt('go')
  assert.equal(existsSync(path.join(house.cwd, 'a.txt')), false)
  const entry = house.journal().find(({ type }) => type === 'permission')
  assert.ok(entry?.type === 'permission' && entry.decision === 'deny')
})
