import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { find } from '../../src/tools/find.ts'
import { walk } from '../../src/tools/walk.ts'
import { contextFor, project, run, told } from './context.ts'

const tree = {
  '.git/config': '',
  '.gitignore': 'dist/\n*.log\n!keep.log\n',
  '.github/ci.yml': '',
  'a/b/deep.ts': '',
  'a/x.ts': '',
  'a/.gitignore': '/b/skip.ts\n',
  'a/b/skip.ts': '',
  'a-b/y.ts': '',
  'dist/out.ts': '',
  'keep.log': '',
  'lost.log': '',
  'node_modules/p/i.ts': '',
  'weird [1].ts': '',
}

describe('find', () => {
  const questions: [args: Record<string, unknown>, answer: string][] = [
    [{ pattern: '*.ts' }, 'a-b/y.ts\na/b/deep.ts\na/x.ts\nweird [1].ts'],
    [{ pattern: 'a/*.ts' }, 'a/x.ts'],
    [{ pattern: './a/**/*.ts' }, 'a/b/deep.ts\na/x.ts'],
    [{ pattern: '*.ts', path: 'a/b' }, 'a/b/deep.ts'],
    [{ pattern: '*.log' }, 'keep.log'],
    [{ pattern: '*.yml' }, '.github/ci.yml'],
    [{ pattern: '{x,y}.ts' }, 'a-b/y.ts\na/x.ts'],
    [{ pattern: 'a/' }, 'a/.gitignore\na/b/deep.ts\na/x.ts'],
    [{ pattern: '*.ts', path: 'dist' }, 'dist/out.ts'],
    [{ pattern: '*.ts', path: 'node_modules' }, 'node_modules/p/i.ts'],
    [{ pattern: '*.py' }, 'No files found.'],
    [{ pattern: '/etc/*' }, 'find: "pattern" is relative to "path"; put the directory into "path".'],
    [{ pattern: '../*' }, 'find: "pattern" is relative to "path"; put the directory into "path".'],
    [{ pattern: '*', path: 'keep.log' }, 'keep.log is not a directory; find searches below one.'],
    [{ pattern: '*', path: 'aa' }, 'aa does not exist. Did you mean a?'],
    [{}, 'find: "pattern" is missing; expected {pattern, path?}'],
  ]
  for (const [args, answer] of questions) {
    it(`answers ${JSON.stringify(args)}`, async t => {
      assert.equal(await told(find, args, contextFor(await project(t, tree))), answer)
    })
  }

  it('shows 200 files and how many there are', async t => {
    const files = Object.fromEntries(
      Array.from({ length: 1300 }, (_, at) => [`d${at % 13}/f${1000 + at}`, '']),
    )
    const cwd = await project(t, files)
    const { output, details } = await run(find, { pattern: 'f*' }, contextFor(cwd))
    const lines = output.split('\n')
    assert.equal(lines.length, 201)
    assert.equal(lines[200], 'Showing 200 of 1,300 files. Use a narrower pattern or path.')
    assert.deepEqual(details, { path: '.', files: 1300 })
    assert.deepEqual(lines.slice(0, 200), lines.slice(0, 200).sort())
  })

  it('does not leave the project through a link', async t => {
    const outside = await project(t, { 'secret.ts': '' })
    const cwd = await project(t, { 'a.ts': '' })
    await symlink(outside, path.join(cwd, 'out'))
    await symlink('.', path.join(cwd, 'self'))
    assert.equal(await told(find, { pattern: '*.ts' }, contextFor(cwd)), 'a.ts')
    assert.equal(await told(find, { pattern: '*.ts', path: 'out' }, contextFor(cwd)), 'out/secret.ts')
  })

  it('stops when it is cancelled', async t => {
    const cwd = await project(t, tree)
    const controller = new AbortController()
    const finding = run(find, { pattern: '*.ts' }, contextFor(cwd, { signal: controller.signal }))
    controller.abort('user')
    await assert.rejects(finding, reason => reason === 'user')
  })
})

describe('the walk over the project', () => {
  it('gives the files in the order of their paths', async t => {
    const cwd = await project(t, tree)
    const files: string[] = []
    for await (const file of walk(cwd, { cwd })) files.push(file)
    assert.deepEqual(files, [
      '.github/ci.yml',
      '.gitignore',
      'a-b/y.ts',
      'a/.gitignore',
      'a/b/deep.ts',
      'a/x.ts',
      'keep.log',
      'weird [1].ts',
    ])
    assert.deepEqual(files, [...files].sort())
  })
})
