import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, link, lstat, readdir, readFile, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { write } from '../../src/tools/write.ts'
import { contextFor, project, run, seen, told } from './context.ts'

describe('write', () => {
  it('creates a file with its directories', async t => {
    const cwd = await project(t)
    const { output, details } = await run(
      write,
      { path: 'a/b/c.txt', content: 'one\ntwo\n' },
      contextFor(cwd),
    )
    assert.equal(output, 'Created a/b/c.txt: 2 lines, 8 bytes.')
    assert.deepEqual(details, {
      path: 'a/b/c.txt',
      added: 2,
      removed: 0,
      diff: '@@ -0,0 +1,2 @@\n+one\n+two\n',
      created: true,
      seen,
    })
    assert.equal(await readFile(path.join(cwd, 'a/b/c.txt'), 'utf8'), 'one\ntwo\n')
    const umask = process.umask()
    assert.equal((await stat(path.join(cwd, 'a/b/c.txt'))).mode & 0o777, 0o666 & ~umask)
  })

  it('replaces a file whole, keeps its mode, and leaves nothing beside it', async t => {
    const cwd = await project(t, { 'run.sh': 'old\nsame\n' })
    await chmod(path.join(cwd, 'run.sh'), 0o754)
    const { output, details } = await run(write, { path: 'run.sh', content: 'new\nsame\n' }, contextFor(cwd))
    assert.equal(output, 'Replaced run.sh: 2 lines (2 before), 9 bytes.')
    assert.deepEqual(details, {
      path: 'run.sh',
      added: 1,
      removed: 1,
      diff: '@@ -1,2 +1,2 @@\n-old\n+new\n same\n',
      seen,
    })
    assert.equal((await stat(path.join(cwd, 'run.sh'))).mode & 0o777, 0o754)
    assert.deepEqual(await readdir(cwd), ['run.sh'])
  })

  it('says when nothing changes, and when line ends do', async t => {
    const cwd = await project(t, { 'a.txt': 'a\r\nb\r\n' })
    assert.equal(
      await told(write, { path: 'a.txt', content: 'a\r\nb\r\n' }, contextFor(cwd)),
      'a.txt has this content already.',
    )
    assert.equal(
      await told(write, { path: 'a.txt', content: 'a\nc\n' }, contextFor(cwd)),
      'Replaced a.txt: 2 lines (2 before), 6 bytes. Its CRLF line ends were kept.',
    )
    assert.equal(await readFile(path.join(cwd, 'a.txt'), 'utf8'), 'a\r\nc\r\n')
  })

  it('writes through a link to its target, and keeps hard links together', async t => {
    const cwd = await project(t, { 'real.txt': 'old', 'one.txt': 'old' })
    await symlink('real.txt', path.join(cwd, 'link.txt'))
    await link(path.join(cwd, 'one.txt'), path.join(cwd, 'two.txt'))
    await run(write, { path: 'link.txt', content: 'new' }, contextFor(cwd))
    await run(write, { path: 'one.txt', content: 'new' }, contextFor(cwd))
    assert.ok((await lstat(path.join(cwd, 'link.txt'))).isSymbolicLink())
    assert.equal(await readFile(path.join(cwd, 'real.txt'), 'utf8'), 'new')
    assert.equal(await readFile(path.join(cwd, 'two.txt'), 'utf8'), 'new')
  })

  it('replaces what is no text without showing it', async t => {
    const cwd = await project(t, { 'a.bin': Buffer.from([0xff, 0xfe, 0, 1]) })
    const { details } = await run(write, { path: 'a.bin', content: 'text\n' }, contextFor(cwd))
    assert.deepEqual(details, { path: 'a.bin', added: 1, removed: 0, diff: '', seen })
  })

  it('refuses what is no file', async t => {
    const cwd = await project(t, { 'dir/': '', file: 'x' })
    execFileSync('mkfifo', [path.join(cwd, 'pipe')])
    await symlink('nowhere', path.join(cwd, 'dangling'))
    const table: [string, RegExp][] = [
      ['dir', /^dir is a directory; use ls\.$/],
      ['new/', /^new names a directory; a file name is needed\.$/],
      ['pipe', /^pipe is a named pipe, not a file\.$/],
      ['/dev/null', /^\/dev\/null is a device, not a file\.$/],
      ['dangling', /^dangling is a link to a file that does not exist/],
      ['file/x', /a part of the path is a file, not a directory/],
    ]
    for (const [given, sentence] of table) {
      assert.match(await told(write, { path: given, content: 'x' }, contextFor(cwd)), sentence)
    }
    assert.deepEqual((await readdir(cwd)).sort(), ['dangling', 'dir', 'file', 'pipe'])
  })

  it('names the file that cannot be written, not the temporary one', async t => {
    const cwd = await project(t)
    assert.match(
      await told(write, { path: '/proc/gopi', content: '' }, contextFor(cwd)),
      /^\/proc(\/gopi)?: [a-z -]+ \(E/,
    )
  })

  it('shows the diff before, and changes nothing by that', async t => {
    const cwd = await project(t, { 'a.txt': 'a\n' })
    assert.deepEqual(await write.preview?.({ path: 'a.txt', content: 'b\n' }, contextFor(cwd)), {
      type: 'diff',
      path: 'a.txt',
      diff: '@@ -1,1 +1,1 @@\n-a\n+b\n',
      added: 1,
      removed: 1,
    })
    assert.equal(await readFile(path.join(cwd, 'a.txt'), 'utf8'), 'a\n')
  })

  it('changes nothing when it is cancelled', async t => {
    const cwd = await project(t, { 'a.txt': 'a\n' })
    const controller = new AbortController()
    const writing = run(
      write,
      { path: 'a.txt', content: 'b\n' },
      contextFor(cwd, { signal: controller.signal }),
    )
    controller.abort('user')
    await assert.rejects(writing, reason => reason === 'user')
    assert.deepEqual(await readdir(cwd), ['a.txt'])
    assert.equal(await readFile(path.join(cwd, 'a.txt'), 'utf8'), 'a\n')
  })
})
