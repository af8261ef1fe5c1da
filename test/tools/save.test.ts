/** A person's file is whole after every write, also one that failed. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { project } from './context.ts'

const saver = fileURLToPath(new URL('saver.ts', import.meta.url))
const loader = fileURLToPath(new URL('../support/typescript.mjs', import.meta.url))
const old = 'o'.repeat(6_000)

interface Limits {
  /** Kilobytes that no file may grow beyond: what a full disk is like. */
  most?: number
  uid?: number | undefined
}

/** → what is said of writing a text that long over `file`. */
function write(cwd: string, file: string, length: number, { most, uid }: Limits = {}): string {
  const line = `${most === undefined ? '' : `ulimit -f ${most}; `}exec "$0" --import="$1" "\${@:2}"`
  const args = [process.execPath, loader, saver, cwd, file, String(length), path.join(cwd, 'spill')]
  const { stdout, stderr } = spawnSync('bash', ['-c', line, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    ...(uid !== undefined && { uid, gid: uid }),
  })
  assert.notEqual(stdout, '', stderr)
  return stdout
}

async function withSpill(t: TestContext): Promise<string> {
  const cwd = await project(t, { 'a.txt': old, 'other.txt': '' })
  mkdirSync(path.join(cwd, 'spill'))
  // What the loader makes of the sources is kept by it: limits are for the write alone.
  assert.equal(write(cwd, 'other.txt', 1), 'written')
  rmSync(path.join(cwd, 'other.txt'))
  return cwd
}

test('a disk that is full leaves a file as it was, hard-linked or not, and nothing beside it', async t => {
  for (const isLinked of [true, false]) {
    const cwd = await withSpill(t)
    if (isLinked) linkSync(path.join(cwd, 'a.txt'), path.join(cwd, 'b.txt'))
    assert.equal(write(cwd, 'a.txt', 40_000, { most: 8 }), 'EFBIG')
    assert.equal(readFileSync(path.join(cwd, 'a.txt'), 'utf8'), old)
    // No room for a copy: then it is not touched at all.
    assert.equal(write(cwd, 'a.txt', 5_500, { most: 4 }), 'EFBIG')
    assert.equal(readFileSync(path.join(cwd, 'a.txt'), 'utf8'), old)
    for (const length of [3, 6_000, 40_000]) {
      assert.equal(write(cwd, 'a.txt', length), 'written')
      assert.equal(readFileSync(path.join(cwd, 'a.txt'), 'utf8'), 'n'.repeat(length))
    }
    assert.deepEqual(readdirSync(cwd), isLinked ? ['a.txt', 'b.txt', 'spill'] : ['a.txt', 'spill'])
    assert.deepEqual(readdirSync(path.join(cwd, 'spill')), [])
  }
})

test('a file in a directory that cannot be written is filled anew, or stays as it was', async t => {
  const cwd = await withSpill(t)
  const directory = path.join(cwd, 'closed')
  const file = path.join(directory, 'a.txt')
  mkdirSync(directory)
  writeFileSync(file, old)
  const nobody = process.getuid?.() === 0 ? 65_534 : undefined
  const isReadable =
    spawnSync('test', ['-r', saver], nobody === undefined ? {} : { uid: nobody }).status === 0
  if (!isReadable) return t.skip('nobody can read the sources')
  if (nobody !== undefined)
    for (const own of [cwd, file, path.join(cwd, 'spill')]) chownSync(own, nobody, nobody)
  chmodSync(directory, 0o555)
  for (const [length, most, said] of [
    [40_000, 8, 'EFBIG'],
    [40_000, 64, 'written'],
    [3, 64, 'written'],
  ] as const) {
    const before = readFileSync(file, 'utf8')
    assert.equal(write(cwd, 'closed/a.txt', length, { most, uid: nobody }), said)
    assert.equal(readFileSync(file, 'utf8'), said === 'written' ? 'n'.repeat(length) : before)
  }
  assert.deepEqual(readdirSync(path.join(cwd, 'spill')), [])
  chmodSync(directory, 0o755)
})
