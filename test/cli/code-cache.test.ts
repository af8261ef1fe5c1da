import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import vm from 'node:vm'
import { openCodeCache } from '../../src/cli/code-cache.ts'

const source = '(function () { return 42 })'

const compile = (cachedData?: Buffer, text = source) =>
  new vm.Script(text, { filename: 'program.cjs', cachedData })

/** A cache that has been written once. */
function world(t: TestContext) {
  const root = mkdtempSync(path.join(tmpdir(), 'gopi-code-'))
  t.after(() => rmSync(root, { recursive: true }))
  const directory = path.join(root, 'home', 'cache')
  openCodeCache(directory, 'print').keep(compile())
  const [name = ''] = readdirSync(directory)
  return { directory, file: path.join(directory, name) }
}

test('code is written once, 0600, and V8 takes it at the next start', t => {
  const { directory, file } = world(t)
  assert.equal(path.basename(file), `code-print-${process.version}-${process.arch}`)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(directory).mode & 0o777, 0o700)
  const { ino } = statSync(file)
  const cache = openCodeCache(directory, 'print')
  const script = compile(cache.read())
  assert.equal(script.cachedDataRejected, false)
  assert.equal(script.runInThisContext()(), 42)
  cache.keep(script)
  cache.keep(script)
  assert.equal(statSync(file).ino, ino, 'a good cache was written again')
})

test('another face has a cache of its own', t => {
  const { directory } = world(t)
  const cache = openCodeCache(directory, 'talk')
  assert.equal(cache.read(), undefined)
  cache.keep(compile())
  assert.equal(readdirSync(directory).length, 2)
})

test('code that is damaged, for others or from others is not given to V8, and is written anew', t => {
  const change = (file: string, at: number) => {
    const bytes = readFileSync(file)
    bytes[at < 0 ? bytes.length + at : at]! ^= 0x10
    writeFileSync(file, bytes)
  }
  const replace = (file: string, from: string, to: string) => {
    const text = readFileSync(file, 'latin1')
    assert.ok(text.includes(from), from)
    writeFileSync(file, text.replace(from, to.padEnd(from.length)), 'latin1')
  }
  const spoils: [what: string, spoil: (file: string) => void][] = [
    ['gone', file => rmSync(file)],
    ['empty', file => writeFileSync(file, '')],
    ['cut', file => writeFileSync(file, readFileSync(file).subarray(0, -1))],
    ['longer', file => writeFileSync(file, 'x', { flag: 'a' })],
    ['a head alone', file => writeFileSync(file, readFileSync(file).subarray(0, 96))],
    ['a bit of the head', file => change(file, 1)],
    ['the first bit of the code', file => change(file, 96)],
    ['a bit in the middle', file => change(file, 96 + Math.floor((statSync(file).size - 96) / 2))],
    ['the last bit', file => change(file, -1)],
    ['another Node', file => replace(file, process.version, 'v20.0.0')],
    ['another processor', file => replace(file, ` ${process.arch} `, ' m68 ')],
    ['another build', file => replace(file, `${process.env.GOPI_BUILD}`, 'other')],
    ['writable by the group', file => chmodSync(file, 0o620)],
    ['writable by everybody', file => chmodSync(file, 0o602)],
  ]
  for (const [what, spoil] of spoils) {
    const { directory, file } = world(t)
    spoil(file)
    const cache = openCodeCache(directory, 'print')
    assert.equal(cache.read(), undefined, what)
    cache.keep(compile())
    assert.notEqual(openCodeCache(directory, 'print').read(), undefined, `${what}: not written anew`)
    assert.deepEqual(readdirSync(directory), [path.basename(file)], what)
  }
})

test('what V8 rejects is written anew, once', t => {
  const { directory, file } = world(t)
  const other = '(function () { return 1234 })'
  const cache = openCodeCache(directory, 'print')
  const script = compile(cache.read(), other)
  assert.equal(script.cachedDataRejected, true)
  const { ino } = statSync(file)
  cache.keep(script)
  const rewritten = statSync(file).ino
  assert.notEqual(rewritten, ino)
  cache.keep(script)
  assert.equal(statSync(file).ino, rewritten)
  const next = compile(openCodeCache(directory, 'print').read(), other)
  assert.equal(next.cachedDataRejected, false)
})

test('a place that cannot be written, or none, is silently without a cache', t => {
  const { file } = world(t)
  const under = openCodeCache(path.join(file, 'cache'), 'print')
  assert.equal(under.read(), undefined)
  under.keep(compile())
  assert.equal(under.read(), undefined)

  const nowhere = openCodeCache(undefined, 'print')
  assert.equal(nowhere.read(), undefined)
  nowhere.keep(compile())
})

test('what a killed process left behind is in nobody’s way', t => {
  const { directory, file } = world(t)
  writeFileSync(`${file}.${process.pid}`, 'half')
  rmSync(file)
  openCodeCache(directory, 'print').keep(compile())
  assert.deepEqual(readdirSync(directory), [path.basename(file)])
  rmSync(file)
  mkdirSync(file)
  openCodeCache(directory, 'print').keep(compile())
  assert.deepEqual(readdirSync(directory), [path.basename(file)])
})
