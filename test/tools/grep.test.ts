import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { build } from 'esbuild'
import { grep } from '../../src/tools/grep.ts'
import { findProgram } from '../../src/tools/program.ts'
import { contextFor, project, run, told } from './context.ts'

/** Runs with this PATH; tests of one file run one after the other. */
async function withPath<T>(value: string, work: () => Promise<T>): Promise<T> {
  const before = process.env.PATH
  process.env.PATH = value
  try {
    return await work()
  } finally {
    process.env.PATH = before
  }
}

const realRg = findProgram('rg', { path: process.env.PATH, cwd: '/nowhere' })
const engines: [name: string, path: string][] = [
  ['by ourselves', ''],
  ...(realRg === undefined ? [] : [['by ripgrep', path.dirname(realRg)] as [string, string]]),
]

const tree = {
  '.git/config': 'needle in git',
  '.gitignore': 'dist/\n*.log\n!keep.log\n',
  '.github/ci.yml': 'needle: hidden',
  'a/x.ts': 'one\nconst needle = 1\n',
  'a-b/y.ts': 'needle needle\n',
  'a/.gitignore': 'local.txt\n',
  'a/local.txt': 'needle',
  'b.log': 'needle',
  'keep.log': 'needle kept',
  'bin.dat': Buffer.from('needle\0'),
  'crlf.txt': 'x needle\r\nend\r\n',
  'dist/out.js': 'needle',
  'latin.txt': Buffer.from('needle caf\xe9', 'latin1'),
  'node_modules/p/i.js': 'needle',
  'Upper.md': 'NEEDLE\n',
}

describe('grep', () => {
  for (const [engine, searchPath] of engines) {
    const search = (args: Record<string, unknown>, cwd: string, changes = {}) =>
      withPath(searchPath, () => told(grep, args, contextFor(cwd, changes)))

    it(`finds lines, leaves out what is ignored, in order (${engine})`, async t => {
      const cwd = await project(t, tree)
      assert.deepEqual((await search({ pattern: 'need+le' }, cwd)).split('\n'), [
        '.github/ci.yml:1: needle: hidden',
        'a-b/y.ts:1: needle needle',
        'a/x.ts:2: const needle = 1',
        'crlf.txt:1: x needle',
        'keep.log:1: needle kept',
        'latin.txt:1: needle caf\ufffd',
      ])
    })

    const questions: [args: Record<string, unknown>, answer: string][] = [
      [{ pattern: 'needle$', path: 'crlf.txt' }, 'crlf.txt:1: x needle'],
      [{ pattern: '^needle', path: 'a-b' }, 'a-b/y.ts:1: needle needle'],
      [{ pattern: 'NEEDLE' }, 'Upper.md:1: NEEDLE'],
      [{ pattern: '(?i)needle', path: 'Upper.md' }, 'Upper.md:1: NEEDLE'],
      [{ pattern: 'needle', glob: '*.md', ignore_case: 'true' }, 'Upper.md:1: NEEDLE'],
      [{ pattern: 'needle', glob: '*.{md,ts}', path: 'a' }, 'a/x.ts:2: const needle = 1'],
      [{ pattern: 'needle', glob: 'a/**' }, 'a/x.ts:2: const needle = 1'],
      [{ pattern: 'needle =', glob: '!*.ts' }, 'No matches.'],
      [{ pattern: 'needle', path: 'dist' }, 'dist/out.js:1: needle'],
      [{ pattern: 'needle', path: 'node_modules/p' }, 'node_modules/p/i.js:1: needle'],
      [{ pattern: 'needle', path: 'b.log' }, 'b.log:1: needle'],
      [{ pattern: 'a.x', literal: true }, 'No matches.'],
      [{ pattern: 'needle(?= = 1)' }, 'a/x.ts:2: const needle = 1'],
      [{ pattern: '-e' }, 'No matches.'],
      [{ pattern: 'x', path: 'bin.dat' }, 'No matches.'],
    ]
    for (const [args, answer] of questions) {
      it(`answers ${JSON.stringify(args)} (${engine})`, async t => {
        assert.equal(await search(args, await project(t, tree)), answer)
      })
    }

    it(`reads all .gitignore files from the repository's root on (${engine})`, async t => {
      const cwd = await project(t, {
        '.git/HEAD': '',
        '.gitignore': 'generated/\n/pkg/*.tmp\n',
        'pkg/.gitignore': '*.out\n!b.out\n',
        'pkg/src/a.out': 'needle',
        'pkg/src/b.out': 'needle b',
        'pkg/src/generated/x': 'needle',
        'pkg/c.tmp': 'needle',
        'pkg/src/.gitignore': '!deep.tmp\n',
        'pkg/src/deep.tmp': 'needle deep',
      })
      const inPackage = path.join(cwd, 'pkg')
      assert.equal(
        await search({ pattern: 'needle' }, inPackage),
        'src/b.out:1: needle b\nsrc/deep.tmp:1: needle deep',
      )
      assert.equal(
        await search({ pattern: 'needle', path: 'src' }, inPackage),
        'src/b.out:1: needle b\nsrc/deep.tmp:1: needle deep',
      )
    })

    it(`obeys no .gitignore above the session's directory without a repository (${engine})`, async t => {
      const cwd = await project(t, {
        '.gitignore': '*',
        'in/.gitignore': 'x.txt',
        'in/sub/x.txt': 'needle',
        'in/sub/y.txt': 'needle',
      })
      const inner = path.join(cwd, 'in')
      assert.equal(await search({ pattern: 'needle' }, inner), 'sub/y.txt:1: needle')
      assert.equal(await search({ pattern: 'needle', path: 'sub' }, inner), 'sub/y.txt:1: needle')
    })

    it(`shows the first 50 and how to narrow (${engine})`, async t => {
      const files = Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [`f${String(at).padStart(2, '0')}.txt`, 'hit\nhit\nhit\n']),
      )
      const cwd = await project(t, files)
      const lines = (await search({ pattern: 'hit' }, cwd)).split('\n')
      assert.equal(lines.length, 51)
      assert.equal(lines[49], 'f16.txt:2: hit')
      assert.equal(lines[50], 'Showing the first 50 matches; there are more. Narrow pattern, path or glob.')
      const exactly = await search({ pattern: 'hit', glob: 'f0*' }, cwd, {
        limits: { ...contextFor(cwd).limits, grep_max_matches: 30 },
      })
      assert.equal(exactly.split('\n').length, 30)
    })

    it(`cuts long lines around the match (${engine})`, async t => {
      const cwd = await project(t, {
        'min.js': `${'a'.repeat(5 * 1024 * 1024)}needle${'b'.repeat(1000)}\n`,
        'wide.txt': `${'你'.repeat(2000)}needle${'😀'.repeat(500)}\n`,
      })
      const [first = '', second = ''] = (await search({ pattern: 'needle' }, cwd)).split('\n')
      assert.match(first, /^min\.js:1: …a+needleb+…$/)
      assert.match(second, /^wide\.txt:1: …你+needle😀+…$/u)
      for (const line of [first, second]) assert.ok(line.length <= 300 + 'wide.txt:1: '.length)
    })

    it(`follows no links, and opens nothing but files (${engine})`, async t => {
      const outside = await project(t, { 'secret.txt': 'needle' })
      const cwd = await project(t, { 'a.txt': 'needle' })
      await symlink(outside, path.join(cwd, 'out'))
      await symlink(path.join(outside, 'secret.txt'), path.join(cwd, 'link.txt'))
      execFileSync('mkfifo', [path.join(cwd, 'pipe')])
      assert.equal(await search({ pattern: 'needle' }, cwd), 'a.txt:1: needle')
      assert.match(
        await search({ pattern: 'needle', path: 'pipe' }, cwd),
        /^pipe is a named pipe, not a file\.$/,
      )
      assert.match(await search({ pattern: 'needle', path: '/dev/zero' }, cwd), /is a device, not a file\.$/)
      assert.equal(await search({ pattern: 'needle', path: outside }, cwd), `${outside}/secret.txt:1: needle`)
    })

    it(`says what is wrong with a pattern (${engine})`, async t => {
      const cwd = await project(t, { 'a.txt': 'f(x' })
      assert.match(
        await search({ pattern: 'f(x' }, cwd),
        /^grep: "pattern" is no regular expression \(.*\)\. Mend it, or set literal\.$/,
      )
      assert.equal(await search({ pattern: 'f(x', literal: true }, cwd), 'a.txt:1: f(x')
      assert.equal(await search({ pattern: 'f\\(x\\-?' }, cwd), 'a.txt:1: f(x')
    })

    it(`stops when it is cancelled (${engine})`, async t => {
      const cwd = await project(t, { 'a.txt': 'x\n'.repeat(1000) })
      const controller = new AbortController()
      const searching = withPath(searchPath, () =>
        run(grep, { pattern: 'x' }, contextFor(cwd, { signal: controller.signal })),
      )
      controller.abort('user')
      await assert.rejects(searching, reason => reason === 'user')
    })
  }

  it('RS-07: is not hung by a catastrophic pattern', async t => {
    const cwd = await project(t, { 'a.txt': 'ok aaa!\n', 'z.txt': `${'a'.repeat(40)}!\n` })
    t.mock.method(AbortSignal, 'timeout', (ms: number) => {
      assert.equal(ms, 5000)
      const controller = new AbortController()
      setTimeout(() => controller.abort(new Error('time is over')), 200)
      return controller.signal
    })
    const said = await withPath('', () => told(grep, { pattern: '(a+)+$', path: 'z.txt' }, contextFor(cwd)))
    assert.equal(
      said,
      'Stopped before all files were searched: it took too long. Narrow pattern, path or glob.',
    )
  })

  it('can be cancelled in a catastrophic pattern', async t => {
    const cwd = await project(t, { 'z.txt': `${'a'.repeat(40)}!\n` })
    const controller = new AbortController()
    const searching = withPath('', () =>
      run(grep, { pattern: '(a+)+$' }, contextFor(cwd, { signal: controller.signal })),
    )
    setTimeout(() => controller.abort('steer'), 150)
    await assert.rejects(searching, reason => reason === 'steer')
  })

  it('works from a minified bundle too', async t => {
    const cwd = await project(t, tree)
    const out = path.join(cwd, 'dist', 'bundle.cjs')
    await build({
      entryPoints: [path.resolve('src/tools/grep.ts')],
      outfile: out,
      bundle: true,
      minify: true,
      keepNames: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
    })
    const bundled = createRequire(import.meta.url)(out) as { grep: typeof grep }
    const { output } = await withPath('', () =>
      bundled.grep.execute({ pattern: 'needle', path: 'a' }, contextFor(cwd)),
    )
    assert.equal(output, 'a/x.ts:2: const needle = 1')
  })
})

describe('ripgrep', () => {
  /** A program named rg that notes how it was called and prints what it is told to. */
  async function fakeRg(
    t: TestContext,
    prints: string,
    exit = 0,
  ): Promise<{ path: string; calls: () => Promise<string[]> }> {
    const directory = await project(t, { out: prints })
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" "config=$RIPGREP_CONFIG_PATH" > '${directory}/calls'\ncat '${directory}/out'\nexit ${exit}\n`
    await writeFile(path.join(directory, 'rg'), script)
    await chmod(path.join(directory, 'rg'), 0o755)
    return {
      path: `${directory}:/usr/bin:/bin`,
      calls: async () => (await readFile(path.join(directory, 'calls'), 'utf8')).trimEnd().split('\n'),
    }
  }

  it('is called so that nothing but the question counts', async t => {
    const cwd = await project(t, { 'src/a.ts': '' })
    const rg = await fakeRg(
      t,
      './src/b.ts\0' +
        '2:1:two\n./src/b.ts: binary file matches (found "\\0" byte around offset 3)\n./src/a.ts\0' +
        '10:3:  ten\r\n',
    )
    process.env.RIPGREP_CONFIG_PATH = '/evil'
    t.after(() => delete process.env.RIPGREP_CONFIG_PATH)
    const said = await withPath(rg.path, () =>
      told(grep, { pattern: '--pre=evil', glob: '*.ts' }, contextFor(cwd)),
    )
    assert.equal(said, 'src/a.ts:10:   ten\nsrc/b.ts:2: two')
    const calls = await rg.calls()
    assert.equal(calls[0], '--no-config')
    assert.deepEqual(calls.slice(-4), ['--', '--pre=evil', './', 'config='])
    assert.ok(
      calls.includes('--glob=*.ts') && calls.includes('--hidden') && calls.includes('--glob=!**/.git'),
    )
    assert.ok(!calls.some(call => /^(--pre|-z|--search-zip|--follow|-L)/.test(call) && call !== '--pre=evil'))
  })

  it('is not believed when it fails: we search ourselves', async t => {
    const cwd = await project(t, { 'a.txt': 'needle' })
    const rg = await fakeRg(t, '', 2)
    await writeFile(
      path.join(rg.path.split(':')[0] ?? '', 'rg'),
      '#!/bin/sh\necho "unrecognized flag --crlf" >&2\nexit 2\n',
    )
    assert.equal(
      await withPath(rg.path, () => told(grep, { pattern: 'needle' }, contextFor(cwd))),
      'a.txt:1: needle',
    )
  })
})

describe('a program that gopi starts', () => {
  it('is never one of the project, and never found by a relative entry', async t => {
    const outside = await project(t, { 'bin/tool': '', 'plain/tool': '', 'dir/tool/': '' })
    const cwd = await project(t, { '.git/HEAD': '', 'bin/tool': '', 'pkg/': '' })
    for (const file of [path.join(outside, 'bin/tool'), path.join(cwd, 'bin/tool')]) await chmod(file, 0o755)
    await mkdir(path.join(outside, 'links'))
    await symlink(path.join(cwd, 'bin/tool'), path.join(outside, 'links/tool'))
    await symlink(path.join(cwd, 'bin'), path.join(outside, 'linked'))
    const find = (...entries: string[]) =>
      findProgram('tool', { path: entries.join(':'), cwd: path.join(cwd, 'pkg') })
    const good = path.join(outside, 'bin/tool')
    assert.equal(find(path.join(outside, 'bin')), good)
    assert.equal(find(path.join(cwd, 'bin'), path.join(outside, 'linked'), path.join(outside, 'bin')), good)
    assert.equal(find(path.join(outside, 'links'), path.join(outside, 'bin')), good)
    assert.equal(
      find(path.join(outside, 'plain'), path.join(outside, 'dir'), path.join(outside, 'bin')),
      good,
    )
    assert.equal(find(path.join(cwd, 'bin'), 'bin', '.', ''), undefined)
    assert.equal(findProgram('tool', { path: undefined, cwd }), undefined)
  })
})
