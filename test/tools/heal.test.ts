import assert from 'node:assert/strict'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { ToolError } from '../../src/protocol/errors.ts'
import { edit } from '../../src/tools/edit.ts'
import { planEdit } from '../../src/tools/edit-plan.ts'
import { FileLedger } from '../../src/tools/ledger.ts'
import { read } from '../../src/tools/read.ts'
import { write } from '../../src/tools/write.ts'
import { contextFor, project, told } from './context.ts'

const py = 'class A:\n    def f(self, x):\n        if x:\n            return 1\n        return 2\n'
const js = 'function f(a) {\n\tif (a) {\n\t\treturn "x"\n\t}\n\treturn null\n}\n'

/** What an edit makes of a text, or what is said instead. */
function tried(file: string, before: string, args: { old: string; new: string; all?: boolean }): string {
  try {
    return planEdit(before, { path: file, ...args }, file).after
  } catch (error) {
    if (error instanceof ToolError) return `refused: ${error.message}`
    throw error
  }
}

describe('an edit that heals', () => {
  const table: [
    what: string,
    file: string,
    before: string,
    old: string,
    fresh: string,
    want: string | RegExp,
  ][] = [
    [
      '2 blanks for 4, deeper lines too',
      'a.py',
      py,
      'def f(self, x):\n  if x:\n    return 1',
      'def f(self, x):\n  if x:\n    if y:\n      return 3\n    return 1',
      py.replace('            return 1', '            if y:\n                return 3\n            return 1'),
    ],
    [
      'blanks for tabs',
      'a.js',
      js,
      '    if (a) {\n        return "x"\n    }',
      '    if (a) {\n        log()\n        return "y"\n    }',
      js.replace('\t\treturn "x"', '\t\tlog()\n\t\treturn "y"'),
    ],
    [
      'too deep throughout',
      'a.js',
      js,
      '\t\t\treturn null',
      '\t\t\treturn a',
      js.replace('return null', 'return a'),
    ],
    [
      'lost in old, right in new',
      'a.py',
      py,
      '        if y:\n            return 1'.replace('y', 'x').replace(/^ {8}/gm, ''),
      '        if x:\n            return 9',
      py.replace('return 1', 'return 9'),
    ],
    [
      'all indentation lost: nobody knows',
      'a.py',
      py,
      'if x:\nreturn 1\nreturn 2',
      'if x:\nreturn 3',
      /^refused: .*differ in blanks/,
    ],
    [
      'twice apart from indentation',
      'a.js',
      '  a()\n  b()\n\ta()\n\tb()\n',
      '      a()\n      b()',
      '      c()',
      /^refused: .*2 times apart from indentation: lines 1, 3/,
    ],
    [
      'numbers with bars',
      'a.py',
      py,
      '  3 |         if x:\n  4 |             return 1',
      '  3 |         if x:\n  4 |             return 5',
      py.replace('return 1', 'return 5'),
    ],
    [
      'numbers in old, none in new',
      'a.py',
      py,
      '4\t            return 1\n5\t        return 2',
      '            return 1\n        return 7',
      py.replace('return 2', 'return 7'),
    ],
    [
      'numbers in new alone, two lines',
      'a.py',
      py,
      '            return 1\n        return 2',
      '4\t            return 1\n5\t        return 8',
      py.replace('return 2', 'return 8'),
    ],
    ['numbers that a table has itself', 'a.tsv', '1\ta\n2\tb\n', '2\tb', '2\tc', '1\ta\n2\tc\n'],
    [
      'curly quotes that the file has',
      'a.md',
      'He said “no”.\n',
      'He said "no".',
      'He said "no" again.',
      'He said “no” again.\n',
    ],
    ['a decomposed letter', 'a.md', 'caf\u00e9 one\n', 'cafe\u0301 one', 'cafe\u0301 two', 'caf\u00e9 two\n'],
    [
      'entities the file has, signs sent',
      'a.html',
      '<p>a &amp; b &lt;i&gt;</p>\n',
      '<p>a & b <i></p>',
      '<p>a & c <i></p>',
      '<p>a &amp; c &lt;i&gt;</p>\n',
    ],
    [
      'escaped tabs and line ends',
      'a.js',
      js,
      '\\tif (a) {\\n\\t\\treturn \\"x\\"',
      '\\tif (a) {\\n\\t\\treturn \\"z\\"',
      js.replace('"x"', '"z"'),
    ],
    [
      'an escape in a string stays one',
      'a.js',
      'log("a\\n")\nlog("b")\n',
      'log("a\\n")\\nlog("b")',
      'log("a\\n")\\nlog("c")',
      'log("a\\n")\nlog("c")\n',
    ],
    [
      'signs and indentation at once',
      'a.js',
      js,
      'if (a) {\n\treturn “x”\n}',
      'if (a) {\n\treturn “w”\n}',
      js.replace('"x"', '"w"'),
    ],
    ['trailing blanks in the file', 'a.md', 'a  \nb\nc\n', 'a\nb\n', 'a\nB\n', 'a\nB\nc\n'],
    ['a line deleted with its end', 'a.md', 'a\nb  \nc\n', 'b\n', '', 'a\nc\n'],
    ['the end of a file without line end', 'a.md', 'a\nb', 'b\n', 'B\n', 'a\nB'],
    [
      'a diff',
      'a.js',
      js,
      ' \tif (a) {\n-\t\treturn "x"',
      ' \tif (a) {\n+\t\treturn "d"',
      js.replace('"x"', '"d"'),
    ],
    [
      'a fence around both',
      'a.js',
      js,
      '```js\n\treturn null\n```',
      '```js\n\treturn 0\n```',
      js.replace('null', '0'),
    ],
    ['a fence around new', 'a.js', js, '\treturn null', '```js\n\treturn 0\n```', js.replace('null', '0')],
    ['a fence that is meant', 'a.md', 'see\n', 'see', '```js\nx\n```', '```js\nx\n```\n'],
    ['half a number', 'a.js', 'x = 1.5\n', 'x = 1', 'x = 2', /^refused: .*inside "1\.5" at line 1/],
    ['half a longer number', 'a.js', 'x = 100\n', 'x = 10', 'x = 20', /^refused: .*inside "100"/],
    ['a joint of a name', 'a.js', 'getUser_id()\n', 'getUser', 'readUser', 'readUser_id()\n'],
    ['half a word that stays', 'a.js', 'const width = 1\n', 'const wid', 'let wid', 'let width = 1\n'],
    ['words without blanks between them', 'a.md', '请先运行测试\n', '先运行', '后运行', '请后运行测试\n'],
    [
      'entities in code',
      'a.c',
      'if (a < b) x();\n',
      'if (a < b) x();',
      'if (a &lt; c) x();',
      /^refused: .*HTML entities in code/,
    ],
    [
      'line ends written out in code',
      'a.js',
      'a()\nb()\n',
      'a()',
      'a()\\n  c()',
      /^refused: .*line ends written as \\n in code/,
    ],
    [
      'curly quotes in code',
      'a.py',
      'x = "a"\n',
      'x = "a"',
      'x = “b”',
      /^refused: .*typographic quotes in code/,
    ],
    ['signs of a diff in new alone', 'a.js', 'a()\n', 'a()', '+b()', /^refused: .*begins with "\+"/],
    [
      'very many lines, not there',
      'a.js',
      js,
      'nothing like this\n'.repeat(6000),
      '',
      /^refused: edit: "old" is not in a\.js/,
    ],
    [
      'very many lines, other line ends',
      'a.txt',
      'one line\r\n'.repeat(6000),
      'one line\n'.repeat(6000),
      'x\n',
      'x\r\n',
    ],
    ['nothing but blanks', 'a.js', js, '   \n\n  ', 'x', /^refused: edit: "old" is not in a\.js/],
  ]
  for (const [what, file, before, old, fresh, want] of table) {
    it(what, () => {
      const result = tried(file, before, { old, new: fresh })
      if (typeof want === 'string') assert.equal(result, want)
      else assert.match(result, want)
    })
  }

  const placeholders: [file: string, line: string, isOne: boolean][] = [
    ['a.js', '// ... existing code ...', true],
    ['a.js', '  // …', true],
    ['a.js', '{/* ... rest of the component ... */}', true],
    ['a.js', '/* other methods unchanged */', true],
    ['a.py', '# rest unchanged', true],
    ['a.py', '    # ... (other methods remain the same)', true],
    ['a.py', '    ...', false],
    ['a.py', '# 其余代码保持不变', true],
    ['a.py', '# 省略……', true],
    ['a.rs', '// ... restlicher Code unverändert ...', true],
    ['a.go', '// ... остальной код без изменений ...', true],
    ['a.ts', '// 残りのコードは変更なし', true],
    ['a.html', '<!-- ... rest of the page ... -->', true],
    ['a.js', '// TODO: handle errors...', false],
    ['a.js', '// the rest of the parameters is passed to the existing code here', false],
    ['a.js', 'f(...rest)', false],
    ['a.js', 'const other = { ...existing }', false],
    ['a.js', '...', true],
    ['a.md', '... and so on', false],
    ['a.md', '# The rest', false],
    ['a.md', '<!-- ... rest of the document unchanged ... -->', true],
    ['a.yaml', '# ... rest of the config ...', true],
    ['a.sh', 'echo "Loading..."', false],
    ['a.js', '// loads what the user asked for, and waits ...', false],
  ]
  it('never writes a placeholder', () => {
    for (const [file, line, isOne] of placeholders) {
      const result = tried(file, 'one\ntwo\n', { old: 'one', new: `three\n${line}\nfour` })
      assert.equal(/stands for code/.test(result), isOne, `${file}: ${line} → ${result}`)
      // What the file has already is no placeholder.
      assert.doesNotMatch(
        tried(file, `one\n${line}\n`, { old: 'one', new: `three\n${line}` }),
        /stands for code/,
      )
    }
  })

  it('changes no byte outside of its place, whatever was forgiven', () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below
    const words = [
      'let a = 1',
      'if (x) {',
      '}',
      '',
      'return "q"',
      "say('é – ü')",
      'a &amp; b',
      '# note',
      '1\tone',
      'done();',
      '“so”',
    ]
    const wrongs: ((text: string) => string)[] = [
      text => text,
      text =>
        text
          .split('\n')
          .map((line, at) => `${at + 3}\t${line}`)
          .join('\n'),
      text => text.replace(/^[ \t]+/gm, ''),
      text => text.replace(/^/gm, '  '),
      text => text.replace(/^ +/gm, found => '\t'.repeat(found.length / 2)),
      text => text.replace(/$/gm, '  '),
      text => `\n${text}\n\n`,
      text => text.replace(/"/g, '”').replace(/–/g, '-').normalize('NFD'),
      text => text.replaceAll('&amp;', '&').replaceAll('"', '\\"'),
      text => text.replaceAll('\n', '\\n'),
      text => `\`\`\`\n${text}\n\`\`\``,
      text => text.replace(/^/gm, '-'),
    ]
    let done = 0
    for (let round = 0; round < 4000; round++) {
      const lines = Array.from(
        { length: 1 + random(12) },
        () => '  '.repeat(random(3)) + words[random(words.length)],
      )
      const end = ['\n', '\r\n'][random(2)]!
      const before = (random(4) ? '' : '\ufeff') + lines.join(end) + (random(2) ? end : '')
      const from = random(lines.length)
      const to = from + 1 + random(Math.min(3, lines.length - from))
      const wrong = wrongs[random(wrongs.length)]!
      const old = wrong(lines.slice(from, to).join('\n'))
      const fresh = wrong(`${lines.slice(from, to).join('\n')} // new`)
      const after = tried('a.txt', before, { old, new: fresh })
      if (after.startsWith('refused: ')) continue
      done++
      // Somewhere the old lines stood; all before and behind is as it was.
      const kept = (at: number, until: number) => {
        const head = lines
          .slice(0, at)
          .map(line => line + end)
          .join('')
        const tail = before.replace('\ufeff', '').slice(lines.slice(0, until).join(end).length)
        const text = after.replace('\ufeff', '')
        return text.startsWith(head) && text.endsWith(tail) && text.length >= head.length + tail.length
      }
      const places = lines.flatMap((_, at) => lines.map((_, more) => [at, at + more + 1] as const))
      assert.ok(
        places.some(([at, until]) => until <= lines.length && until - at <= to - from + 2 && kept(at, until)),
        JSON.stringify({ before, old, fresh, after }),
      )
      assert.equal(after.startsWith('\ufeff'), before.startsWith('\ufeff'))
      if (end === '\r\n')
        assert.doesNotMatch(after, /(?<!\r)\n/, JSON.stringify({ before, old, fresh, after }))
    }
    assert.ok(done > 1000, String(done))
  })
})

describe('what the result says', () => {
  const broken: [file: string, before: string, after: string, said: RegExp | undefined][] = [
    ['a.json', '{"a": 1}\n', '{"a": 1,}\n', /line 1: /],
    ['tsconfig.json', '{"a": 1}\n', '{"a": 1, // x\n}\n', undefined],
    ['a.yaml', 'a: 1\n', 'a: 1\n  b: 2\n', /line 1: Nested mappings/],
    ['a.yaml', 'a: 1\n', 'a: [1\n', /syntax/],
    ['a.toml', '[a]\nb = 1\n', '[a]\nb = \n', /line 2: a value is expected/],
    [
      'a.toml',
      '[a]\nb = 1\n',
      "[a]\nb = [1,\n 2] # c\nd = { e = \"x\" }\nf = 1979-05-27T07:32:00Z\n\"g h\".i = '''\n[x\n'''\n",
      undefined,
    ],
    ['a.toml', '[a]\n', '[a\n', /"\[" is not closed/],
    [
      'a.mjs',
      'import a from "a"\nexport default a\n',
      'import a from "a"\nexport default a(\n',
      /line 2: "\(" is not closed/,
    ],
    [
      'a.mjs',
      'export const a = 1\n',
      'export const a = 1\nconst url = import.meta.url\nexport { a as b }\nexport * from "x"\nimport * as q from "q"\nawait a\n',
      undefined,
    ],
    ['a.js', 'let a = 1\n', 'let a = 1\nlet a = 2\n', /already been declared/],
    ['a.js', 'f()\n', 'f(/[)]/, `${g({ a: `)` })}`, a / b / c)\n', undefined],
    ['a.ts', 'type A = { b: string }\n', 'type A = { b: string\n', /line 1: "\{" is not closed/],
    [
      'a.ts',
      'let a = 1\n',
      'let a: Array<string> = [`x`]\nconst r = a.filter(b => b)! as string[]\n',
      undefined,
    ],
    ['a.tsx', 'x\n', "const a = <p>don't</p>\n", undefined],
    ['a.py', 'def f():\n    return 1\n', 'def f():\nreturn 1\n', /indented block is expected after line 1/],
    [
      'a.py',
      'def f():\n    return 1\n',
      'def f():\n    """It\'s (odd"""\n    x = {  # {\n  "a": [1,\n]}\n    if x: return 2\n    # off\n  # off\n    return (1 +\n2)\n',
      undefined,
    ],
    ['a.py', 'x = 1\n', 'x = (1\n', /"\(" is not closed/],
    ['a.py', 'def f():\n    a()\n    b()\n', 'def f():\n    a()\n      b()\n', /indented for no reason/],
    ['a.go', 'func a() {\n}\n', 'func a() {\n', /"\{" is not closed/],
    [
      'a.rs',
      "fn a<'a>(b: &'a str) -> char { '\"' }\n",
      "fn a<'a>(b: &'a str) -> char { '\"' }\nfn b() {\n",
      /line 2: "\{" is not closed/,
    ],
    ['a.txt', '(', '((', undefined],
    ['a.json', '{', '{{', undefined],
  ]
  it('names newly broken syntax, and nothing else', async t => {
    for (const [file, before, after, said] of broken) {
      const cwd = await project(t, { [file]: before })
      const result = await told(write, { path: file, content: after }, contextFor(cwd))
      if (said) assert.match(result, said)
      assert.equal(/syntax is broken now/.test(result), said !== undefined, `${file}: ${after}\n${result}`)
    }
  })

  it('warns when most of a file is gone, strips a fence and numbers, keeps form and mode', async t => {
    const long = Array.from({ length: 20 }, (_, at) => `line${at}()`).join('\n')
    const cwd = await project(t, { 'a.js': `\ufeff${long.replaceAll('\n', '\r\n')}`, 'b.js': 'x()\n' })
    await chmod(path.join(cwd, 'a.js'), 0o755)
    const context = contextFor(cwd)
    assert.match(
      await told(write, { path: 'a.js', content: 'line0()\nline1()\n' }, context),
      /^Replaced a\.js: 2 lines \(20 before\), .*Warning: 18 of the 20 lines .*CRLF line ends were kept\. Its byte-order mark was kept\.$/,
    )
    assert.equal(await readFile(path.join(cwd, 'a.js'), 'utf8'), '\ufeffline0()\r\nline1()\r\n')
    assert.equal((await stat(path.join(cwd, 'a.js'))).mode & 0o777, 0o755)
    assert.match(
      await told(write, { path: 'b.js', content: '1\tx()\n2\ty()\n3\tz()\n' }, context),
      /line numbers in "content" were left out/,
    )
    assert.equal(await readFile(path.join(cwd, 'b.js'), 'utf8'), 'x()\ny()\nz()\n')
    assert.match(
      await told(write, { path: 'b.js', content: 'Here it is:\n```js\nx()\n```\n' }, context),
      /syntax is broken now/,
    )
    assert.match(
      await told(write, { path: 'c.js', content: '```js\nx()\n' }, context),
      /^write: "content" begins with a code fence.*Nothing was written\.$/,
    )
  })
})

describe('a path that was meant', () => {
  it('is mended where exactly one file fits, and said', async t => {
    const cwd = await project(t, { 'src/a.js': 'a()\n', 'lib/b.js': '', 'test/b.js': '', 'x y.md': '' })
    const name = path.basename(cwd)
    const table: [given: string, meant: string | undefined][] = [
      ['"src/a.js"', 'src/a.js'],
      ['`src/a.js`', 'src/a.js'],
      ['src/a.js\n', 'src/a.js'],
      [' src/a.js ', 'src/a.js'],
      ['/src/a.js', 'src/a.js'],
      ['src\\a.js', 'src/a.js'],
      ['src/a.js:7', 'src/a.js'],
      ['src/a.js:7:12', 'src/a.js'],
      ['src/a.js#L7-L9', 'src/a.js'],
      ['a/src/a.js', 'src/a.js'],
      ['@src/a.js', 'src/a.js'],
      [`/${name}/src/a.js`, 'src/a.js'],
      [`file://${cwd}/src/a.js`, 'src/a.js'],
      ["'/src/a.js:3' ", 'src/a.js'],
      ['a.js', 'src/a.js'],
      ['x%20y.md', 'x y.md'],
      ['b.js', undefined],
      ['src/c.js', undefined],
      ['../src/a.js', undefined],
    ]
    for (const [given, meant] of table) {
      const said = await told(read, { path: given }, contextFor(cwd))
      if (meant === undefined) assert.match(said, /does not exist/, given)
      else
        assert.ok(said.endsWith(`${JSON.stringify(given)} was taken to mean ${meant}.`), `${given}: ${said}`)
    }
  })

  it('of a new file loses what no name has, and nothing else', async t => {
    const cwd = await project(t, { 'src/a.js': 'a()\n' })
    const context = contextFor(cwd, { files: new FileLedger() })
    assert.match(
      await told(write, { path: '"src/b.js"', content: 'b()\n' }, context),
      /^Created src\/b\.js: .*\n"\\"src\/b\.js\\"" was taken to mean src\/b\.js\.$/,
    )
    assert.match(await told(write, { path: 'a.js', content: 'x()\n' }, context), /^Created a\.js/)
    await writeFile(path.join(cwd, 'with:7'), 'x')
    assert.match(
      await told(edit, { path: 'with:7', old: 'x', new: 'y' }, contextFor(cwd)),
      /^Edited with:7 at line 1/,
    )
    assert.match(await told(edit, { path: 'none.js', old: 'x', new: 'y' }, context), /use write\.$/)
  })
})
