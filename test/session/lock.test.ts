import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { lock } from '../../src/session/lock.ts'
import { placeOf, type SessionPlace } from '../../src/session/store.ts'
import { openHouse } from '../support/house.ts'

function place(t: TestContext): SessionPlace {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-lock-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return placeOf(directory, 'abc')
}

const fileOf = ({ directory }: SessionPlace) => path.join(directory, 'lock')

/** The id of a process that has ended. */
const goneProcess = () => spawnSync(process.execPath, ['-e', '0']).pid

test('a lock holds this process’s id, is its owner’s alone, and leaves nothing when it is given back', t => {
  const session = place(t)
  const taken = lock(session)
  assert.ok('release' in taken)
  assert.deepEqual(readdirSync(session.directory), ['lock'])
  assert.equal(readFileSync(fileOf(session), 'utf8'), String(process.pid))
  assert.deepEqual(lock(session), { heldBy: process.pid })
  taken.release()
  assert.equal(existsSync(session.directory), false)
})

test('a lock of a living process holds; one that nobody can hold any more is taken over', t => {
  const yearsAgo = new Date('2001-01-01')
  const rows: [string, string, Date | undefined, number | undefined][] = [
    ['another living process', String(process.ppid), undefined, process.ppid],
    ['a process of another person', '1', undefined, 1],
    ['a process that is gone', String(goneProcess()), undefined, undefined],
    ['an id that was given anew after a boot', String(process.ppid), yearsAgo, undefined],
    ['an id that is ours now', String(process.pid), yearsAgo, undefined],
    ['nothing', '', undefined, undefined],
    ['nonsense', 'x', undefined, undefined],
    ['a process group', '-1', undefined, undefined],
  ]
  for (const [title, text, time, heldBy] of rows) {
    const session = place(t)
    mkdirSync(session.directory)
    writeFileSync(fileOf(session), text)
    if (time) utimesSync(fileOf(session), time, time)
    const taken = lock(session)
    assert.deepEqual('heldBy' in taken ? taken.heldBy : undefined, heldBy, title)
  }
})

test('two sessions of one program do not write one journal', async t => {
  const first = await openHouse(t, { replies: ['One.'] })
  await first.session.prompt('one')
  const second = await openHouse(t, { before: first, resume: { last: true }, replies: ['Two.'] })
  await second.session.prompt('two')
  assert.notEqual(second.session.id, first.session.id)
  assert.equal(second.sent(0).length, 3)
})
