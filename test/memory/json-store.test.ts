import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { openJsonStore } from '../../src/memory/json-store.ts'

function place(t: TestContext): { directory: string; file: string } {
  const directory = mkdtempSync(path.join(tmpdir(), 'gopi-store-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return { directory, file: path.join(directory, 'cache', 'speeds.json') }
}

const mode = (file: string) => (statSync(file).mode & 0o777).toString(8)

test('what is kept is known at once, and to the next start once it is written', async t => {
  const { file } = place(t)
  const store = openJsonStore(file)
  assert.equal(store.recall('a'), undefined)
  store.keep('a', { speed: 1 })
  store.keep('__proto__', { speed: 2 })
  assert.deepEqual(store.recall('a'), { speed: 1 })
  await store.flush()
  assert.deepEqual(store.recall('a'), { speed: 1 })
  const next = openJsonStore(file)
  assert.deepEqual([next.recall('a'), next.recall('__proto__')], [{ speed: 1 }, { speed: 2 }])
  assert.deepEqual([mode(file), mode(path.dirname(file))], ['600', '700'])
  assert.deepEqual(readdirSync(path.dirname(file)), ['speeds.json'])
})

test('two that run at once keep each other’s entries', async t => {
  const { file } = place(t)
  const [one, two] = [openJsonStore(file), openJsonStore(file)]
  assert.equal(one.recall('x') ?? two.recall('x'), undefined)
  one.keep('a', [1])
  two.keep('b', [2])
  await one.flush()
  await two.flush()
  const next = openJsonStore(file)
  assert.deepEqual([next.recall('a'), next.recall('b')], [[1], [2]])
})

test('a damaged file counts as empty and is replaced', async t => {
  const { file } = place(t)
  mkdirSync(path.dirname(file))
  for (const text of ['{"a": [1]', '[1]', 'null', '"a"', '\0\0', `{"a":"${'x'.repeat(5000)}"}`]) {
    writeFileSync(file, text)
    const store = openJsonStore(file, { bytes: 4000 })
    assert.equal(store.recall('a'), undefined, text.slice(0, 20))
    store.keep('b', { fine: true })
    await store.flush()
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { b: { fine: true } })
  }
})

test('it stays bounded: what was kept last survives', async t => {
  const { file } = place(t)
  const store = openJsonStore(file, { entries: 5, bytes: 4000 })
  for (let n = 0; n < 20; n++) store.keep(`k${n}`, { n })
  store.keep('k16', { n: 'again' })
  await store.flush()
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8'))), ['k15', 'k17', 'k18', 'k19', 'k16'])
  for (let n = 0; n < 5; n++) store.keep(`long${n}`, { text: 'x'.repeat(1500) })
  await store.flush()
  assert.ok(statSync(file).size <= 4000)
  assert.ok(openJsonStore(file).recall('long4'))
})

test('a place that cannot be written is no reason to fail, and nothing is left there', async t => {
  const { directory, file } = place(t)
  writeFileSync(path.join(directory, 'cache'), 'a file where a directory should be')
  const store = openJsonStore(file)
  store.keep('a', { n: 1 })
  await store.flush()
  assert.deepEqual(store.recall('a'), { n: 1 })
  assert.deepEqual(readdirSync(directory), ['cache'])
})
