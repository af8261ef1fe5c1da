import assert from 'node:assert/strict'
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
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
  assert.match(readlinkSync(fileOf(session)), new RegExp(`^${process.pid}-\\d+$`))
  assert.deepEqual(lock(session), { heldBy: process.pid })
  taken.release()
  assert.equal(existsSync(session.directory), false)
})

/** As gopi names a process: its id and its start. */
function nameOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return `${pid}-${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
}

const isLinux = process.platform === 'linux'

test('a lock of a living process holds; one that nobody can hold any more is taken over', t => {
  const rows: [string, string, number | undefined][] = [
    ['another living process', nameOf(process.ppid), process.ppid],
    ['a process of another person', nameOf(1), 1],
    ['a process that is gone', `${goneProcess()}-5`, undefined],
    ['an id that was given anew', `${process.ppid}-5`, undefined],
    ['an id that is ours now', `${process.pid}-5`, undefined],
    ['an older gopi that runs', String(process.ppid), process.ppid],
    ['an older gopi that is gone', String(goneProcess()), undefined],
    ['nothing', '', undefined],
    ['nonsense', 'x', undefined],
    ['a process group', '-1', undefined],
  ]
  for (const [title, text, heldBy] of isLinux ? rows : []) {
    for (const isLink of [true, false]) {
      // A clock that was set back or forward means nothing.
      for (const time of ['2001-01-01', '2101-01-01']) {
        const session = place(t)
        mkdirSync(session.directory)
        if (isLink && text !== '') symlinkSync(text, fileOf(session))
        else writeFileSync(fileOf(session), text)
        lutimesSync(fileOf(session), new Date(time), new Date(time))
        const taken = lock(session)
        assert.deepEqual('heldBy' in taken ? taken.heldBy : undefined, heldBy, title)
        if ('release' in taken) {
          assert.deepEqual(readdirSync(session.directory), ['lock'], title)
          taken.release()
          assert.equal(existsSync(session.directory), false, title)
        }
      }
    }
  }
})

test('a process that died while it took over is no obstacle', { skip: !isLinux }, t => {
  const session = place(t)
  mkdirSync(session.directory)
  const [dead, heir] = [`${goneProcess()}-5`, `${goneProcess()}-6`]
  symlinkSync(dead, fileOf(session))
  symlinkSync(heir, `${fileOf(session)}.${dead}`)
  const taken = lock(session)
  assert.ok('release' in taken)
  assert.deepEqual(readdirSync(session.directory), ['lock'])
})

test('a lock that cannot be removed ends nothing', t => {
  const session = place(t)
  const taken = lock(session)
  assert.ok('release' in taken)
  // What stands there cannot be removed as a lock is, whoever tries.
  rmSync(fileOf(session))
  mkdirSync(path.join(fileOf(session), 'full'), { recursive: true })
  taken.release()
  assert.ok('release' in lock(session))
})

test('of processes that take over at once exactly one gets the lock, and it is the one that stands there', async t => {
  const rounds = 400
  const session = place(t)
  const script = fileURLToPath(new URL('racer.ts', import.meta.url))
  const loader = fileURLToPath(new URL('../support/typescript.mjs', import.meta.url))
  const racers = [0, 1, 2].map(() =>
    fork(script, [session.directory], { execArgv: [`--import=${pathToFileURL(loader)}`] }),
  )
  t.after(() => {
    for (const racer of racers) racer.kill()
  })
  const answers = (message: object) =>
    Promise.all(
      racers.map(async racer => {
        racer.send(message)
        const [answer] = await once(racer, 'message')
        return answer as { owns: boolean; pid: number; isThere: boolean }
      }),
    )
  await answers({ release: true })
  const dead = `${goneProcess()}-5`
  for (let round = 0; round < rounds; round++) {
    if (round % 4 !== 0) {
      mkdirSync(session.directory, { recursive: true })
      symlinkSync(dead, fileOf(session))
    }
    const got = await answers({ at: Date.now() + 3 })
    const owners = got.filter(({ owns }) => owns)
    assert.deepEqual([owners.length, owners[0]?.isThere], [1, true], `round ${round}: ${JSON.stringify(got)}`)
    assert.match(readlinkSync(fileOf(session)), new RegExp(`^${owners[0]?.pid}-`))
    // Given back at once, so that one that looks meets a directory that goes.
    await answers({ release: true })
    assert.equal(existsSync(session.directory), false)
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
