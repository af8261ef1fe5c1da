import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { loadConfig } from '../../src/config/load.ts'
import { UsageError } from '../../src/protocol/errors.ts'

const longAgo = new Date('2020-02-02T02:02:02Z')

/** A home with a config file whose last change is long ago, and what its model is when it is loaded. */
function world(t: TestContext, text = 'ollama:\n  model: written\n') {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-config-cache-')))
  t.after(() => rmSync(root, { recursive: true }))
  const home = path.join(root, 'home')
  const file = path.join(home, 'config.yaml')
  const cacheFile = path.join(home, 'cache', 'config.json')
  mkdirSync(home)
  const write = (text: string) => {
    writeFileSync(file, text)
    utimesSync(file, longAgo, longAgo)
  }
  write(text)
  const load = () => loadConfig({ home, cwd: root, env: {}, trusted: true })
  const model = async () => (await load()).config.ollama.model
  /** Changes what the cache says: whoever then hears it was not told by the file. */
  const tamper = (from: string, to: string) => {
    const before = readFileSync(cacheFile, 'utf8')
    assert.ok(before.includes(from), before)
    writeFileSync(cacheFile, before.replace(from, to), { mode: 0o600 })
  }
  return { root, home, file, cacheFile, write, load, model, tamper }
}

test('a good file is checked once; then its settings come from the cache, with the same sources', async t => {
  const { load, model, tamper, cacheFile, file } = world(t)
  const first = await load()
  assert.deepEqual(await load(), first)
  assert.deepEqual(first.sources.get('ollama.model'), [{ from: 'user', name: file }])
  assert.equal(statSync(cacheFile).mode & 0o777, 0o600)
  assert.equal(statSync(path.dirname(cacheFile)).mode & 0o777, 0o700)
  const { ino } = statSync(cacheFile)
  tamper('"written"', '"kept"')
  assert.equal(await model(), 'kept')
  assert.equal(statSync(cacheFile).ino, ino, 'it was written again')
})

test('any change of the file makes the cache worthless', async t => {
  const changes: [what: string, change: (file: string) => void][] = [
    ['another text', file => writeFileSync(file, 'ollama:\n  model: another-one\n')],
    ['another text of the same length', file => writeFileSync(file, 'ollama:\n  model: changed\n')],
    ['only another time', file => utimesSync(file, longAgo, new Date('2021-01-01'))],
    [
      'another file in its place, of the same size and time',
      file => {
        writeFileSync(`${file}.new`, 'ollama:\n  model: swapped\n')
        utimesSync(`${file}.new`, longAgo, longAgo)
        renameSync(`${file}.new`, file)
      },
    ],
    [
      'another text written back to the old time',
      file => {
        writeFileSync(file, 'ollama:\n  model: rewound\n')
        utimesSync(file, longAgo, longAgo)
      },
    ],
  ]
  for (const [what, change] of changes) {
    const { file, model, tamper } = world(t)
    assert.equal(await model(), 'written')
    tamper('"written"', '"kept"')
    change(file)
    const [, expected] = /model: (\S+)/.exec(readFileSync(file, 'utf8')) ?? []
    assert.equal(await model(), expected, what)
  }
})

test('what the cache cannot vouch for is read from the file, and kept anew', async t => {
  const spoils: [what: string, spoil: (cacheFile: string) => void][] = [
    ['gone', file => rmSync(file)],
    ['empty', file => writeFileSync(file, '')],
    ['cut', file => writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9))],
    ['something else', file => writeFileSync(file, '[null]')],
    ['null', file => writeFileSync(file, 'null')],
    ['files are no mapping', file => writeFileSync(file, '{"files":null}')],
    ['without values', file => writeFileSync(file, readFileSync(file, 'utf8').replace('"values"', '"v"'))],
    [
      'by another build',
      file => {
        const { files } = JSON.parse(readFileSync(file, 'utf8').replace('"written"', '"kept"'))
        writeFileSync(file, JSON.stringify({ build: 'another', files }))
      },
    ],
    [
      'writable by others',
      file => {
        writeFileSync(file, readFileSync(file, 'utf8').replace('"written"', '"kept"'))
        chmodSync(file, 0o620)
      },
    ],
    [
      'a directory',
      file => {
        rmSync(file)
        mkdirSync(file)
      },
    ],
  ]
  for (const [what, spoil] of spoils) {
    const { model, cacheFile } = world(t)
    assert.equal(await model(), 'written')
    const before = readFileSync(cacheFile, 'utf8')
    spoil(cacheFile)
    assert.equal(await model(), 'written', what)
    if (what !== 'a directory') assert.equal(readFileSync(cacheFile, 'utf8'), before, what)
    assert.deepEqual(readdirSync(path.dirname(cacheFile)), ['config.json'], what)
  }
})

test('problems are never kept, and neither is a file that may still be changing', async t => {
  const bad = world(t, 'ollama:\n  modle: x\n')
  for (const _ of [1, 2]) {
    await assert.rejects(
      bad.load(),
      (error: unknown) => error instanceof UsageError && /did you mean model\?/.test(error.problems[0] ?? ''),
    )
  }
  assert.throws(() => statSync(bad.cacheFile))

  const fresh = world(t)
  writeFileSync(fresh.file, 'ollama:\n  model: just-now\n')
  assert.equal(await fresh.model(), 'just-now')
  assert.throws(() => statSync(fresh.cacheFile))
})

test('a file that turns bad after it was kept is told about', async t => {
  const { load, write } = world(t)
  await load()
  write('ollama: 7\n')
  await assert.rejects(load(), UsageError)
})

test('a home that cannot be written changes nothing', async t => {
  const { home, model } = world(t)
  writeFileSync(path.join(home, 'cache'), 'no directory')
  assert.equal(await model(), 'written')
  assert.equal(await model(), 'written')
  assert.deepEqual(readdirSync(home).sort(), ['cache', 'config.yaml'])
})

test('an untrusted project’s file is kept as it is, and admitted anew every time', async t => {
  const { root, home } = world(t)
  const projectFile = path.join(root, '.gopi', 'config.yaml')
  mkdirSync(path.dirname(projectFile))
  writeFileSync(projectFile, 'ollama:\n  model: theirs\npermission:\n  deny: [Bash]\n')
  utimesSync(projectFile, longAgo, longAgo)
  const load = (trusted: boolean) => loadConfig({ home, cwd: root, env: {}, trusted })
  for (const trusted of [false, true, false]) {
    const { config, notices } = await load(trusted)
    assert.equal(config.ollama.model, trusted ? 'theirs' : 'written')
    assert.deepEqual(config.permission.deny, ['Bash'])
    assert.equal(notices.length, trusted ? 0 : 1)
  }
})

test('the files of the last fifty projects are remembered', async t => {
  const { root, home, cacheFile } = world(t)
  const projects = Array.from({ length: 51 }, (_, n) => path.join(root, `project-${n}`))
  for (const cwd of projects) {
    const file = path.join(cwd, '.gopi', 'config.yaml')
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, 'permission:\n  deny: [Bash]\n')
    utimesSync(file, longAgo, longAgo)
    await loadConfig({ home, cwd, env: {}, trusted: false })
  }
  const known = Object.keys(JSON.parse(readFileSync(cacheFile, 'utf8')).files)
  assert.equal(known.length, 50)
  assert.ok(known.at(-1)?.includes('project-50'))
})
