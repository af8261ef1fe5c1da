import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diffLines } from '../../src/text/diff.ts'
import { displayWidth } from '../../src/text/width.ts'
import type { Cell, Look } from '../../src/tui/cells/cell.ts'
import { changeLines } from '../../src/tui/cells/diff.ts'
import { cellLines, isTicking } from '../../src/tui/cells/lines.ts'
import { noticeLines, textLines, userLines } from '../../src/tui/cells/text.ts'
import { finishedToolLines, runningToolLines } from '../../src/tui/cells/tool.ts'
import type { Line } from '../../src/tui/line.ts'
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
    assert.deepEqual(styles(lines).slice(0, 2), ['accent strong', 'plain strong'])
  })

  it('folds what was pasted', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n')
    const lines = textOf(userLines({ text }, 30, folded))
    assert.deepEqual(lines.slice(-2), ['  line 39', `  ⋯ ${EN.moreLines(4960)}`])
    assert.equal(userLines({ text }, 30, unfolded).length, 5000)
  })

  it('shows notices by what they are', () => {
    assert.deepEqual(textOf(noticeLines({ level: 'note', message: 'compacted' }, 40)), ['· compacted'])
    assert.deepEqual(textOf(noticeLines({ level: 'error', message: 'no server' }, 40)), ['✗ no server'])
    const levels = (['note', 'warning', 'error'] as const).map(level =>
      styles(noticeLines({ level, message: 'x' }, 9)),
    )
    assert.deepEqual(levels.flat(), ['muted muted', 'warning warning', 'danger danger'])
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

  it('is nothing where nothing changed', () => assert.deepEqual(changeLines('', 40), []))
})

describe('a tool call', () => {
  const bash = { name: 'bash', arguments: { command: 'npm test' } }
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

  it('shows its last eight lines while it runs', () => {
    const running = { ...bash, output: lines(30), ms: 3210 }
    const cell = runningToolLines(running, 40, folded)
    assert.deepEqual(textOf(cell).slice(0, 2), ['● bash npm test 3 s', '  line 23'])
    assert.equal(cell.length, 9)
    assert.equal(runningToolLines(running, 40, unfolded).length, 31)
    assert.deepEqual(textOf(runningToolLines({ ...bash, output: '', ms: 0 }, 40, folded)), [
      '● bash npm test',
    ])
  })

  it('shows a summary when it is done, and all of it unfolded', () => {
    const done = { ...bash, is_error: false, content: 'ok\nfine\n', ms: 900 }
    assert.deepEqual(textOf(finishedToolLines(done, 40, folded)), ['✓ bash npm test 0.9 s'])
    assert.deepEqual(textOf(finishedToolLines(done, 40, unfolded)), [
      '✓ bash npm test 0.9 s',
      '  ok',
      '  fine',
    ])
    const failed = { ...done, is_error: true, details: { exit_code: 1 } }
    assert.deepEqual(textOf(finishedToolLines(failed, 40, folded)), ['✗ bash exit 1: npm test 0.9 s'])
    assert.deepEqual(styles(finishedToolLines(failed, 40, folded)), ['danger plain muted'])
  })

  it('says in the words of the face how a call ended that was not run, or not to its end', () => {
    const call = { ...bash, is_error: true, content: 'Words for the model.\nAnd more.' }
    for (const [details, line] of [
      [{ ended: 'denied' }, '✗ bash denied: npm test'],
      [{ ended: 'denied', why: 'use make' }, '✗ bash denied: npm test (use make)'],
      [{ ended: 'aborted' }, '✗ bash stopped: npm test'],
      [{ ended: 'timeout' }, '✗ bash out of time: npm test'],
      [undefined, '✗ bash npm test (Words for the model. …)'],
    ] as const) {
      assert.deepEqual(textOf(finishedToolLines({ ...call, details }, 60, folded)), [line])
    }
    const bare = { ...call, arguments: {}, details: { ended: 'denied' } }
    assert.deepEqual(textOf(finishedToolLines(bare, 60, folded)), ['✗ bash denied'])
  })

  it('shows what a change changed, long ones folded', () => {
    const change = { name: 'edit', arguments: { path: 'a.ts' }, is_error: false, content: 'Edited.', ms: 10 }
    const small = { ...change, details: { added: 2, removed: 2, diff } }
    assert.equal(textOf(finishedToolLines(small, 40, folded))[0], '✓ edit a.ts +2 −2')
    assert.equal(finishedToolLines(small, 40, folded).length, 14)
    const { diff: long } = diffLines('', lines(40))
    const big = { ...change, details: { added: 40, removed: 0, diff: long } }
    assert.equal(textOf(finishedToolLines(big, 40, folded)).at(-1), '  ⋯ 16 more lines')
    assert.equal(finishedToolLines(big, 40, unfolded).length, 41)
  })

  it('gives up its time, then its words, where there is no room', () => {
    const done = { ...bash, is_error: false, content: '', ms: 900 }
    assert.deepEqual(textOf(finishedToolLines(done, 17, folded)), ['✓ bash npm… 0.9 s'])
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
    assert.deepEqual(textOf(cellLines(cell, 80, folded)), [`· ${EN.cells.compacted(9000, 800)}`])
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
        runningToolLines({ name: nasty, arguments: { command: nasty }, output: nasty, ms: 1 }, width, folded),
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
