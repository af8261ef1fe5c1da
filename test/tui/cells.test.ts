import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diffLines } from '../../src/text/diff.ts'
import { displayWidth } from '../../src/text/width.ts'
import type { Cell, Look } from '../../src/tui/cells/cell.ts'
import { changeLines } from '../../src/tui/cells/diff.ts'
import { cellLines, isTicking } from '../../src/tui/cells/lines.ts'
import { noticeLines, textLines, userLines } from '../../src/tui/cells/text.ts'
import { finishedToolLines, runningToolLines } from '../../src/tui/cells/tool.ts'
import { BOLD, type Line, REMOVED } from '../../src/tui/line.ts'
import type { Markdown } from '../../src/tui/markdown/markdown.ts'
import { widthOf } from '../../src/tui/spans.ts'
import { paintsOf } from '../../src/tui/window/theme.ts'
import { EN } from '../../src/words/en.ts'
import { ZH } from '../../src/words/zh.ts'
import { dressed, textOf } from './shown.ts'

const folded: Look = { unfolded: false, words: EN, now: 4_000 }
const unfolded = { ...folded, unfolded: true }

const styles = (lines: Line[]): string[] => lines.map(line => line.map(({ style }) => style).join(' '))

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n'
const { diff } = diffLines(before, before.replace('two', 'zwei\x1b[8m\u202e').replace('ten\n', '\tzehn'))

describe('text in the transcript', () => {
  it('shows what the person said behind a sign, wrapped and indented', () => {
    const lines = userLines({ text: 'please 好好\nread a.txt' }, 10, folded)
    assert.deepEqual(textOf(lines), ['› please', '  好好', '  read', '  a.txt'])
    assert.deepEqual(styles(lines).slice(0, 2), ['ownSign own', 'plain own'])
  })

  it('folds what was pasted', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n')
    const lines = textOf(userLines({ text }, 30, folded))
    const head = ['› line 0', '  line 1', '  line 2']
    assert.deepEqual(lines, [...head, `  … ${EN.moreLines(4996)}`, '  line 4999'])
    const said = textOf(userLines({ text: `${text} is what it said. What is wrong with it?` }, 30, folded))
    assert.deepEqual(said.slice(3), [
      `  … ${EN.moreLines(4995)}`,
      '  line 4999 is what it said.',
      '  What is wrong with it?',
    ])
    // One band, also where something is left out.
    assert.deepEqual(styles(userLines({ text }, 30, folded))[3], 'ownMuted')
    const { own, ownMuted } = paintsOf('dark', { background: [20, 20, 20], hasShades: true, env: {} })
    assert.deepEqual(ownMuted.background, own.background)
    const ten = text.split('\n').slice(0, 10).join('\n')
    assert.equal(userLines({ text: ten }, 30, folded).length, 10)
    assert.equal(userLines({ text }, 30, unfolded).length, 5000)
  })

  it('shows notices by what they are', () => {
    assert.deepEqual(textOf(noticeLines({ level: 'note', message: 'compacted' }, 40)), ['· compacted'])
    assert.deepEqual(textOf(noticeLines({ level: 'error', message: 'no server' }, 40)), ['✗ no server'])
    const levels = (['note', 'warning', 'error'] as const).map(level =>
      styles(noticeLines({ level, message: 'x' }, 9)),
    )
    assert.deepEqual(levels.flat(), ['muted muted', 'warning warning', 'danger danger'])
    // A column that is wrapped stays one.
    const report = 'ok    sandbox   holds: no network, nothing else to be seen\n  warn  git   none'
    assert.deepEqual(textOf(noticeLines({ level: 'note', message: report }, 40)), [
      '· ok    sandbox   holds: no network,',
      '                  nothing else to be',
      '                  seen',
      '    warn  git   none',
    ])
  })
})

describe('a diff', () => {
  it('has line numbers, signs, gaps, and shows what is invisible', () => {
    assert.deepEqual(textOf(changeLines(diff, 40)), [
      ' 1   one',
      ' 2 - two',
      ' 2 + zwei\\x1b[8m\\u{202e}',
      ' 3   three',
      ' 4   four',
      ' 5   five',
      '     ⋯',
      ' 7   seven',
      ' 8   eight',
      ' 9   nine',
      '10 - ten',
      '10 +     zehn',
      '     No newline at end of file',
    ])
  })

  it('means what came and what went', () => {
    assert.deepEqual(styles(changeLines(diff, 40)).slice(0, 3), [
      'muted plain',
      'muted removed',
      'muted added',
    ])
    assert.deepEqual(styles(changeLines(diff, 40))[6], 'muted')
  })

  it('wraps long lines under themselves', () => {
    const { diff: long } = diffLines('', 'aaaa bbbb cccc\n')
    assert.deepEqual(textOf(changeLines(long, 13)), ['1 + aaaa bbbb', '    cccc'])
  })

  it('does without numbers where they would take the room', () => {
    const far = '@@ -12345,1 +12345,1 @@\n-a\n+b\n'
    assert.deepEqual(textOf(changeLines(far, 8)), ['- a', '+ b'])
    assert.deepEqual(textOf(changeLines(far, 30)), ['12345 - a', '12345 + b'])
  })

  const edit = diffLines(
    'const a = one + two\nold line\nkept\n',
    'const a = one - three\nsomething else\nkept\nmore\n',
  ).diff

  it('marks the words that changed, where a line is still the same line', () => {
    const words = changeLines(edit, 60).map(line =>
      line.flatMap(({ text, style }) => (style.endsWith('Word') ? [`${style} ${text}`] : [])),
    )
    assert.deepEqual(words.slice(0, 4).flat(), ['removedWord + two', 'addedWord - three'])
    assert.deepEqual(words.slice(4).flat(), [])
  })

  it('has the colours of its language on the ground of the change, once they are known', () => {
    const asked: string[] = []
    const markdown: Markdown = {
      version: 0,
      lines: () => [],
      code(language, text) {
        asked.push(language)
        return text.split('\n').map(line => [
          { text: line.slice(0, 5), style: 'keyword' },
          { text: line.slice(5), style: 'plain' },
        ])
      },
    }
    const lines = changeLines(edit, 60, { path: 'src/a.TS', markdown })
    assert.deepEqual(asked, ['ts', 'ts'])
    assert.deepEqual(textOf(lines), textOf(changeLines(edit, 60)))
    const removed = lines.find(line => line.some(({ text }) => text === 'const'))
    assert.deepEqual(
      removed?.slice(1).map(({ text, style, marks = 0 }) => [text, style, marks]),
      [
        ['- ', 'removed', 0],
        ['const', 'keyword', REMOVED],
        [' a = one ', 'plain', REMOVED],
        ['+ two', 'removedWord', 0],
      ],
    )
    assert.deepEqual(
      textOf(changeLines(edit, 60, { path: 'LICENSE', markdown: { ...markdown, code: () => [] } })),
      [...textOf(changeLines(edit, 60))],
    )
  })

  it('stands side by side where there is room for both', () => {
    assert.deepEqual(textOf(changeLines(edit, 60, { isWide: true })), [
      '1 - const a = one + two      │ 1 + const a = one - three',
      '2 - old line                 │ 2 + something else',
      '3   kept                     │ 3   kept',
      '                             │ 4 + more',
    ])
    for (const width of [20, 40, 160, 200])
      for (const line of changeLines(edit, width, { isWide: true })) assert.ok(widthOf(line) <= width)
    // What is all new, or all gone, has only one side.
    for (const [before, after] of [
      ['', 'a\nb\n'],
      ['a\nb\n', ''],
    ] as const) {
      const { diff } = diffLines(before, after)
      assert.deepEqual(changeLines(diff, 60, { isWide: true }), changeLines(diff, 60))
    }
  })

  it('is nothing where nothing changed', () => assert.deepEqual(changeLines('', 40), []))
})

describe('a tool call', () => {
  const bash = { name: 'bash', arguments: { command: 'npm test' } }
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

  it('shows its last eight lines while it runs', () => {
    const running = { tool: { ...bash, output: lines(30) }, ms: 3210 }
    const cell = runningToolLines(running, 40, folded)
    assert.deepEqual(textOf(cell).slice(0, 2), ['● bash npm test · 3 s', '  line 23'])
    assert.equal(
      textOf(runningToolLines({ ...running, limitMs: 120_000 }, 40, folded))[0],
      '● bash npm test · 3 s / 120 s',
    )
    assert.equal(cell.length, 9)
    assert.equal(runningToolLines(running, 40, unfolded).length, 31)
    assert.deepEqual(textOf(runningToolLines({ tool: { ...bash, output: '' }, ms: 0 }, 40, folded)), [
      '● bash npm test',
    ])
  })

  it('shows a summary when it is done, and all of it unfolded', () => {
    const done = { ...bash, is_error: false, content: 'ok\nfine\n', ms: 900 }
    assert.deepEqual(textOf(finishedToolLines(done, 40, folded)), ['✓ bash npm test · 0.9 s'])
    assert.deepEqual(textOf(finishedToolLines(done, 40, unfolded)), [
      '✓ bash npm test · 0.9 s',
      '  ok',
      '  fine',
    ])
    const failed = { ...done, is_error: true, details: { exit_code: 1 } }
    assert.deepEqual(textOf(finishedToolLines(failed, 40, folded)), [
      ...['✗ bash npm test · exit 1 · 0.9 s', '  ok', '  fine'],
    ])
    assert.deepEqual(styles(finishedToolLines(failed, 40, folded)), [
      ...['danger plain danger muted', 'plain muted', 'plain muted'],
    ])
  })

  it('puts what stands behind a tab where a terminal would', () => {
    const said = { ...bash, is_error: false, content: 'a\tb\n\x1b[31mabc\x1b[m\tb\n9\tx\n10\tx\n日本\tx\n' }
    assert.deepEqual(textOf(finishedToolLines(said, 40, { ...folded, unfolded: true })).slice(1), [
      ...['  a   b', '  abc b', '  9   x', '  10  x', '  日本    x'],
    ])
  })

  it('shows the end of what a command wrote, in its own colours, more of it where it failed', () => {
    const red = '\x1b[1;31mline 39\x1b[m\n\x1b[38;5;46mdone\x1b]0;no title\x07'
    const said = { ...bash, is_error: false, content: `${lines(38)}${red}`, details: { command: 'npm test' } }
    const look = { ...folded, unfoldKey: 'Ctrl+O' }
    const end = finishedToolLines(said, 40, look)
    assert.deepEqual(textOf(end), [
      ...['✓ bash npm test', '  … 37 more · Ctrl+O', '  line 38', '  line 39', '  done'],
    ])
    assert.deepEqual(
      end
        .slice(3)
        .flat()
        .filter(({ text }) => text.trim() !== ''),
      [
        { text: 'line 39', style: 'ink1', marks: BOLD },
        { text: 'done', style: 'ink10' },
      ],
    )
    const whole = finishedToolLines(said, 40, { ...look, unfolded: true })
    assert.deepEqual(whole.slice(-2), end.slice(-2))
    assert.equal(whole.length, 41)
    const details = { command: 'npm test', exit_code: 2, sandbox: 'read', output_lines: 8 }
    const failed = {
      ...said,
      is_error: true,
      content: `${lines(8)}exit code 2\nA note for the model.`,
      details,
    }
    assert.deepEqual(textOf(finishedToolLines(failed, 60, look)), [
      '✗ bash npm test · exit 2 · sandbox',
      ...['  … 2 more · Ctrl+O', ...[3, 4, 5, 6, 7, 8].map(line => `  line ${line}`)],
    ])
    const silent = { ...said, content: '(no output)', details: { command: 'true', output_lines: 0 } }
    assert.deepEqual(textOf(finishedToolLines(silent, 40, look)), ['✓ bash npm test'])
    const sent = {
      ...said,
      content: 'ready\nThe user sent this command to the background.',
      details: { command: 'npm test', ended: 'sent', output_lines: 1 },
    }
    assert.deepEqual(textOf(finishedToolLines(sent, 60, look)), [
      '✓ bash npm test · in the background',
      '  ready',
    ])
    const bar = { ...said, content: '10 %\r50 %\r100 %\r\nok' }
    assert.deepEqual(textOf(finishedToolLines(bar, 40, look)).slice(1), ['  100 %', '  ok'])
  })

  it('says in its row what came of a call', () => {
    const rows: [name: string, args: object, details: object, line: string][] = [
      ['read', { path: 'a.ts' }, { from: 1, to: 12, total: 12 }, '✓ read a.ts · 12 lines'],
      ['read', { path: 'a.ts' }, { from: 1, to: 500, total: 1200 }, '✓ read a.ts · lines 1–500 of 1,200'],
      ['grep', { pattern: 'TODO' }, { matches: 3, files: 2 }, '✓ grep TODO · 3 in 2 files'],
      ['grep', { pattern: 'TODO' }, { matches: 0, files: 0 }, '✓ grep TODO · nothing found'],
      ['find', { pattern: '*.ts' }, { files: 1 }, '✓ find *.ts · 1 file'],
      ['ls', {}, { entries: 7 }, '✓ ls · 7 entries'],
    ]
    for (const [name, args, details, line] of rows) {
      const tool = { name, arguments: { ...args }, is_error: false, content: 'x\ny', details }
      assert.deepEqual(textOf(finishedToolLines(tool, 60, folded)), [line])
    }
  })

  it('says in the words of the face how a call ended that was not run, or not to its end', () => {
    const call = { ...bash, is_error: true, content: 'Words for the model.\nAnd more.' }
    for (const [details, line, ...more] of [
      [{ ended: 'denied' }, '✗ bash npm test · denied'],
      [{ ended: 'denied', why: 'use make' }, '✗ bash npm test · denied (use make)'],
      [{ ended: 'aborted' }, '✗ bash npm test · stopped'],
      [{ ended: 'timeout' }, '✗ bash npm test · out of time'],
      [undefined, '✗ bash npm test (Words for the model. …)', '  Words for the model.', '  And more.'],
    ] as const) {
      assert.deepEqual(textOf(finishedToolLines({ ...call, details }, 60, folded)), [line, ...more])
    }
    // What the row says whole is not said twice.
    const slip = { ...call, name: 'todo', arguments: {}, content: 'todo: "list" is missing; expected {list}' }
    const said = '✗ todo (todo: "list" is missing; expected {list})'
    assert.deepEqual(textOf(finishedToolLines({ ...slip, details: undefined }, 60, folded)), [said])
    // Where the row has no room for it, it is said whole below.
    const [, ...below] = textOf(finishedToolLines({ ...slip, details: undefined }, 40, folded))
    assert.equal(below.map(row => row.trim()).join(' '), slip.content)
    const unread = 'a.ts was not read in this session; read it before changing it.'
    const edit = { ...call, name: 'edit', arguments: { path: 'a.ts' }, content: unread, details: undefined }
    const chinese = textOf(finishedToolLines(edit, 60, { ...folded, words: ZH }))
    assert.deepEqual(chinese, ['✗ edit a.ts (本次会话尚未读取 a.ts)'])
    const bare = { ...call, arguments: {}, details: { ended: 'denied' } }
    assert.deepEqual(textOf(finishedToolLines(bare, 60, folded)), ['✗ bash · denied'])
  })

  it('shows what a change changed, long ones folded', () => {
    const change = { name: 'edit', arguments: { path: 'a.ts' }, is_error: false, content: 'Edited.', ms: 10 }
    const small = { ...change, details: { added: 2, removed: 2, diff } }
    assert.equal(textOf(finishedToolLines(small, 40, folded))[0], '✓ edit a.ts +2 −2')
    assert.equal(finishedToolLines(small, 40, folded).length, 14)
    const { diff: long } = diffLines('', lines(40))
    const big = { ...change, details: { added: 40, removed: 0, diff: long } }
    assert.equal(textOf(finishedToolLines(big, 40, folded)).at(-1), '  … 16 more lines')
    assert.equal(finishedToolLines(big, 40, unfolded).length, 41)
  })

  it('gives up its time, then its words, where there is no room', () => {
    const done = { ...bash, is_error: false, content: '', ms: 900 }
    assert.deepEqual(textOf(finishedToolLines(done, 19, folded)), ['✓ bash npm… · 0.9 s'])
    assert.deepEqual(textOf(finishedToolLines(done, 10, folded)), ['✓ bash np…'])
  })
})

describe('thinking', () => {
  const text = Array.from({ length: 40 }, (_, index) => `thought ${index + 1}`).join('\n')

  it('is one line with its time, and unfolded the text', () => {
    const over: Cell = { type: 'thinking', text: 'so\nit is', ms: 12_340 }
    assert.deepEqual(dressed(cellLines(over, 40, folded)), ['⟨muted: · ⟩⟨muted: Thought for 12 s⟩'])
    assert.deepEqual(textOf(cellLines(over, 40, unfolded)), ['· Thought for 12 s', '  so', '  it is'])
  })

  it('shows, while it goes on, what can be read along', () => {
    const live: Cell = { type: 'thinking', text, since: -800 }
    assert.deepEqual(textOf(cellLines(live, 40, folded)), ['· Thinking … 4 s'])
    const lines = textOf(cellLines(live, 40, unfolded))
    assert.deepEqual([lines.length, lines[1], lines.at(-1)], [25, '  thought 17', '  thought 40'])
    assert.ok(isTicking(live) && !isTicking({ type: 'thinking', text, ms: 1 }))
  })
})

describe('a compaction', () => {
  it('says what it saved, and unfolded what is left', () => {
    const cell: Cell = { type: 'compaction', summary: 'We did a.\n', tokenBefore: 9000, tokenAfter: 800 }
    assert.deepEqual(textOf(cellLines(cell, 80, folded)), [`· ${EN.cells.compacted(9000, 800, 0)}`])
    assert.deepEqual(textOf(cellLines(cell, 80, unfolded)).slice(1), ['  We did a.'])
  })
})

describe('the welcome', () => {
  const cell: Cell = {
    ...{ type: 'welcome', version: '1.2.3', model: 'qwen3:8b', dialect: 'native', directory: '~/src/a' },
    ...{
      trusted: true,
      instructions: [
        { path: 'AGENTS.md', tokens: 1234 },
        { path: 'a/AGENTS.md', tokens: 5 },
      ],
    },
    loaded: { skills: ['tidy', 'review'], servers: [], extensions: 'abcdefghij'.split('') },
    keys: [
      { key: '?', does: 'help' },
      { key: 'Esc', does: 'stop' },
    ],
  }

  it('says what a person should know before they begin', () => {
    assert.deepEqual(textOf(cellLines(cell, 60, folded)), [
      'gopi 1.2.3',
      'model         qwen3:8b · native',
      'directory     ~/src/a · trusted',
      `instructions  AGENTS.md · ${EN.tokens(1234)}`,
      `              a/AGENTS.md · ${EN.tokens(5)}`,
      'skills        tidy, review',
      'extensions    a, b, c, d, e, f, g, h, 2 more',
      'try           “Explain this project to me.”',
      '              “What does @ do?”: @ names a file',
      '              !ls: ! runs a command, and the model sees it',
      '? help · Esc stop',
    ])
  })

  it('speaks the language of the person, in columns', () => {
    const chinese = { ...folded, words: ZH }
    const starts = textOf(cellLines(cell, 60, chinese))
      .slice(1, 5)
      .map(line => displayWidth(line.split(/(?<= {2})(?! )/)[0] ?? ''))
    assert.equal(new Set(starts).size, 1)
  })

  it('needs no columns where there is no room, and waits for the model', () => {
    const early: Cell = { ...cell, model: '', instructions: [] }
    assert.deepEqual(textOf(cellLines(early, 24, folded)).slice(0, 3), [
      'gopi 1.2.3',
      'model asking Ollama …',
      'directory ~/src/a ·',
    ])
  })
})

describe('every cell', () => {
  const nasty = `a\x1b]52;c;ZXZpbA==\x07\x9b2J\u202eb\tc 好好好好 👨‍👩‍👧 ${'x'.repeat(50)}\r\n\x1b[8mhidden\n\nend`
  const cells: [what: string, lines: (width: number) => Line[]][] = [
    ['user', width => userLines({ text: nasty }, width, unfolded)],
    ['thinking', width => cellLines({ type: 'thinking', text: nasty, ms: 70_000 }, width, unfolded)],
    [
      'compaction',
      width =>
        cellLines({ type: 'compaction', summary: nasty, tokenBefore: 1, tokenAfter: 2 }, width, unfolded),
    ],
    [
      'reply without Markdown',
      width => cellLines({ type: 'reply', block: { type: 'markdown', source: nasty } }, width, unfolded),
    ],
    [
      'code without Markdown',
      width =>
        cellLines({ type: 'reply', block: { type: 'code', language: 'ts', text: nasty } }, width, unfolded),
    ],
    [
      'welcome',
      width =>
        cellLines(
          {
            ...{
              type: 'welcome',
              version: '1',
              model: nasty,
              dialect: nasty,
              directory: nasty,
              trusted: false,
            },
            ...{ loaded: { skills: [nasty], servers: [nasty], extensions: [nasty] } },
            ...{ instructions: [{ path: nasty, tokens: 1 }], keys: [{ key: nasty, does: nasty }] },
          },
          width,
          folded,
        ),
    ],
    ['text', width => textLines(nasty, width, { style: 'plain' })],
    ['notice', width => noticeLines({ level: 'warning', message: nasty }, width)],
    ['diff', width => changeLines(diffLines(nasty, `${nasty}${nasty}`).diff, width)],
    [
      'running',
      width =>
        runningToolLines(
          { tool: { name: nasty, arguments: { command: nasty }, output: nasty }, ms: 1, limitMs: 9 },
          width,
          folded,
        ),
    ],
    [
      'finished',
      width =>
        finishedToolLines(
          { name: nasty, arguments: { path: nasty }, is_error: true, content: nasty, ms: 1 },
          width,
          unfolded,
        ),
    ],
  ]
  for (const [what, lines] of cells) {
    it(`fits and is safe: ${what}`, () => {
      for (const width of [8, 9, 13, 40, 120]) {
        for (const line of textOf(lines(width))) {
          assert.ok(displayWidth(line) <= width, `${width}: ${JSON.stringify(line)}`)
          assert.doesNotMatch(line, /[\p{Cc}\u202e]/u)
        }
      }
    })
  }
})
