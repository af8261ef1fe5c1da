import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { isInside } from '../../src/paths/inside.ts'
import { realTarget } from '../../src/paths/real.ts'

test('a path is where reading or writing it would end, whatever links stand on the way and whatever is missing', t => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-paths-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const at = (name: string) => path.join(root, name)
  mkdirSync(at('project/src'), { recursive: true })
  mkdirSync(at('elsewhere/deep'), { recursive: true })
  writeFileSync(at('project/a.txt'), 'a')
  const links: [name: string, target: string][] = [
    ['project/file', 'a.txt'],
    ['project/out', '../elsewhere/deep'],
    ['project/absolute', at('elsewhere')],
    ['project/dangling', '../elsewhere/new.txt'],
    ['project/chain', 'dangling'],
    ['project/folder', '../elsewhere/missing'],
    // `..` leaves the directory that `out` points to, not the one that it stands in.
    ['project/through', 'out/../new.txt'],
    ['project/dots', './src/.././/new.txt'],
    ['project/loop', 'pool'],
    ['project/pool', 'loop'],
    ['project/self', 'self/x'],
  ]
  for (const [name, target] of links) symlinkSync(target, at(name))
  const rows: [given: string, real: string][] = [
    ['project/a.txt', 'project/a.txt'],
    ['project/file', 'project/a.txt'],
    ['project/new/b.txt', 'project/new/b.txt'],
    ['project/out/new.txt', 'elsewhere/deep/new.txt'],
    ['project/absolute/new.txt', 'elsewhere/new.txt'],
    ['project/dangling', 'elsewhere/new.txt'],
    ['project/chain', 'elsewhere/new.txt'],
    ['project/folder/x/y.txt', 'elsewhere/missing/x/y.txt'],
    ['project/through', 'elsewhere/new.txt'],
    ['project/dots', 'project/new.txt'],
    ['project/loop', 'project/loop'],
    ['project/loop/x', 'project/loop/x'],
    ['project/a.txt/x', 'project/a.txt/x'],
  ]
  for (const [given, real] of rows) assert.equal(realTarget(at(given)), at(real), given)
  assert.ok(isInside(realTarget(at('project/self')), root))
  const long = at('x'.repeat(5_000))
  assert.equal(realTarget(long), long)
  assert.equal(realTarget('/'), '/')
})

test('a directory holds itself and what lies in it, and no neighbour whose name begins like its own', () => {
  const rows: [target: string, directory: string, inside: boolean][] = [
    ['/a/b', '/a/b', true],
    ['/a/b/c', '/a/b', true],
    ['/a/b/..c', '/a/b', true],
    ['/a/b-evil', '/a/b', false],
    ['/a', '/a/b', false],
    ['/c', '/a/b', false],
    ['/x', '/', true],
  ]
  for (const [target, directory, inside] of rows)
    assert.equal(isInside(target, directory), inside, `${target} in ${directory}`)
})
