import assert from 'node:assert/strict'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { edit } from '../../src/tools/edit.ts'
import { contextFor, project, run, seen, told } from './context.ts'

/** Edits a file with this text; returns what it holds afterwards and what the model is told. */
async function tryEdit(t: import('node:test').TestContext, text: string, args: Record<string, unknown>) {
  const cwd = await project(t, { 'a.ts': text })
  const said = await told(edit, { path: 'a.ts', ...args }, contextFor(cwd))
  return { said, text: await readFile(path.join(cwd, 'a.ts'), 'utf8') }
}

describe('edit', () => {
  it('replaces the one place and tells where', async t => {
    const cwd = await project(t, { 'src/a.ts': 'one\ntwo\nthree\n' })
    await chmod(path.join(cwd, 'src/a.ts'), 0o640)
    const { output, details } = await run(
      edit,
      { path: 'src/a.ts', old: 'two\n', new: 'two\nand a half\n' },
      contextFor(cwd),
    )
    assert.equal(output, 'Edited src/a.ts at line 2 (+1 -0 lines).')
    assert.deepEqual(details, {
      path: 'src/a.ts',
      added: 1,
      removed: 0,
      diff: '@@ -1,3 +1,4 @@\n one\n two\n+and a half\n three\n',
      seen,
    })
    assert.equal((await stat(path.join(cwd, 'src/a.ts'))).mode & 0o777, 0o640)
  })

  const replacements: [what: string, before: string, args: Record<string, unknown>, after: string][] = [
    ['takes the replacement literally', 'a = 1', { old: '1', new: '$& $1 $` \\n' }, 'a = $& $1 $` \\n'],
    ['takes the old text literally', 'a.*b axxb', { old: 'a.*b', new: 'c' }, 'c axxb'],
    ['deletes', 'a-b-c', { old: 'b-', new: '' }, 'a-c'],
    ['fills an empty file', '', { old: '', new: 'a\n' }, 'a\n'],
    ['replaces all', 'x x x', { old: 'x', new: 'xx', all: true }, 'xx xx xx'],
    ['passes over overlaps with all', 'aaaaa', { old: 'aa', new: 'b', all: 'true' }, 'bba'],
    ['keeps CRLF', 'a\r\nb\r\nc\r\n', { old: 'a\nb', new: 'A\nB\nC' }, 'A\r\nB\r\nC\r\nc\r\n'],
    ['keeps CRLF for one line that becomes two', 'a\r\nb\r\n', { old: 'a', new: 'x\ny' }, 'x\r\ny\r\nb\r\n'],
    ['keeps LF when CRLF is sent', 'a\nb\n', { old: 'a\r\nb', new: 'x\r\ny' }, 'x\ny\n'],
    ['keeps mixed line ends where they are', 'a\r\nb\nc\n', { old: 'b\nc', new: 'B\nC' }, 'a\r\nB\nC\n'],
    ['takes the line ends of the last line after it', 'a\r\nb', { old: 'b', new: 'B\nC' }, 'a\r\nB\r\nC'],
    [
      "takes each place's own line ends",
      'x\r\nx\nx\r\n',
      { old: 'x', new: '1\n2', all: true },
      '1\r\n2\r\n1\n2\n1\r\n2\r\n',
    ],
    ['obeys when line ends are what is edited', 'a\r\nb\r\n', { old: 'a\r\n', new: 'a\n' }, 'a\nb\r\n'],
    ['keeps a byte-order mark', '\ufeffa\nb\n', { old: 'a\n', new: 'A\n' }, '\ufeffA\nb\n'],
    ['keeps a missing last line end', 'a\nb', { old: 'a', new: 'c' }, 'c\nb'],
    ['works on other scripts', '你好，世界\n', { old: '世界', new: '🌍' }, '你好，🌍\n'],
    ['knows other names', 'a', { old_string: 'a', new_string: 'b', replace_all: false }, 'b'],
  ]
  for (const [what, before, args, after] of replacements) {
    it(what, async t => assert.equal((await tryEdit(t, before, args)).text, after))
  }

  const refusals: [what: string, before: string, args: Record<string, unknown>, said: RegExp][] = [
    [
      'says how often and where',
      'x\ny\nx\n\nx',
      { old: 'x', new: 'z' },
      /^edit: "old" is in a\.ts 3 times: lines 1, 3, 5\. Add the lines around it to make it unique, or set all\.$/,
    ],
    ['counts overlaps as two', 'aaa', { old: 'aa', new: 'b' }, /is in a\.ts 2 times: lines 1, 1\./],
    [
      'lists ten lines at most',
      'x\n'.repeat(5000),
      { old: 'x', new: 'y' },
      /5,000 times: lines 1, 2, .*10, …\. /,
    ],
    [
      'refuses an empty old',
      'a',
      { old: '', new: 'b' },
      /^edit: "old" is empty, which names no place in a\.ts \(1 line\)\. To add text, .* use write\. It begins:\n1\ta$/,
    ],
    ['refuses a missing new', 'a', { old: 'a' }, /^edit: "new" is missing; expected/],
    ['names keys that it does not know', 'a', { old: 'a', neu: 'b' }, /"new" is missing \(not known: neu\)/],
    [
      'refuses equal texts',
      'a',
      { old: 'a', new: 'a' },
      /^edit: "old" and "new" are the same; nothing to change\.$/,
    ],
    ['refuses a change of nothing', 'a\r\nb', { old: 'a\nb', new: 'a\r\nb' }, /differ in line ends only/],
    [
      'shows what differs in blanks only',
      'if (a) {\n\treturn  b\n}\n',
      { old: 'if (a) {\n  return b\n}', new: 'x' },
      /^edit: "old" is not in a\.ts\. These lines differ in blanks or line breaks only:\n1\tif \(a\) \{\n2\t\treturn {2}b\n3\t\}\nFirst difference, line 2: the file has "\\treturn {2}b", "old" has " {2}return b"\.$/,
    ],
    [
      'shows the nearest lines',
      `${'other\n'.repeat(50)}const total = add(first, second)\nlast\n`,
      { old: 'const total = add(first, third)', new: 'x' },
      /^edit: "old" is not in a\.ts\. The nearest lines are:\n51\tconst total = add\(first, second\)\nFirst difference, line 51: the file has ".*second\)", "old" has ".*third\)"\.$/,
    ],
    [
      'sends to the file when nothing is near',
      'abc',
      { old: 'zzzz', new: 'y' },
      /not in a\.ts\. No line of it is like that\. Read the file and copy the text exactly\. It begins:\n1\tabc$/,
    ],
    [
      'sees copied line numbers',
      'a = 1\nb = 2\n',
      { old: '1\ta = 1\n2\tb = 3', new: 'c' },
      /Leave out the line numbers\./,
    ],
    [
      'sees that it was done before',
      'x\nnew text\n',
      { old: 'gone', new: 'new text' },
      /"new" is there already, at line 2\./,
    ],
  ]
  for (const [what, before, args, said] of refusals) {
    it(what, async t => {
      const result = await tryEdit(t, before, args)
      assert.match(result.said, said)
      assert.equal(result.text, before)
    })
  }

  it('replaces all of very many, or nothing', async t => {
    const many = await tryEdit(t, 'x\n'.repeat(100_000), { old: 'x', new: 'y', all: true })
    assert.ok(many.text === 'y\n'.repeat(100_000))
    assert.match(
      many.said,
      /^Edited a\.ts at 100,000 places: lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … \(\+100,000 -100,000 lines\)\.$/,
    )
    const oneLine = await tryEdit(t, 'x'.repeat(200_000), { old: 'x', new: '\n', all: true })
    assert.ok(oneLine.text === '\n'.repeat(200_000))
    const tooMany = await tryEdit(t, 'x'.repeat(1_000_001), { old: 'x', new: 'y', all: true })
    assert.equal(tooMany.said, 'edit: "old" is in a.ts 1,000,000 times or more; use bash, e.g. sed.')
    assert.ok(tooMany.text === 'x'.repeat(1_000_001))
  })

  it('bounds the search for a hint', async t => {
    const text = `${'const value = compute(alpha, beta)\n'.repeat(200_000)}`
    const { said } = await tryEdit(t, text, {
      old: `${'const value = compute(gamma)\n'.repeat(400)}`,
      new: '',
    })
    assert.match(said, /The nearest lines are:/)
    assert.ok(said.length < 2000)
  })

  it('refuses what is no UTF-8 text file, and says why', async t => {
    const cwd = await project(t, { 'dir/': '', 'a.txt': 'x' })
    await writeFile(path.join(cwd, 'latin.txt'), Buffer.from('caf\xe9', 'latin1'))
    await writeFile(path.join(cwd, 'a.bin'), Buffer.from('a\0b'))
    const table: [string, RegExp][] = [
      ['latin.txt', /^latin\.txt is not UTF-8 text; .*iconv/],
      ['a.bin', /^a\.bin is a binary file; edit works on text only\.$/],
      ['dir', /^dir is a directory/],
      ['/dev/zero', /^\/dev\/zero is a device/],
      ['a.tx', /^a\.tx does not exist\. Did you mean a\.txt\? To create a file use write\.$/],
    ]
    for (const [given, said] of table) {
      assert.match(await told(edit, { path: given, old: 'a', new: 'b' }, contextFor(cwd)), said)
    }
  })

  it('shows the diff before, and refuses there what it would refuse', async t => {
    const cwd = await project(t, { 'a.txt': 'a\r\nb\r\n' })
    const context = contextFor(cwd)
    assert.deepEqual(await edit.preview?.({ path: 'a.txt', old: 'b', new: 'c' }, context), {
      type: 'diff',
      path: 'a.txt',
      diff: '@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n',
      added: 1,
      removed: 1,
    })
    await assert.rejects(async () => edit.preview?.({ path: 'a.txt', old: 'z', new: 'c' }, context), {
      name: 'ToolError',
      message: /^edit: "old" is not in a\.txt\./,
    })
    assert.equal(await readFile(path.join(cwd, 'a.txt'), 'utf8'), 'a\r\nb\r\n')
  })
})
