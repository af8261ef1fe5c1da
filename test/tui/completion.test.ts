import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it, type TestContext, test } from 'node:test'
import { projectFiles } from '../../src/cli/project-files.ts'
import type { Command } from '../../src/kit/commands/command.ts'
import { BUILT_IN } from '../../src/kit/commands/table.ts'
import type { Message } from '../../src/protocol/messages.ts'
import { displayWidth } from '../../src/text/width.ts'
import { Completer } from '../../src/tui/complete/completer.ts'
import {
  type Completion,
  type CompletionItem,
  completionAt,
  type Put,
  putOf,
  stepCompletion,
} from '../../src/tui/complete/completion.ts'
import { FileIndex } from '../../src/tui/complete/file-index.ts'
import { completionLines } from '../../src/tui/complete/lines.ts'
import { commonStart, pathItems } from '../../src/tui/complete/paths.ts'
import { recentFiles } from '../../src/tui/complete/recent.ts'
import { createEditor, edit, textOf } from '../../src/tui/editor/editor.ts'
import { modeItems } from '../../src/tui/list/items.ts'
import { EN } from '../../src/words/en.ts'
import { ZH } from '../../src/words/zh.ts'

/** `|` is the caret. */
const at = (marked: string, asked = false) =>
  completionAt(marked.replace('|', ''), marked.indexOf('|'), { asked })
const item = (value: string, goesOn = false): CompletionItem => ({ value, places: [], goesOn })

describe('what is completed', () => {
  const rows: [text: string, found: string | undefined, asked?: boolean][] = [
    ['|', undefined],
    ['look at |', undefined],
    ['@|', 'file::0-1'],
    ['look at @sr|', 'file:sr:8-11'],
    ['look at @src/a|pp.ts now', 'file:src/a:8-19'],
    ['(@a|)', 'file:a:1-4'],
    ['看看「@设|', 'file:设:3-5'],
    ['first\n@x|', 'file:x:6-8'],
    ['me@example.com|', undefined],
    ['a @b @c|', 'file:c:5-7'],
    ['a @b |', undefined],
    ['@"my fi|', 'file:my fi:0-7'],
    ['@"done" |', undefined],
    ['/|', 'command::0-1'],
    ['/he|', 'command:he:0-3'],
    ['/he|lp', 'command:he:0-5'],
    ['/help |', undefined],
    ['/etc/ho|', undefined],
    ['say /he|', undefined],
    ['\n/he|', undefined],
    ['cat src/ma|', undefined],
    ['cat src/ma|', 'path:src/ma:4-10', true],
    ['cat src/ma|in.ts x', 'path:src/ma:4-15', true],
    ['cat my\\ fi|', 'path:my\\ fi:4-10', true],
    ['cat "~/a|', 'path:~/a:5-8', true],
    ['|', 'path::0-0', true],
    ['/etc/ho|', 'path:/etc/ho:0-7', true],
    [`${'\\'.repeat(5000)} x\\|`, 'path::5003-5003', true],
  ]
  for (const [text, found, asked] of rows) {
    it(`is ${found ?? 'nothing'} in ${JSON.stringify(text.slice(-40))}${asked ? ' with Tab' : ''}`, () => {
      const completable = at(text, asked)
      const { kind, query, start, end } = completable ?? {}
      assert.equal(completable && `${kind}:${query}:${start}-${end}`, found)
    })
  }
})

describe('choosing', () => {
  const rows: [
    text: string,
    value: string,
    result: string,
    options?: { goesOn?: boolean; asked?: boolean },
  ][] = [
    ['see @ma| now', 'src/main.ts', 'see @src/main.ts | now'],
    ['@ma|x.ts', 'src/main.ts', '@src/main.ts |'],
    ['@my|', 'my file.ts', '@"my file.ts" |'],
    ['@"my f|', 'my file.ts', '@"my file.ts" |'],
    ['/he|', 'help', '/help |'],
    ['/la|', 'later', '/later |', { goesOn: true }],
    ['cat sr|', 'src/', 'cat src/|', { goesOn: true, asked: true }],
    ['cat ~/R|', '~/README.md', 'cat ~/README.md |', { asked: true }],
    ['cat my|', 'my file', 'cat my\\ file |', { asked: true }],
  ]
  for (const [text, value, result, { goesOn = false, asked = false } = {}] of rows) {
    it(`${value} makes of ${text} ${result}`, () => {
      const completable = at(text, asked)
      assert.ok(completable)
      const { start, end, text: put } = putOf(completable, item(value, goesOn))
      const before = text.replace('|', '')
      assert.equal(`${before.slice(0, start)}${put}|${before.slice(end)}`, result)
    })
  }

  it('goes round, and stays where there is nothing', () => {
    const completion: Completion = {
      kind: 'file',
      query: '',
      start: 0,
      end: 1,
      items: [item('a'), item('b')],
      at: 0,
    }
    assert.equal(stepCompletion(completion, -1).at, 1)
    assert.equal(stepCompletion(stepCompletion(completion, 1), 1).at, 0)
    assert.equal(stepCompletion({ ...completion, items: [] }, 1).at, 0)
  })
})

describe('the editor', () => {
  it('takes what was chosen, and what was pasted stays folded', () => {
    const look = { columns: 80, label: () => '[pasted]' }
    const paste = Array.from({ length: 50 }, (_, line) => `line ${line}`).join('\n')
    const pasted = edit(createEditor(), { type: 'paste', text: paste }, look)
    const editor = edit(pasted, { type: 'insert', text: ' see @ma' }, look)
    const completable = completionAt(editor.text, editor.caret)
    assert.ok(completable)
    const chosen = edit(editor, { type: 'put', ...putOf(completable, item('src/main.ts')) }, look)
    assert.equal(textOf(chosen), `${paste} see @src/main.ts `)
    assert.equal(chosen.caret, chosen.text.length)
    assert.equal(edit(chosen, { type: 'undo' }, look).text, editor.text)
  })
})

describe('a completion as lines', () => {
  const of = (items: readonly CompletionItem[], own: Partial<Completion> = {}): Completion => ({
    ...{ kind: 'file', query: '', start: 0, end: 1, at: 0 },
    items,
    ...own,
  })
  const texts = (completion: Completion, width = 40, words = EN) =>
    completionLines(completion, { width, words }).map(line => line.map(({ text }) => text).join(''))

  it('shows files with what was found of them, the selected one over the whole width', () => {
    const files = [item('src/main.ts'), { ...item('src/tui/app.ts'), places: [8, 9, 10] }]
    assert.deepEqual(texts(of(files)), ['› @src/main.ts'.padEnd(40), '  @src/tui/app.ts'])
    const [selected, other] = completionLines(of(files), { width: 40, words: EN })
    assert.deepEqual(
      selected?.map(({ style }) => style),
      ['selected'],
    )
    assert.deepEqual(
      other?.filter(({ style }) => style === 'match').map(({ text }) => text),
      ['app'],
    )
  })

  it('shows commands with what they do', () => {
    const commands = [
      { ...item('help'), detail: 'keys and commands' },
      { ...item('mode', true), detail: 'NAME  the mode' },
    ]
    assert.deepEqual(texts(of(commands, { kind: 'command', at: 1 })), [
      '  /help  keys and commands',
      '› /mode  NAME  the mode'.padEnd(40),
    ])
  })

  it('shows eight at most, the selected one among them, and of a long path its end', () => {
    const many = Array.from({ length: 30 }, (_, n) => item(`dir/${n}`))
    for (const selected of [0, 3, 15, 29]) {
      const rows = texts(of(many, { at: selected }))
      assert.equal(rows.length, 8)
      assert.ok(rows.some(row => row.startsWith(`› @dir/${selected} `)))
    }
    const long = item(`src/${'deep/'.repeat(20)}main.ts`)
    assert.equal(texts(of([long, item('b')], { at: 1 }), 20)[0], '  @…eep/deep/main.ts')
  })

  it('says at any width how many more there are', () => {
    const many = Array.from({ length: 12 }, (_, n) => ({
      ...item(`command${n}`),
      detail: 'what it does, at length',
    }))
    for (const at of [0, 11])
      for (const width of [30, 40, 80]) {
        const rows = texts(of(many, { kind: 'command', at }), width)
        assert.match(rows.at(-1) ?? '', /^[› ] \/command\S+.* {2}4 more$/)
        assert.equal(displayWidth(rows.at(-1) ?? ''), width)
      }
  })

  it('says that files are still being read', () => {
    assert.deepEqual(texts(of([], { reading: 12_000 })), ['  reading the file names … 12,000 so far'])
    assert.equal(
      texts(
        of(
          Array.from({ length: 9 }, (_, n) => item(`${n}`)),
          { reading: 1 },
        ),
      ).length,
      8,
    )
  })

  it('is never wider than asked and holds nothing that a terminal acts on', () => {
    const items = [
      item('a\x1b[31mb'),
      item('通义千问/'.repeat(12)),
      { ...item('x'.repeat(90)), detail: '说明'.repeat(40) },
      item(''),
    ]
    for (const words of [EN, ZH])
      for (const width of [4, 10, 33, 100])
        for (const selected of [0, 1, 2])
          for (const text of texts(of(items, { at: selected, reading: 7 }), width, words)) {
            assert.ok(displayWidth(text) <= width, `${width}: ${text}`)
            assert.doesNotMatch(text, /\p{Cc}/u)
          }
  })
})

/** A directory with files by path; those that end in a slash are directories. */
function project(t: TestContext, files: readonly string[], texts: Record<string, string> = {}): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'gopi-complete-')))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  for (const file of [...files, ...Object.keys(texts)]) {
    const target = path.join(directory, file)
    mkdirSync(file.endsWith('/') ? target : path.dirname(target), { recursive: true })
    if (!file.endsWith('/')) writeFileSync(target, texts[file] ?? '')
  }
  return directory
}

test('the files of a project are those that are not ignored, the nearest first', async t => {
  const directory = project(
    t,
    [
      'a.ts',
      'src/deep/b.ts',
      'src/c.ts',
      'x.log',
      '.git/config',
      'node_modules/m/i.js',
      'out/o.js',
      '.github/ci.yml',
      'src/keep.log',
    ],
    {
      '.gitignore': '*.log\nout/\n',
      'src/.gitignore': '!keep.log\n',
    },
  )
  symlinkSync('a.ts', path.join(directory, 'link.ts'))
  symlinkSync('..', path.join(directory, 'src', 'up'))
  const found: string[] = []
  for await (const files of projectFiles(directory, new AbortController().signal)) found.push(...files)
  assert.deepEqual([...found].sort(), [
    '.github/ci.yml',
    '.gitignore',
    'a.ts',
    'src/.gitignore',
    'src/c.ts',
    'src/deep/b.ts',
    'src/keep.log',
  ])
  assert.equal(found.at(-1), 'src/deep/b.ts')
})

test('a directory that is gone has no files', async () => {
  const found: string[] = []
  for await (const files of projectFiles('/nowhere/at/all', new AbortController().signal))
    found.push(...files)
  assert.deepEqual(found, [])
})

test('the index can be searched while it is read, lets others work meanwhile, and leaves out what cannot be typed', async () => {
  const paths = Array.from({ length: 40_000 }, (_, n) => `src/m${n % 100}/file-${n}.ts`)
  let turns = 0
  let isRead = false
  const turn = () => {
    turns++
    if (!isRead) setImmediate(turn)
  }
  const sizes: number[] = []
  await new Promise<void>(resolve => {
    const index = new FileIndex(
      async function* () {
        yield ['a\x1b[31m.ts', 'b\n.ts', 'c\u202e.ts']
        yield paths
      },
      {
        onRead() {
          sizes.push(index.files.size)
          if (index.reading === undefined) resolve()
        },
      },
    )
    assert.equal(index.reading, 0)
    index.refresh()
    turn()
  })
  isRead = true
  assert.equal(sizes.at(-1), 40_000)
  assert.ok(sizes.length > 2 && (sizes[0] ?? 0) < 40_000, sizes.join())
  assert.ok(turns > 2)
})

test('an index whose files cannot be listed has those that came before', async () => {
  await new Promise<void>(resolve => {
    const index = new FileIndex(
      async function* () {
        yield ['a.ts']
        throw new Error('gone')
      },
      {
        onRead() {
          assert.equal(index.files.best('a', { most: 1 })[0]?.text, 'a.ts')
          assert.equal(index.reading, undefined)
          resolve()
        },
      },
    )
    index.refresh()
  })
})

describe('paths', () => {
  const FILES = ['src/main.ts', 'src/maps/x', 'src/Other.ts', '.hidden', 'my file', 'home/notes.md', 'empty/']
  const rows: [typed: string, found: string[]][] = [
    ['', ['empty/', 'home/', 'link/', 'my file', 'src/']],
    ['s', ['src/']],
    ['src/ma', ['src/main.ts', 'src/maps/']],
    ['src/o', ['src/Other.ts']],
    ['./src/main', ['./src/main.ts']],
    ['src/../h', ['src/../home/']],
    ['.h', ['.hidden']],
    ['my\\ f', ['my file']],
    ['~', ['~/']],
    ['~/', ['~/notes.md']],
    ['~/n', ['~/notes.md']],
    ['link/m', ['link/main.ts', 'link/maps/']],
    ['empty/', []],
    ['nowhere/x', []],
    ['x', []],
  ]
  for (const [typed, found] of rows) {
    it(`offers ${found.join(', ') || 'nothing'} for ${typed || 'nothing'}`, async t => {
      const cwd = project(t, FILES)
      symlinkSync('src', path.join(cwd, 'link'))
      const items = await pathItems(typed, { cwd, home: path.join(cwd, 'home') })
      assert.deepEqual(
        items.map(({ value }) => value),
        found,
      )
      for (const { value, goesOn } of items) assert.equal(goesOn, value.endsWith('/'))
    })
  }

  it('takes absolute ones', async t => {
    const cwd = project(t, FILES)
    const [only, ...others] = await pathItems(`${cwd}/src/mai`, { cwd: '/', home: '/' })
    assert.deepEqual([only?.value, others.length], [`${cwd}/src/main.ts`, 0])
  })

  it('begin alike as far as all of them do', () => {
    assert.equal(commonStart([item('src/main.ts'), item('src/maps/')]), 'src/ma')
    assert.equal(commonStart([item('one')]), 'one')
    assert.equal(commonStart([]), '')
    assert.equal(commonStart([item('a😀'), item('a😁')]), 'a')
  })
})

describe('files that were spoken of', () => {
  const call = (...paths: unknown[]): Message => ({
    id: 'a',
    role: 'assistant',
    content: '',
    stop_reason: 'calls',
    tool_calls: paths.map((path, at) => ({ id: `${at}`, name: 'read', arguments: { path } })),
  })
  const say = (content: string, shown?: string): Message => ({
    id: 'u',
    role: 'user',
    content,
    ...(shown !== undefined && { shown }),
  })

  it('are those of calls and mentions inside of the directory, the latest first, once', () => {
    const messages = [
      call('src/old.ts', 'src/a.ts'),
      say('the whole', 'see @src/b.ts and @"my file.ts", mail me@x.org'),
      call('/project/src/a.ts', '../outside.ts', '/etc/passwd', 7, '.'),
      call('./src/c.ts'),
    ]
    assert.deepEqual(recentFiles(messages, '/project'), [
      'src/c.ts',
      'src/a.ts',
      'my file.ts',
      'src/b.ts',
      'src/old.ts',
    ])
  })

  it('are a few', () => {
    const many = Array.from({ length: 100 }, (_, at) => call(`f${at}`, `g${at}`))
    const found = recentFiles(many, '/project')
    assert.equal(found.length, 15)
    assert.deepEqual(found.slice(0, 2), ['g99', 'f99'])
    assert.deepEqual(recentFiles([], '/project'), [])
  })
})

/** A completer over a project, with what it has shown and put. */
function completer(
  t: TestContext,
  files: readonly string[],
  recent: readonly string[] = [],
  more: readonly Command[] = [],
) {
  const cwd = project(t, files)
  const shown: (Completion | undefined)[] = []
  const puts: Put[] = []
  let wake = () => {}
  const own = new Completer({
    cwd,
    home: cwd,
    words: EN,
    commands: () => [...BUILT_IN, ...more],
    choices: async purpose => (purpose === 'mode' ? modeItems(EN) : Promise.reject(new Error('no server'))),
    recent: () => recent,
    resources: () => undefined,
    listFiles: signal => projectFiles(cwd, signal),
    show(completion) {
      shown.push(completion)
      wake()
    },
    put(put) {
      puts.push(put)
      wake()
    },
  })
  t.after(() => own.close())
  const values = () => shown.at(-1)?.items.map(({ value }) => value)
  return {
    look: (marked: string, asked = false) =>
      own.look({ text: marked.replace('|', ''), caret: marked.indexOf('|') }, { asked }),
    shown,
    puts,
    values,
    until: async (isSo: () => boolean) => {
      while (!isSo()) await new Promise<void>(resolve => (wake = resolve))
    },
  }
}

describe('the completer', () => {
  it('shows files as soon as some are known, and those of another query at once', async t => {
    const { look, shown, values, until } = completer(t, ['src/main.ts', 'src/remain.ts', 'README.md'])
    look('see @main|')
    assert.equal(shown[0]?.reading, 0)
    await until(() => shown.at(-1)?.reading === undefined)
    assert.deepEqual(values(), ['src/main.ts', 'src/remain.ts'])
    look('see @READ|')
    assert.deepEqual(values(), ['README.md'])
    look('see @nothing|')
    assert.equal(shown.at(-1), undefined)
  })

  it('puts what was spoken of lately first', async t => {
    const { look, shown, values, until } = completer(t, ['a/x.ts', 'b/x.ts', 'c/x.ts'], ['c/x.ts', 'b/x.ts'])
    look('@|')
    await until(() => shown.at(-1)?.items.length === 3)
    assert.deepEqual(values(), ['c/x.ts', 'b/x.ts', 'a/x.ts'])
  })

  it('names all commands after a slash, and those that begin so before those that only fit', t => {
    const { look, shown, values } = completer(t, [])
    look('/|')
    assert.deepEqual(values(), Object.keys(EN.commands))
    look('/m|')
    assert.deepEqual(values()?.slice(0, 3), ['model', 'mode', 'mouse'])
    look('/mode|')
    assert.deepEqual(values()?.slice(0, 2), ['mode', 'model'], 'Enter does what is typed in full')
    look('/later|')
    assert.equal(shown.at(-1)?.items[0]?.goesOn, true)
    look('/quit|')
    assert.equal(shown.at(-1)?.items[0]?.goesOn, false)
    look('/xyz|')
    assert.equal(shown.at(-1), undefined)
    look('no more|')
    assert.equal(shown.at(-1), undefined)
  })

  it('completes the argument of a command with Tab, from what there is to choose from', async t => {
    const branch: Command = {
      ...{ name: 'branch', argument: { of: () => ['main', 'mine'] }, needs: [], run() {} },
      words: () => ({ does: 'a branch', argument: 'NAME' }),
    }
    const { look, puts, values, shown, until } = completer(t, ['pla'], [], [branch])
    look('/mode |', true)
    await until(() => shown.length > 0)
    assert.deepEqual(values(), Object.keys(EN.modes))
    assert.ok(shown.at(-1)?.items.every(({ goesOn }) => !goesOn))
    look('/mode yo|', true)
    await until(() => puts.length === 1)
    assert.deepEqual(puts[0], { start: 6, end: 8, text: 'yolo ' })
    look('/branch m|', true)
    await until(() => shown.length > 1)
    assert.deepEqual(values(), ['main', 'mine'])
    look('/model x|', true)
    await until(() => shown.length > 2)
    assert.equal(shown.at(-1), undefined, 'a list that cannot be had')
    look('/mode pl|')
    assert.equal(shown.at(-1), undefined, 'without Tab')
    look('/later pl|', true)
    await until(() => puts.length === 2)
    assert.deepEqual(puts[1], { start: 7, end: 9, text: 'pla ' })
  })

  it('goes on with a path as far as there is one way, and offers the ways', async t => {
    const { look, puts, values, shown, until } = completer(t, ['src/main.ts', 'src/maps/x', 'alone.ts'])
    look('cat al|', true)
    await until(() => puts.length === 1)
    assert.deepEqual(puts[0], { start: 4, end: 6, text: 'alone.ts ' })
    look('cat src/|', true)
    await until(() => puts.length === 2)
    assert.deepEqual(puts[1], { start: 4, end: 8, text: 'src/ma' })
    look('cat src/ma|', true)
    await until(() => shown.length > 0)
    assert.deepEqual(values(), ['src/main.ts', 'src/maps/'])
  })

  it('drops what comes for a word that has changed', async t => {
    const { look, puts, shown, until } = completer(t, ['one.ts', 'two.ts'])
    look('cat on|', true)
    look('cat tw|', true)
    await until(() => puts.length > 0)
    assert.deepEqual(puts, [{ start: 4, end: 6, text: 'two.ts ' }])
    look('cat on|', true)
    look('cat one|')
    assert.deepEqual(shown, [undefined])
    look('cat t|', true)
    await until(() => puts.length > 1)
    assert.deepEqual(puts.slice(1), [{ start: 4, end: 5, text: 'two.ts ' }])
  })
})
