import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlink, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, it } from 'node:test'
import { read } from '../../src/tools/read.ts'
import { contextFor, project, run, seen, told } from './context.ts'

const numbered = (lines: number, start = 1) =>
  Array.from({ length: lines }, (_, at) => `line ${start + at}\n`).join('')

describe('read', () => {
  it('numbers the lines', async t => {
    const cwd = await project(t, { 'a.txt': 'one\n\n  three' })
    const { output, details } = await run(read, { path: 'a.txt' }, contextFor(cwd))
    assert.equal(output, '1\tone\n2\t\n3\t  three')
    assert.deepEqual(details, { path: 'a.txt', from: 1, to: 3, total: 3, seen })
  })

  it('shows 500 lines and says how to go on', async t => {
    const cwd = await project(t, { 'a.txt': numbered(2140) })
    const context = contextFor(cwd)
    const first = (await told(read, { path: 'a.txt' }, context)).split('\n')
    assert.equal(first.length, 501)
    assert.equal(first[499], '500\tline 500')
    assert.equal(first[500], 'Showing lines 1–500 of 2,140. Use offset=501.')
    const second = (await told(read, { path: 'a.txt', offset: 501, limit: 9999 }, context)).split('\n')
    assert.equal(second[0], '501\tline 501')
    assert.equal(second.at(-1), 'Showing lines 501–1,000 of 2,140. Use offset=1001.')
    const last = (await told(read, { path: 'a.txt', offset: 2001 }, context)).split('\n')
    assert.equal(last.at(-1), '2140\tline 2140')
    const few = await told(read, { path: 'a.txt', offset: '3', limit: '2' }, context)
    assert.equal(few, '3\tline 3\n4\tline 4\nShowing lines 3–4 of 2,140. Use offset=5.')
  })

  it('counts lines with and without a last line end', async t => {
    const cwd = await project(t, { 'a.txt': 'a\nb\n', 'b.txt': 'a\nb', 'c.txt': '\n', 'd.txt': 'x' })
    const total = async (file: string) => (await run(read, { path: file }, contextFor(cwd))).details
    assert.deepEqual(await Promise.all(['a.txt', 'b.txt', 'c.txt', 'd.txt'].map(total)), [
      { path: 'a.txt', from: 1, to: 2, total: 2, seen },
      { path: 'b.txt', from: 1, to: 2, total: 2, seen },
      { path: 'c.txt', from: 1, to: 1, total: 1, seen },
      { path: 'd.txt', from: 1, to: 1, total: 1, seen },
    ])
  })

  it('shows neither CR nor a byte-order mark', async t => {
    const cwd = await project(t, { 'a.txt': '\ufeffa\r\nb\rc\r\n' })
    assert.equal(await told(read, { path: 'a.txt' }, contextFor(cwd)), '1\ta\n2\tb\rc')
  })

  it('cuts at 64 KB, and at what the context has room for', async t => {
    const cwd = await project(t, { 'a.txt': `${'x'.repeat(999)}\n`.repeat(200) })
    const whole = await told(read, { path: 'a.txt' }, contextFor(cwd))
    assert.match(whole, /Showing lines 1–65 of 200\. Use offset=66\.$/)
    const small = await told(read, { path: 'a.txt' }, contextFor(cwd, { budget: 5000 }))
    assert.match(small, /Showing lines 1–4 of 200\. Use offset=5\.$/)
    assert.ok(Buffer.byteLength(small) <= 5000)
    const tiny = await told(read, { path: 'a.txt' }, contextFor(cwd, { budget: 300 }))
    assert.match(tiny, /^1\tx+\nCut: the context has no room for all of 1 KB\. Use offset and limit\.$/)
    assert.ok(Buffer.byteLength(tiny) <= 300)
  })

  it('cuts long lines at 2,000 characters, never inside one', async t => {
    const cwd = await project(t, {
      'min.js': `${'x'.repeat(5 * 1024 * 1024)}\nnext\n`,
      'wide.txt': `${'你'.repeat(3000)}\n${'😀'.repeat(1500)}\n${'é'.repeat(2000)}\n`,
    })
    const lines = (await told(read, { path: 'min.js' }, contextFor(cwd))).split('\n')
    assert.equal(lines[0], `1\t${'x'.repeat(2000)}… [line cut: 5 MB]`)
    assert.equal(lines[1], '2\tnext')
    const wide = await told(read, { path: 'wide.txt' }, contextFor(cwd))
    assert.equal(
      wide,
      `1\t${'你'.repeat(2000)}… [line cut: 8.8 KB]\n2\t${'😀'.repeat(1000)}… [line cut: 5.9 KB]\n3\t${'é'.repeat(2000)}`,
    )
  })

  it('finds its place in 100,000 lines', async t => {
    const cwd = await project(t, { 'big.txt': numbered(100_000) })
    const output = await told(read, { path: 'big.txt', offset: 99_999 }, contextFor(cwd))
    assert.equal(output, '99999\tline 99999\n100000\tline 100000')
    const middle = await told(read, { path: 'big.txt', offset: 50_000, limit: 1 }, contextFor(cwd))
    assert.equal(middle, '50000\tline 50000\nShowing lines 50,000–50,000 of 100,000. Use offset=50001.')
  })

  it('does not read a huge file to its end, and keeps little of it', async t => {
    const cwd = await project(t, { 'huge.log': numbered(200_000) })
    await truncate(path.join(cwd, 'huge.log'), 3 * 1024 ** 3)
    const before = process.memoryUsage().arrayBuffers
    const output = await told(read, { path: 'huge.log', limit: 2 }, contextFor(cwd))
    assert.match(output, /^1\tline 1\n2\tline 2\nShowing lines 1–2 of about [\d,]+\. Use offset=3\.$/)
    assert.ok(process.memoryUsage().arrayBuffers - before < 50 * 1024 ** 2)
  })

  it('has one clear sentence for everything that is no text file', async t => {
    const cwd = await project(t, {
      'src/loop.ts': 'x',
      'empty.txt': '',
      'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]),
      'latin.txt': Buffer.from('ok\ncaf\xe9\n', 'latin1'),
      'utf16.txt': Buffer.from('\ufeffhello', 'utf16le'),
      'late.bin': `${'text\n'.repeat(2000)}a\0b\n`,
    })
    execFileSync('mkfifo', [path.join(cwd, 'pipe')])
    await symlink('nowhere', path.join(cwd, 'dangling'))
    await symlink('loop', path.join(cwd, 'loop'))
    await symlink('src/loop.ts', path.join(cwd, 'link.ts'))
    const server = createServer().listen(path.join(cwd, 'socket'))
    t.after(() => server.close())
    const context = contextFor(cwd)
    const table: [given: unknown, sentence: RegExp][] = [
      [{ path: 'empty.txt' }, /^empty\.txt is empty\.$/],
      [{ path: 'src' }, /^src is a directory; use ls\.$/],
      [{ path: 'pipe' }, /^pipe is a named pipe, not a file\.$/],
      [{ path: 'socket' }, /^socket is a socket, not a file\.$/],
      [{ path: '/dev/zero' }, /^\/dev\/zero is a device, not a file\.$/],
      [{ path: 'logo.png' }, /^logo\.png is a binary file \(8 bytes\); only text can be read or edited\.$/],
      [{ path: 'late.bin', offset: 1999 }, /^late\.bin is a binary file/],
      [{ path: 'latin.txt' }, /^latin\.txt is not UTF-8 text \(line 2\); .*iconv -f LATIN1 -t UTF-8$/],
      [{ path: 'utf16.txt' }, /^utf16\.txt is UTF-16 text/],
      [{ path: 'loop.ts' }, /^1\tx\n"loop\.ts" was taken to mean src\/loop\.ts\.$/],
      [{ path: 'scr/loop.ts' }, /^scr\/loop\.ts does not exist\. Did you mean src or src\/loop\.ts\?$/],
      [{ path: '@src/loop.ts' }, /^1\tx\n"@src\/loop\.ts" was taken to mean src\/loop\.ts\.$/],
      [{ path: 'no/such/thing' }, /^no\/such\/thing does not exist\.$/],
      [{ path: 'src/loop.ts/x' }, /^src\/loop\.ts\/x does not exist\./],
      [{ path: 'dangling' }, /^dangling is a link to nowhere, which does not exist\.$/],
      [{ path: 'loop' }, /its symbolic links go in a circle \(ELOOP\)$/],
      [{ path: 'src/loop.ts', offset: 900 }, /^offset 900 is past the end: src\/loop\.ts has 1 line\.$/],
      [
        { path: 'src/loop.ts', offset: -1 },
        /^read: "offset" must be at least 0, got -1; expected \{path, offset\?, limit\?\}$/,
      ],
      [{ path: 'x'.repeat(300) }, /name is too long/],
      [{ path: 'a\0b' }, /^read: "path" holds a control character/],
      [{ path: '\\\\evil\\share\\x' }, /^read: "path" is a network or device path/],
      [{ path: 'link.ts' }, /^1\tx$/],
    ]
    for (const [given, sentence] of table) assert.match(await told(read, given, context), sentence)
  })

  if (process.platform === 'linux') {
    it('reads what claims to have no size', async t => {
      const cwd = await project(t)
      assert.match(await told(read, { path: '/proc/self/status' }, contextFor(cwd)), /^1\tName:/)
    })
  }

  it('stops when it is cancelled', async t => {
    const cwd = await project(t, { 'huge.log': 'x\n' })
    await truncate(path.join(cwd, 'huge.log'), 8 * 1024 ** 3)
    const controller = new AbortController()
    const reading = run(read, { path: 'huge.log', offset: 5 }, contextFor(cwd, { signal: controller.signal }))
    controller.abort('user')
    await assert.rejects(reading, reason => reason === 'user')
  })
})
