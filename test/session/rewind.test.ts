import assert from 'node:assert/strict'
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import type { Scope } from '../../src/session/going-back.ts'
import { call, type House, openHouse } from '../support/house.ts'

const files = ({ cwd }: House) => ({
  at: (name: string) => path.join(cwd, name),
  read: (name: string) => readFileSync(path.join(cwd, name), 'utf8'),
  write: (name: string, text: string) => writeFileSync(path.join(cwd, name), text),
})

/** Goes back `number` prompts. → what it would do and did, by name. */
async function goBack({ session, cwd }: House, number: number, scope: Scope = 'both') {
  const prompt = (await session.back.prompts())[number - 1]
  assert.ok(prompt)
  const plan = await session.back.preview(prompt)
  const done = await session.back.rewind(prompt, { scope, plan })
  const name = (file: string) => path.relative(cwd, file)
  return {
    planned: Object.fromEntries(plan.files.map(file => [name(file.path), file.does])),
    done: done.map(move => name(move.path)).sort(),
    lost: plan.lost.paths.map(name),
  }
}

const words = (house: House) => house.session.messages.map(({ role, content }) => `${role} ${content}`)

describe('rewinding', () => {
  it('brings conversation and files back, forward again, and a resume knows of it', async t => {
    const house = await openHouse(t, {
      files: { 'a.txt': 'one\n', 'sub/run.sh': 'old\n' },
      replies: [
        call('read', { path: 'a.txt' }),
        call('edit', { path: 'a.txt', old: 'one', new: 'two' }),
        'First.',
        call('write', { path: 'new.txt', content: 'new\n' }),
        call('edit', { path: 'a.txt', old: 'two', new: 'three' }),
        'Second.',
        'Another.',
      ],
    })
    const { session } = house
    const { read, at } = files(house)
    await session.prompt('first')
    await session.prompt('second')
    const sentBefore = JSON.stringify(house.sent(2))
    const second = words(house)

    const back = await goBack(house, 1)
    assert.deepEqual(back.planned, { 'a.txt': 'restore', 'new.txt': 'remove' })
    assert.equal(read('a.txt'), 'two\n')
    assert.ok(!existsSync(at('new.txt')))
    assert.deepEqual(
      words(house).filter(text => text.startsWith('user')),
      ['user first'],
    )

    assert.equal((await session.back.redo())?.files.length, 2)
    assert.deepEqual([read('a.txt'), read('new.txt')], ['three\n', 'new\n'])
    assert.deepEqual(words(house), second)
    assert.equal(await session.back.redo(), undefined)

    assert.deepEqual((await goBack(house, 2)).done, ['a.txt', 'new.txt'])
    assert.deepEqual([read('a.txt'), words(house)], ['one\n', []])
    await session.back.redo()
    await goBack(house, 1, 'conversation')
    assert.equal(read('a.txt'), 'three\n')
    await session.prompt('another way')
    assert.equal(await session.back.redo(), undefined)
    // What was sent before is sent again, byte for byte.
    assert.ok(JSON.stringify(house.sent(6)).startsWith(sentBefore.slice(0, -1)))

    const now = words(house)
    await session.close()
    const old = path.join(String(session.sessionFile).replace(/\.jsonl$/, ''), 'old')
    for (const name of readdirSync(old)) assert.equal(statSync(path.join(old, name)).mode & 0o777, 0o600)
    const again = await openHouse(t, { before: house, resume: { last: true }, replies: [] })
    assert.deepEqual(words(again), now)
    assert.deepEqual((await goBack(again, 2)).done, ['a.txt', 'new.txt'])
    assert.equal(read('a.txt'), 'one\n')
    await again.session.close()
    const third = await openHouse(t, { before: house, resume: { last: true }, replies: [] })
    assert.deepEqual(words(third), [])
    assert.equal((await third.session.back.redo())?.files.length, 2)
    assert.deepEqual([read('a.txt'), words(third)], ['three\n', now])
    const fork = await openHouse(t, { before: house, resume: { fork: third.session.id }, replies: [] })
    assert.deepEqual((await goBack(fork, 2)).done, ['a.txt', 'new.txt'])
    assert.equal(read('a.txt'), 'one\n')
  })

  it('leaves alone what the person changed since or between, and what became a link', async t => {
    const house = await openHouse(t, {
      files: { 'since.txt': '', 'between.txt': '', 'dir/file.txt': '', 'gone.txt': '' },
      replies: [
        ...['since.txt', 'between.txt', 'dir/file.txt', 'link.txt', 'gone.txt'].map(name =>
          call('write', { path: name, content: 'gopi\n' }),
        ),
        'One.',
        call('read', { path: 'between.txt' }),
        call('write', { path: 'between.txt', content: 'gopi again\n' }),
        'Two.',
      ],
    })
    const { read, write, at } = files(house)
    await house.session.prompt('one')
    write('between.txt', 'the person\n')
    await house.session.prompt('two')
    write('since.txt', 'the person\n')
    renameSync(at('dir'), at('other'))
    symlinkSync(at('other'), at('dir'))
    renameSync(at('link.txt'), at('target.txt'))
    symlinkSync(at('target.txt'), at('link.txt'))
    const { planned, done } = await goBack(house, 2)
    assert.deepEqual(planned, {
      ...{ 'since.txt': 'conflict', 'between.txt': 'conflict', 'dir/file.txt': 'link' },
      ...{ 'link.txt': 'link', 'gone.txt': 'restore' },
    })
    assert.deepEqual(done, ['gone.txt'])
    assert.deepEqual([read('since.txt'), read('other/file.txt')], ['the person\n', 'gopi\n'])
    assert.ok(lstatSync(at('link.txt')).isSymbolicLink())
    assert.equal(read('target.txt'), 'gopi\n')
  })

  it('tells what commands did: undone where the content was known, named where it was not', async t => {
    const house = await openHouse(t, {
      files: { 'seen.txt': 'seen\n', 'other.txt': 'other\n', '.gitignore': 'built\n' },
      replies: [
        call('read', { path: 'seen.txt' }),
        call('bash', {
          command: 'echo x >> seen.txt; echo y >> seen.txt; echo x >> other.txt; mkdir built; touch built/z',
        }),
        call('bash', { command: 'rm seen.txt' }),
        'Done.',
      ],
    })
    const { session } = house
    const { read } = files(house)
    await session.prompt('go')
    await house.seen(({ type }) => type === 'command_changes')
    const { planned, lost } = await goBack(house, 1)
    assert.deepEqual([planned, lost], [{ 'seen.txt': 'create' }, ['other.txt']])
    assert.equal(read('seen.txt'), 'seen\n')
    assert.equal(read('other.txt'), 'other\nx\n')
  })

  it('has the model read again what it does not remember, and waits for the end of a run', async t => {
    const house = await openHouse(t, {
      files: { 'a.txt': 'one\n' },
      replies: [
        call('read', { path: 'a.txt' }),
        'Read.',
        call('edit', { path: 'a.txt', old: 'one', new: 'two' }),
        'Well.',
      ],
    })
    await house.session.prompt('read it')
    await goBack(house, 1)
    const running = house.session.prompt('change it')
    await assert.rejects(house.session.back.redo(), /a run is going/)
    await running
    assert.match(String(house.sent(3).at(-1)?.content), /was not read in this session/)
  })
})
