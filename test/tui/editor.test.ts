import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { graphemes } from '../../src/text/width.ts'
import {
  createEditor,
  type Editor,
  type EditorCommand,
  edit,
  take,
  textOf,
  wantsMore,
} from '../../src/tui/editor/editor.ts'
import { type Look, viewOf } from '../../src/tui/editor/rows.ts'

const look: Look = { columns: 11, label: ({ lines }) => `[${lines} l]` }

/** `|` is the caret; `⟦n⟧` a paste of n lines. */
function editorAt(text: string, history: string[] = []): Editor {
  const [before = '', after = ''] = text.split('|')
  const editor = createEditor({ history })
  return edit(editor, { type: 'replace', text: before + after, caret: before.length }, look)
}

function seen({ text, caret, folds }: Editor): string {
  const marked = `${text.slice(0, caret)}|${text.slice(caret)}`
  return marked.replaceAll(/[\u{100000}-\u{10ffff}]/gu, mark => `⟦${folds[mark]?.lines}⟧`)
}

const to: Record<string, EditorCommand> = {
  newline: { type: 'newline' },
  continue: { type: 'continue' },
  yank: { type: 'yank' },
  undo: { type: 'undo' },
  up: { type: 'step', rows: -1 },
  down: { type: 'step', rows: 1 },
}

/** `delete left`, `kill line-end`, `word-left`, `up`, `type x`, `paste n` (lines). */
function command(words: string): EditorCommand {
  const [verb = '', place = ''] = words.split(/ (.*)/s)
  if (verb === 'type') return { type: 'insert', text: place }
  if (verb === 'paste') return { type: 'paste', text: 'line\n'.repeat(Number(place)) }
  if (verb === 'delete' || verb === 'kill') return { type: verb, to: place as 'left' }
  return to[words] ?? { type: 'move', to: words as 'left' }
}

const run = (editor: Editor, commands: string[]): Editor =>
  commands.reduce((state, words) => edit(state, command(words), look), editor)

type Case = [start: string, commands: string, end: string]

const moves: Case[] = [
  ['ab|', 'left', 'a|b'],
  ['|', 'left, right', '|'],
  ['a|👨‍👩‍👧b', 'right', 'a👨‍👩‍👧|b'],
  ['a👨‍👩‍👧|b', 'left', 'a|👨‍👩‍👧b'],
  ['e\u0301|', 'left', '|e\u0301'],
  ['🇯🇵🇺🇸|', 'left', '🇯🇵|🇺🇸'],
  ['a\n|b', 'left', 'a|\nb'],
  ['one two.|', 'word-left', 'one |two.'],
  ['one two|', 'word-left, word-left, word-left', '|one two'],
  ['|one, two', 'word-right', 'one|, two'],
  ['one|, two', 'word-right', 'one, two|'],
  ['|don_t stop', 'word-right', 'don_t| stop'],
  ['你好吗|', 'word-left', '你好|吗'],
  ['|你好 there', 'word-right, word-right, word-right', '你好 there|'],
  ['see你|', 'word-left, word-left', '|see你'],
  ['한국어 말|', 'word-left, word-left', '|한국어 말'],
  ['cat /tmp/a.txt  |', 'blank-left', 'cat |/tmp/a.txt  '],
  ['one\ntwo|\nthree', 'line-start', 'one\n|two\nthree'],
  ['one\nt|wo\nthree', 'line-end', 'one\ntwo|\nthree'],
  ['one\n|\nthree', 'line-start, line-end', 'one\n|\nthree'],
  ['one\nt|wo', 'start', '|one\ntwo'],
  ['o|ne\ntwo', 'end', 'one\ntwo|'],
]

const changes: Case[] = [
  ['a|c', 'type b', 'ab|c'],
  ['a|', 'type 😀', 'a😀|'],
  ['|\u0301', 'type e', 'e\u0301|'],
  ['a|b', 'newline', 'a\n|b'],
  ['a\\|b', 'continue', 'a\n|b'],
  ['a|\\b', 'continue', 'a|\\b'],
  ['a|', 'type \x1b[31mx\u202e\x07', 'ax|'],
  ['ab|', 'delete left', 'a|'],
  ['|ab', 'delete left', '|ab'],
  ['a👨‍👩‍👧‍👦|', 'delete left', 'a|'],
  ['a|❤️b', 'delete right', 'a|b'],
  ['ab|', 'delete right', 'ab|'],
  ['x|\n\u0301', 'delete right', 'x\u0301|'],
  ['one two|', 'delete word-left', 'one |'],
  ['one two|', 'kill word-left, yank, yank', 'one twotwo|'],
  ['a b c|', 'kill word-left, kill word-left, yank', 'a b c|'],
  ['|a b c', 'kill word-right, kill word-right, end, yank', ' ca b|'],
  ['a b c|', 'kill word-left, left, right, kill word-left, yank, yank', 'a b b |'],
  ['a|b\nc', 'kill line-end', 'a|\nc'],
  ['a|\nc', 'kill line-end', 'a|c'],
  ['ab\nc|d', 'kill line-start', 'ab\n|d'],
  ['ab\n|d', 'kill line-start', 'ab|d'],
  ['cat /tmp/a.txt|', 'kill blank-left', 'cat |'],
  ['|', 'yank', '|'],
]

const undos: Case[] = [
  ['|', 'type h, type i, undo', '|'],
  ['|', 'type hi, type  , type y, type o, undo', 'hi |'],
  ['|', 'type hi, type  , type yo, undo, undo', '|'],
  ['|', 'undo', '|'],
  ['abc|', 'delete left, delete left, undo', 'abc|'],
  ['|', 'type a, type b, delete left, undo', 'ab|'],
  ['|', 'type a, left, type b, undo', '|a'],
  ['|', 'type a, newline, type b, undo, undo', 'a|'],
  ['ab|', 'kill line-start, undo', 'ab|'],
  ['a|', 'paste 20, undo', 'a|'],
  ['a|', 'paste 20, delete left, undo', 'a⟦20⟧|'],
]

const rows: Case[] = [
  ['one\ntw|o', 'up', 'on|e\ntwo'],
  ['on|e\nt\nthree', 'down, down', 'one\nt\nth|ree'],
  ['one\nthree|', 'up, down', 'one\nthree|'],
  ['one\nthree|', 'up, left, down', 'one\nth|ree'],
  ['aaaa bbbb cccc|', 'up', 'aaaa| bbbb cccc'],
  ['aaaabbbbccccdddd|', 'up', 'aaaabb|bbccccdddd'],
  ['|aaaabbbbccccdddd', 'down', 'aaaabbbbcc|ccdddd'],
  ['aaaabbbbc|cccdddd', 'down, up', 'aaaabbbbc|cccdddd'],
  ['cccccccccc|\naaaaaaaaaabbbbb', 'down', 'cccccccccc\naaaaaaaaa|abbbbb'],
  ['好好好好好好\n|', 'up', '好好好好好|好\n'],
  ['abc\n好好|', 'up', 'abc|\n好好'],
  ['abc|\n好好', 'down', 'abc\n好|好'],
  ['a|', 'paste 20, newline, type bbbbb, up', 'a|⟦20⟧\nbbbbb'],
  ['aaaaa|', 'newline, paste 20, start, right, right, right, down', 'aaaaa\n⟦20⟧|'],
]

function table(cases: Case[]): void {
  for (const [start, commands, end] of cases) {
    it(`${JSON.stringify(start)}: ${commands} → ${JSON.stringify(end)}`, () => {
      const editor = start === '|' ? createEditor() : { ...editorAt(start), past: [] }
      assert.equal(seen(run(editor, commands.split(/, (?! )/))), end)
    })
  }
}

describe('the editor', () => {
  describe('moves by what a person takes for a character, a word, a line', () => table(moves))
  describe('changes the text at the caret', () => table(changes))
  describe('undoes what was done at once', () => table(undos))
  describe('moves by the rows that are seen', () => table(rows))

  it('finds what was sent before beyond its first row, and the draft beyond the last', () => {
    const editor = editorAt('dra|ft', ['first', 'second\nlines'])
    const steps: [commands: string, end: string][] = [
      ['up', 'second\nlines|'],
      ['up', 'secon|d\nlines'],
      ['up', 'first|'],
      ['up', 'first|'],
      ['down', 'second\nlines|'],
      ['down', 'dra|ft'],
      ['down', 'dra|ft'],
    ]
    let state = editor
    for (const [words, end] of steps) {
      state = run(state, [words])
      assert.equal(seen(state), end)
    }
  })

  it('takes a changed entry of the history for the draft, and undo leads back', () => {
    const changed = run(editorAt('draft|', ['one', 'two']), ['up', 'type !'])
    assert.equal(seen(changed), 'two!|')
    assert.equal(seen(run(changed, ['up'])), 'two|')
    assert.equal(seen(run(changed, ['up', 'down'])), 'two!|')
    assert.equal(seen(run(changed, ['undo'])), 'two|')
    assert.equal(seen(run(changed, ['undo', 'undo'])), 'draft|')
    assert.equal(seen(run(editorAt('draft|', ['one']), ['up', 'undo'])), 'draft|')
  })

  it('keeps a recalled paste folded, also beside others, and as well as it can one of another day', () => {
    const long = 'line\n'.repeat(20)
    const { editor } = take(run(createEditor(), ['type see ', 'paste 20', 'type !']))
    const again = run(editor, ['paste 12', 'up'])
    assert.equal(seen(again), 'see ⟦20⟧!|')
    assert.equal(take(again).text, `see ${long}!`)
    assert.equal(seen(run(again, ['down'])), '⟦12⟧|')
    const before = run(createEditor({ history: [`see\n${long}`, 'x\n'.repeat(5)] }), ['up'])
    assert.equal(seen(before), `${'x\n'.repeat(5)}|`)
    assert.equal(seen(run(before, ['up', 'up', 'up', 'up', 'up', 'up'])), 'see\n⟦20⟧|')
    const searched = edit(run(editor, ['type x']), { type: 'recall', text: `see ${long}!` }, look)
    assert.equal(seen(searched), 'see ⟦20⟧!|')
  })

  it('is empty after it was taken, and remembers', () => {
    const { text, editor } = take(
      run(createEditor({ history: ['old'] }), ['type a b', 'kill word-left', 'type c']),
    )
    assert.equal(text, 'a c')
    assert.deepEqual(editor.history, ['old', 'a c'])
    assert.equal(seen(editor), '|')
    assert.equal(seen(run(editor, ['undo'])), '|')
    assert.equal(seen(run(editor, ['yank'])), 'b|')
    assert.deepEqual(take(run(editor, ['type a c'])).editor.history, ['old', 'a c'], 'not twice in a row')
    assert.deepEqual(take(run(editor, ['type  '])).editor.history, ['old', 'a c'], 'no blanks')
  })

  it('folds a big paste, counts it as one character and sends it whole', () => {
    const pasted = run(createEditor(), ['type a', 'paste 214', 'type b', 'paste 2'])
    assert.equal(seen(pasted), 'a⟦214⟧bline\nline\n|')
    assert.equal(textOf(pasted), `a${'line\n'.repeat(214)}bline\nline\n`)
    assert.equal(take(pasted).text, textOf(pasted))
    assert.equal(seen(run(pasted, ['start', 'right', 'right', 'delete left'])), 'a|bline\nline\n')
    assert.equal(seen(run(pasted, ['start', 'right', 'word-right'])), 'a⟦214⟧|bline\nline\n')
    const again = run(pasted, ['paste 20', 'paste 214'])
    assert.equal(textOf(again), `${textOf(pasted)}${'line\n'.repeat(234)}`)
  })

  it('keeps a killed paste over the next prompt', () => {
    const killed = run(createEditor(), ['paste 30', 'kill left', 'type x'])
    const { editor } = take(killed)
    const two = run(editor, ['paste 40', 'yank'])
    assert.equal(seen(two), '⟦40⟧⟦30⟧|')
    assert.equal(textOf(two), 'line\n'.repeat(70))
  })

  it('lets nobody type a mark', () => {
    const state = edit(run(createEditor(), ['paste 20']), { type: 'insert', text: '\u{100000}' }, look)
    assert.equal(textOf(state), `${'line\n'.repeat(20)}\ufffd`)
  })

  it('takes 10,000 characters for one step, in one line too', () => {
    const state = edit(createEditor(), { type: 'paste', text: 'x'.repeat(10_000) }, look)
    assert.equal([...graphemes(state.text)].length, 1)
    assert.equal(viewOf(state, look, { height: 5 }).rows.length, 1)
    assert.equal(textOf(state).length, 10_000)
    assert.equal(state.past.length, 1)
  })

  it('knows when Enter is meant to go on', () => {
    assert.equal(wantsMore(editorAt('a\\|')), true)
    assert.equal(wantsMore(editorAt('a\\b|')), false)
    assert.equal(wantsMore(createEditor()), false)
  })

  it('keeps its caret between graphemes and can undo everything, whatever is done', () => {
    const verbs = [
      ...[
        'type a',
        'type  ',
        'type 好',
        'type 👩',
        'type e\u0301',
        'type \u0301',
        'type 🇯',
        'newline',
        'paste 20',
        'paste 2',
      ],
      ...[
        'left',
        'left',
        'right',
        'word-left',
        'word-right',
        'line-start',
        'line-end',
        'start',
        'end',
        'up',
        'down',
      ],
      ...['delete left', 'delete right', 'kill word-left', 'kill line-end', 'yank', 'undo', 'continue'],
    ]
    let seed = 5
    for (let round = 0; round < 60; round++) {
      let state = createEditor({ history: ['one', 'two\nthree'] })
      for (let step = 0; step < 60; step++) {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
        const words = verbs[(seed >>> 8) % verbs.length] ?? ''
        state = run(state, [words])
        let end = 0
        const ends = Array.from(graphemes(state.text), grapheme => (end += grapheme.length))
        assert.ok([0, ...ends].includes(state.caret), `${words}: ${JSON.stringify(seen(state))}`)
        const { caret, rows: shown } = viewOf(state, look, { height: 4 })
        assert.ok(caret.row >= 0 && caret.row < shown.length && caret.column < look.columns, words)
      }
      for (let undos = 0; undos < 100; undos++) state = run(state, ['undo'])
      assert.equal(state.text, '')
    }
  })
})

describe('the view of the editor', () => {
  /** Rows as text, `|` where the caret is, `«»` around what is not plain. */
  function shown(editor: Editor, height: number): string[] {
    const { rows: lines, caret } = viewOf(editor, look, { height })
    return lines.map((line, row) => {
      const text = line.map(span => (span.style === 'plain' ? span.text : `«${span.text}»`)).join('')
      return row === caret.row ? `${text} @${caret.column}` : text
    })
  }

  const views: [what: string, editor: Editor, height: number, ...rows: string[]][] = [
    ['nothing', createEditor(), 3, ' @0'],
    ['a line', editorAt('ab|c'), 3, 'abc @2'],
    ['wide characters', editorAt('好😀|'), 3, '好😀 @4'],
    ['words in rows', editorAt('aaaa bbbb cc|'), 3, 'aaaa bbbb', 'cc @2'],
    ['a full row', editorAt('aaaaabbbbb|'), 3, 'aaaaabbbbb @10'],
    ['a caret where a row is broken', editorAt('aaaaabbbbb|c'), 3, 'aaaaabbbbb', 'c @0'],
    ['blanks beyond the edge', editorAt('aaaaabbbbb   |'), 3, 'aaaaabbbbb @10'],
    ['an empty last line', editorAt('a\n|'), 3, 'a', ' @0'],
    ['a tab', editorAt('a\tb|'), 3, 'a    b @6'],
    ['a folded paste', run(editorAt('ab|'), ['paste 20', 'type c']), 3, 'ab«[20\u00a0l]»c @9'],
    ['a fold over two rows', run(editorAt('aaaaaaa|'), ['paste 20']), 3, 'aaaaaaa«[20»', '«\u00a0l]» @3'],
  ]
  for (const [what, editor, height, ...expected] of views) {
    it(`shows ${what}`, () => assert.deepEqual(shown(editor, height), expected))
  }

  it('scrolls no further than the caret needs', () => {
    const all = editorAt('a\nb\nc\nd\ne|')
    assert.deepEqual(shown(all, 2), ['d', 'e @1'])
    assert.deepEqual(shown(run(all, ['up']), 2), ['c', 'd @1'])
    assert.deepEqual(shown(run(all, ['up', 'up']), 2), ['b', 'c @1'])
    assert.deepEqual(shown(run(all, ['start']), 2), ['a @0', 'b'])
    assert.deepEqual(shown(editorAt('a|'), 2), ['a @1'])
  })
})
