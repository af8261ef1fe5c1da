import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { call } from '../support/house.ts'
import { entry, openProgram, startProcess } from '../support/program.ts'

const root = process.getuid?.() === 0

test('a directory of any name: spaces, quotes, other scripts, a newline', async t => {
  for (const name of ['with spaces and "quotes" $HOME', '项目 ünïcode 🦊', 'two\nlines', '-p']) {
    const gopi = await openProgram(t, {
      files: { [`${name}/a.txt`]: 'in here\n' },
      replies: [
        {
          calls: [
            { name: 'bash', arguments: { command: 'cat a.txt && pwd -P' } },
            { name: 'read', arguments: { path: 'a.txt' } },
          ],
        },
        'Found.',
        'Again.',
      ],
    })
    const cwd = path.join(gopi.cwd, name)
    const { code, stdout, stderr } = await gopi.run(['-p', '--yolo', 'look'], { cwd })
    assert.deepEqual([code, stdout], [0, 'Found.\n'], stderr)
    const [bash = '', read = ''] = gopi.sent(1).slice(-2)
    assert.ok(bash.includes(`in here\n${cwd}`), bash)
    assert.match(read, /in here/)
    assert.equal((await gopi.run(['-p', '-c', 'again'], { cwd })).stdout, 'Again.\n')
    assert.equal(gopi.journals().length, 1)
  }
})

test('one directory reached by two names has the same sessions', async t => {
  const gopi = await openProgram(t, { files: { 'real/x': '' }, replies: ['One.', 'Two.'] })
  symlinkSync('real', path.join(gopi.cwd, 'link'))
  await gopi.run(['-p', 'first'], { cwd: path.join(gopi.cwd, 'link') })
  await gopi.run(['-p', '-c', 'second'], { cwd: path.join(gopi.cwd, 'real') })
  assert.deepEqual(gopi.sent(1), ['first', 'One.', 'second'])
})

test('a home that cannot be written: the conversation works, and says once that it is not kept', async t => {
  const gopi = await openProgram(t, {
    files: { 'a-file': '' },
    model: ({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'Done.' : call('bash', { command: 'seq 1 30000' }),
  })
  const homes = [path.join(gopi.cwd, 'a-file', 'home')]
  if (!root) {
    mkdirSync(path.join(gopi.cwd, 'locked'), { mode: 0o500 })
    homes.push(path.join(gopi.cwd, 'locked', 'home'))
  }
  for (const home of homes) {
    const { code, stdout, stderr } = await gopi.run(['-p', '--yolo', '--debug', 'go'], {
      env: { GOPI_HOME: home },
    })
    assert.deepEqual([code, stdout], [0, 'Done.\n'], stderr)
    assert.equal(stderr.match(/cannot be kept on disk/g)?.length, 1, stderr)
    assert.doesNotMatch(stderr, /\n\s+at /)
    const other = await gopi.run(['sessions'], { env: { GOPI_HOME: home } })
    assert.deepEqual([other.code, other.stdout], [0, ''])
  }
})

test('a home that is not there yet, or is named by a relative path, is made', async t => {
  const gopi = await openProgram(t, { replies: ['One.'] })
  const { code } = await gopi.run(['-p', 'hi'], { env: { GOPI_HOME: 'deep/er' } })
  assert.equal(code, 0)
  assert.equal(statSync(path.join(gopi.cwd, 'deep', 'er')).mode & 0o777, 0o700)
})

test('a directory that is gone is told in one sentence', async t => {
  const gopi = await openProgram(t)
  const gone = path.join(gopi.cwd, 'gone')
  mkdirSync(gone)
  for (const args of ['-p hi', 'sessions', 'config', '--plain']) {
    const command = `cd gone && rmdir ../gone && exec "$NODE" "$ENTRY" ${args}`
    const env = { ...gopi.env, NODE: process.execPath, ENTRY: entry }
    const { code, stderr, stdout } = await startProcess(t, ['/bin/sh', '-c', command], { cwd: gopi.cwd, env })
      .ended
    mkdirSync(gone)
    assert.deepEqual([code, stdout], [2, ''], stderr)
    assert.match(stderr, /^gopi: [^\n]*director[^\n]*\n$/)
  }
})

test('a project without write permission: the model hears why, the run goes on', async t => {
  const gopi = await openProgram(t, {
    files: { 'sub/a.txt': 'x' },
    replies: [
      call('write', { path: 'sub/a.txt/new', content: 'y' }),
      call('edit', { path: 'ro/a', old: 'x', new: 'y' }),
      'No.',
    ],
  })
  mkdirSync(path.join(gopi.cwd, 'ro'))
  writeFileSync(path.join(gopi.cwd, 'ro', 'a'), 'x', { mode: 0o444 })
  chmodSync(path.join(gopi.cwd, 'ro'), 0o555)
  const { code, stdout, stderr } = await gopi.run(['-p', '--mode', 'auto-edit', 'write'])
  chmodSync(path.join(gopi.cwd, 'ro'), 0o755)
  assert.deepEqual([code, stdout], [0, 'No.\n'])
  assert.match(stderr, /✗ write sub\/a\.txt\/new \(.*part of the path is a file/)
  if (!root) assert.equal(readFileSync(path.join(gopi.cwd, 'ro', 'a'), 'utf8'), 'x')
})

test('a disk that is full: the answer comes all the same, what is kept is whole, and it says so once', async t => {
  const gopi = await openProgram(t, { replies: ['One.', 'a long reply '.repeat(2_000), 'Three.'] })
  await gopi.run(['-p', 'first'])
  // No file may grow beyond 16 KB: the reply does not fit into the journal.
  const command = 'ulimit -f 16; exec "$NODE" "$ENTRY" -p -c second'
  const env = { ...gopi.env, NODE: process.execPath, ENTRY: entry, NODE_DISABLE_COMPILE_CACHE: '1' }
  const { code, stdout, stderr } = await startProcess(t, ['bash', '-c', command], { cwd: gopi.cwd, env })
    .ended
  assert.deepEqual([code, stdout.length > 20_000], [0, true], stderr)
  assert.equal(stderr.match(/cannot be kept on disk: EFBIG/g)?.length, 1, stderr)

  const next = await gopi.run(['-p', '-c', 'third'])
  assert.deepEqual([next.code, next.stdout], [0, 'Three.\n'], next.stderr)
  assert.deepEqual(gopi.sent(2).slice(0, 3), ['first', 'One.', 'second'])
  assert.equal(gopi.sent(2).at(-1), 'third')
  assert.deepEqual(gopi.server.violations, [])
})
